import { type Action, isComposing, splitShortcut, useActionList } from '@balcao/ui/actions'
import { useEarlyEnter } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { EmptyState, Icon, Kbd, Portal, useOverlay } from '@balcao/ui/parts'
import { CircleDot, Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { find } from './find.ts'
import { getText } from './get-text.ts'
import { useFound } from './use-found.ts'
import '../frame/late.ts'
import './palette.css'

export interface PaletteProps {
  readonly onClose: () => void
}

/** Everything a person can do or open now, found by typing (Ctrl K). */
export default function Palette({ onClose }: PaletteProps) {
  const t = useTexts('shell')
  const panel = useRef<HTMLDivElement>(null)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const things = useFound(text)
  const actions = find(
    useActionList()
      .filter(action => action.id !== 'shell.palette')
      .map(action => ({ action, label: getActionLabel(action), note: '', words: action.keywords ?? '' })),
    text,
  )
  const found = [...groupActions(actions), ...things.found]
  const chosen = found[Math.min(at, found.length - 1)]
  // What stands there was found for fewer letters: Enter waits for what these find, unless it was pointed at.
  const isKnown = !things.searching || actions.length > 0 || at > 0
  const early = useEarlyEnter(isKnown, () => chosen && run(chosen.action))
  useOverlay(panel, { onClose, trap: true })

  useEffect(() => {
    panel.current?.querySelector('[aria-selected="true"]')?.scrollIntoView?.({ block: 'nearest' })
  })
  const prepare = useEffectEvent(() => text !== '' && chosen?.action.prepare?.())
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is chosen changes with it
  useEffect(() => void prepare(), [chosen?.action.id, text])

  function run(action: Action) {
    // It is gone by then: what asks whether a layer is open means another one.
    flushSync(onClose)
    void action.perform()
  }

  function key(event: KeyboardEvent) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setAt((Math.min(at, found.length - 1) + step + found.length) % Math.max(1, found.length))
    }
    if (event.key === 'Enter' && !isComposing(event.nativeEvent)) {
      event.preventDefault()
      if (isKnown && chosen) run(chosen.action)
      else early.press()
    }
  }

  return (
    <Portal>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a press beside it closes, as Escape does */}
      <div className="b-scrim s-palette-scrim" onMouseDown={event => event.target === event.currentTarget && onClose()}>
        <div ref={panel} role="dialog" aria-modal="true" aria-label={t('palette.label')} className="s-palette">
          <div className="s-palette-field">
            <Icon of={Search} size={16} />
            <input
              role="combobox"
              aria-expanded="true"
              aria-controls="palette-list"
              aria-activedescendant={chosen ? `palette-${chosen.action.id}` : undefined}
              aria-label={t('palette.label')}
              placeholder={t('palette.label')}
              value={text}
              onChange={event => {
                setText(event.target.value)
                setAt(0)
                early.drop()
              }}
              onKeyDown={key}
            />
            <Kbd>Esc</Kbd>
          </div>
          <div role="listbox" id="palette-list" aria-label={t('palette.label')} className="s-palette-list">
            {found.map((entry, index) => (
              <Line
                key={entry.action.id}
                action={entry.action}
                label={entry.label}
                note={entry.note}
                heading={entry.action.groupKey !== found[index - 1]?.action.groupKey}
                chosen={entry === chosen}
                onPoint={() => setAt(index)}
                onRun={() => run(entry.action)}
              />
            ))}
          </div>
          <p className="b-only-read" aria-live="polite">
            {text !== '' && !things.searching && t('palette.count', { count: found.length })}
          </p>
          {found.length === 0 && !things.searching && (
            <EmptyState icon={Search} title={t('palette.empty', { text })} text={t('palette.emptyText')} />
          )}
        </div>
      </div>
    </Portal>
  )
}

interface LineProps {
  readonly action: Action
  readonly label: string
  /** Beside the name: where it belongs. */
  readonly note: string
  readonly heading: boolean
  readonly chosen: boolean
  readonly onPoint: () => void
  readonly onRun: () => void
}

function Line({ action, label, note, heading, chosen, onPoint, onRun }: LineProps) {
  return (
    <>
      {heading && <p className="s-palette-heading">{getText(action.groupKey ?? 'shell:palette.actions')}</p>}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and the keys */}
      <div
        id={`palette-${action.id}`}
        role="option"
        aria-selected={chosen}
        tabIndex={-1}
        className="s-palette-line"
        onPointerMove={onPoint}
        onClick={onRun}
      >
        <Icon of={action.icon ?? CircleDot} size={16} />
        <span>{label}</span>
        {note && <small>{note}</small>}
        {action.shortcut && splitShortcut(action.shortcut).map(key => <Kbd key={key}>{key}</Kbd>)}
      </div>
    </>
  )
}

/** Actions of one heading stand together: of the open conversation, of the page, then screens and what is there everywhere. */
function groupActions<T extends { readonly action: Action }>(entries: readonly T[]): T[] {
  const groups = [...Map.groupBy(entries, entry => entry.action.groupKey ?? 'shell:palette.actions')]
  return groups.sort(([one], [other]) => rankHeading(one) - rankHeading(other)).flatMap(([, group]) => group)
}

function rankHeading(groupKey: string): number {
  if (groupKey === 'tickets:action.group') return 0
  if (!groupKey.startsWith('shell:')) return 1
  return groupKey === 'shell:palette.pages' ? 2 : 3
}

function getActionLabel(action: Action) {
  return getText(action.labelKey)
}
