import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { joinClasses } from './classes.ts'

/** One tab. `badge` is drawn behind the word: a `Badge`, or a plain number in grey. */
export interface Tab<Id extends string> {
  readonly id: Id
  readonly label: string
  readonly badge?: ReactNode
}

interface TabsProps<Id extends string> {
  readonly tabs: readonly Tab<Id>[]
  readonly chosen: Id
  readonly onChoose: (id: Id) => void
  /** The accessible name of the row. */
  readonly label: string
  /** The id of the panel below, for screen readers. */
  readonly panelId?: string
  readonly className?: string
  /** The layer they stand in gives the chosen one the focus as it opens. */
  readonly takesFocus?: boolean
}

/**
 * Tabs with an underline; arrows move, Home and End jump.
 *
 * @example <Tabs label={t('lists')} tabs={[{ id: 'open', label: t('open') }]} chosen={tab} onChoose={setTab} />
 */
export function Tabs<Id extends string>(props: TabsProps<Id>) {
  return <Row {...props} base="b-tabs" />
}

/** The same as a box with a raised choice, for the second level. */
export function Segments<Id extends string>(props: TabsProps<Id>) {
  return <Row {...props} base="b-segments" />
}

function Row<Id extends string>({
  tabs,
  chosen,
  onChoose,
  label,
  panelId,
  className,
  takesFocus,
  base,
}: TabsProps<Id> & { base: string }) {
  const row = useRef<HTMLDivElement>(null)

  function move(event: KeyboardEvent) {
    const now = tabs.findIndex(tab => tab.id === chosen)
    const last = tabs.length - 1
    const steps: Record<string, number> = {
      ArrowRight: now === last ? 0 : now + 1,
      ArrowLeft: now === 0 ? last : now - 1,
      Home: 0,
      End: last,
    }
    const next = steps[event.key]
    const tab = next === undefined ? undefined : tabs[next]
    if (next === undefined || !tab) return
    event.preventDefault()
    onChoose(tab.id)
    row.current?.querySelectorAll('button')[next]?.focus()
  }

  return (
    <div ref={row} role="tablist" aria-label={label} className={joinClasses(base, className)} onKeyDown={move}>
      {tabs.map(tab => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          aria-selected={tab.id === chosen}
          data-autofocus={(takesFocus && tab.id === chosen) || undefined}
          aria-controls={panelId}
          tabIndex={tab.id === chosen ? 0 : -1}
          className={joinClasses('b-tab', tab.id === chosen && 'is-chosen')}
          onClick={() => onChoose(tab.id)}
        >
          <span>{tab.label}</span>
          {tab.badge}
        </button>
      ))}
    </div>
  )
}
