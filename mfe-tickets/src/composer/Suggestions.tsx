// A list above the composer that pushes the messages up and covers nothing. Arrows choose, Enter or Tab uses.
import { useTexts } from '@balcao/ui/i18n'
import { Kbd } from '@balcao/ui/parts'
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { holdEarlyChoice } from './early-choice.ts'

export interface SuggestionsHandle {
  /** Whether the key was meant for the list. */
  key(event: KeyboardEvent<HTMLTextAreaElement>): boolean
  /** Uses the chosen one, as Enter does; false where there is none to be had. */
  take(field: HTMLTextAreaElement): boolean
}

interface SuggestionsProps<T> {
  readonly title: string
  readonly items: readonly T[]
  readonly idOf: (item: T) => string | number
  readonly draw: (item: T) => ReactNode
  /** Shown beside the list for the chosen one. */
  readonly preview?: (item: T) => ReactNode
  /** The items of what was typed last are on their way: Enter then takes the first of them. */
  readonly waiting?: boolean
  /** They could not be fetched: Enter asks again, for what was to be chosen is not to be sent as it is typed. */
  readonly onRetry?: (() => void) | undefined
  /** What stands there without items. */
  readonly none: ReactNode
  readonly onChoose: (item: T) => void
  readonly ref: Ref<SuggestionsHandle>
}

export function Suggestions<T>({
  title,
  items,
  idOf,
  draw,
  preview,
  waiting = false,
  onRetry,
  none,
  onChoose,
  ref,
}: SuggestionsProps<T>) {
  const t = useTexts('tickets')
  const [chosen, setChosen] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const index = Math.min(chosen, Math.max(0, items.length - 1))
  const item = items[index]
  const id = useId()
  useActiveOption(list, id, item === undefined ? null : `${id}${idOf(item)}`)
  const early = useRef<ReturnType<typeof holdEarlyChoice> | null>(null)
  function take(field: HTMLTextAreaElement) {
    if (waiting) early.current ??= holdEarlyChoice(field)
    else if (item) onChoose(item)
    else onRetry?.()
    return waiting || item !== undefined || onRetry !== undefined
  }
  useImperativeHandle(ref, () => ({
    take,
    key(event) {
      if (event.key === 'ArrowDown') setChosen((index + 1) % Math.max(1, items.length))
      else if (event.key === 'ArrowUp') setChosen((index + items.length - 1) % Math.max(1, items.length))
      // Where nothing is to be had Tab goes on through the page.
      else if (event.key !== 'Enter' && (event.key !== 'Tab' || !(waiting || item))) return false
      else if (event.shiftKey || !take(event.currentTarget)) return false
      event.preventDefault()
      return true
    },
  }))
  const first = items[0]
  // biome-ignore lint/correctness/useExhaustiveDependencies: decided once, when what was waited for is there
  useEffect(() => {
    const end = early.current
    if (waiting || !end) return
    early.current = null
    // Drawn anew at once, which it cannot be while this is drawn.
    queueMicrotask(() => end(first ? () => onChoose(first) : null))
  }, [waiting])
  useEffect(() => () => early.current?.(null), [])
  useEffect(() => {
    list.current?.children[index]?.scrollIntoView({ block: 'nearest' })
  }, [index])
  return (
    <div className="k-quick">
      <p className="k-quick-head">
        {title}
        <span className="k-quick-keys">
          <Kbd>↑</Kbd>
          <Kbd>↓</Kbd> {t('quick.choose')} <Kbd>Enter</Kbd> {t('quick.use')}
        </span>
      </p>
      {items.length === 0 && <p className="k-quick-none">{none}</p>}
      <div className={preview ? 'k-quick-body has-preview' : 'k-quick-body'}>
        <div ref={list} id={id} role="listbox" aria-label={title} className="k-quick-list">
          {items.map((each, at) => (
            <button
              key={idOf(each)}
              id={`${id}${idOf(each)}`}
              type="button"
              role="option"
              tabIndex={-1}
              aria-selected={at === index}
              className={at === index ? 'k-answer is-chosen' : 'k-answer'}
              onPointerDown={event => event.preventDefault()}
              onPointerEnter={() => setChosen(at)}
              onClick={() => onChoose(each)}
            >
              {draw(each)}
            </button>
          ))}
        </div>
        {preview && item && <div className="k-quick-preview">{preview(item)}</div>}
      </div>
      <p className="b-only-read" aria-live="polite">
        {item ? t('quick.at', { at: index + 1, of: items.length }) : ''}
      </p>
    </div>
  )
}

/** The field keeps the focus: it names what Enter takes, for who does not see the list. */
function useActiveOption(list: RefObject<HTMLElement | null>, listId: string, optionId: string | null) {
  useEffect(() => {
    const field = list.current?.closest('.k-composer')?.querySelector('textarea')
    if (!field || optionId === null) return
    const names = { 'aria-controls': listId, 'aria-activedescendant': optionId }
    for (const [name, id] of Object.entries(names)) field.setAttribute(name, id)
    return () => {
      for (const name of Object.keys(names)) field.removeAttribute(name)
    }
  }, [list, listId, optionId])
}
