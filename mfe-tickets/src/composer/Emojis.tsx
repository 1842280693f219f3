// The emoji picker: search by name in the person's language, recent ones first, groups below. Arrows move, Enter takes.
import { isComposing } from '@balcao/ui/actions'
import { useEarlyEnter } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { SearchInput, useOverlay } from '@balcao/ui/parts'
import { type KeyboardEvent, type RefObject, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { findArrowTarget } from '../desk/arrow-target.ts'
import { type Emoji, findEmojis, keepRecent, listRecentEmojis, loadEmojis } from './emoji-data.ts'
import './late.ts'

const GROUPS = [0, 1, 3, 4, 5, 6, 7, 8, 9] as const

interface EmojisProps {
  /** The button that opened it. */
  readonly anchor: RefObject<HTMLElement | null>
  readonly onChoose: (emoji: string) => void
  readonly onClose: () => void
}

export default function Emojis({ anchor, onChoose, onClose }: EmojisProps) {
  const t = useTexts('tickets')
  const panel = useRef<HTMLDivElement>(null)
  const [search, setSearch] = useState('')
  const wanted = useDeferredValue(search)
  const [all, setAll] = useState<readonly Emoji[] | null>(null)
  const [failed, setFailed] = useState(false)
  useOverlay(panel, { onClose, outside: anchor })
  useEffect(() => {
    loadEmojis()
      .then(setAll)
      .catch(() => setFailed(true))
  }, [])
  const sections = useMemo(() => toSections(all ?? [], wanted), [all, wanted])

  const isKnown = (all !== null || failed) && wanted === search
  const early = useEarlyEnter(isKnown, () => panel.current?.querySelector<HTMLButtonElement>('.k-emoji')?.click())

  function choose(emoji: string) {
    keepRecent(emoji)
    onChoose(emoji)
  }

  function key(event: KeyboardEvent<HTMLDivElement>) {
    if (isComposing(event.nativeEvent)) return
    const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('.k-emoji')]
    const inSearch = event.target instanceof HTMLInputElement
    const first = buttons[0]
    if (inSearch && event.key === 'Enter') {
      event.preventDefault()
      return early.press()
    }
    const at = buttons.findIndex(button => button === event.target)
    const to = inSearch ? (event.key === 'ArrowDown' ? first : undefined) : findArrowTarget(buttons, at, event.key)
    if (!to) return
    event.preventDefault()
    to.focus()
  }

  return (
    <div ref={panel} className="k-emojis" role="dialog" aria-label={t('composer.emoji')} onKeyDown={key}>
      <SearchInput
        label={t('emoji.search')}
        value={search}
        onChange={next => {
          early.drop()
          setSearch(next)
        }}
        data-autofocus=""
      />
      <div className="k-emoji-scroll">
        {failed && <p className="k-quick-none">{t('emoji.failed')}</p>}
        {all && wanted.trim() !== '' && sections.length === 0 && <p className="k-quick-none">{t('emoji.none')}</p>}
        {sections.map(({ id, emojis }) => (
          <section key={id} className="k-emoji-group" aria-label={t(`emoji.group.${id}`)}>
            <h3>{t(`emoji.group.${id}`)}</h3>
            <div className="k-emoji-grid">
              {emojis.map(({ emoji, name }) => (
                <button
                  key={emoji}
                  type="button"
                  className="k-emoji"
                  aria-label={name}
                  title={name}
                  onClick={() => choose(emoji)}
                >
                  {emoji}
                </button>
              ))}
            </div>
          </section>
        ))}
      </div>
    </div>
  )
}

function toSections(all: readonly Emoji[], search: string) {
  if (search.trim() !== '') {
    const found = findEmojis(all, search)
    return found.length === 0 ? [] : [{ id: 'found', emojis: found }]
  }
  const names = new Map(all.map(({ emoji, name }) => [emoji, name]))
  const recent = listRecentEmojis().map(emoji => ({ emoji, name: names.get(emoji) ?? emoji }))
  const groups = GROUPS.map(group => ({ id: String(group), emojis: all.filter(each => each.group === group) }))
  return [{ id: 'recent', emojis: recent }, ...groups].filter(({ emojis }) => emojis.length > 0)
}
