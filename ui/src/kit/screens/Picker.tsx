import { sortByMatch } from '@balcao/contract/kit/name-match'
import { useQuery } from '@balcao/ui/ask'
import { findCatalogueText } from '@balcao/ui/catalogue'
import { Chip, IconButton, joinClasses, TextInput, useFieldIds } from '@balcao/ui/parts'
import { Search, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { isComposing } from '../../actions/composing.ts'
import { useKitTexts } from './texts.ts'
import { useEarlyPicks } from './use-early-picks.ts'

/** How long the typing rests before it is looked for. */
const REST_MS = 250

/** Something that can be picked: a contact, a person. */
export interface Pick {
  readonly id: number
  readonly name: string
  readonly note?: string
  readonly before?: ReactNode
}

/** The answer to what is too short to be searched: not that there is nobody. */
export const TOO_SHORT: readonly Pick[] = []

interface PickerProps {
  readonly value: readonly Pick[]
  readonly onChange: (value: readonly Pick[]) => void
  readonly find: (search: string, signal: AbortSignal) => Promise<readonly Pick[]>
  /** More than one. */
  readonly many?: boolean
  readonly placeholder?: string
}

/** Picks among more than a list could hold: types, looks through what is found with the arrows, takes it with Enter. Inside of a `Field`. */
export function Picker({ value, onChange, find: ask, many, placeholder }: PickerProps) {
  const kit = useKitTexts()
  const box = useRef<HTMLDivElement>(null)
  const list = useId()
  const ids = useFieldIds()
  const [typed, type] = useState('')
  const [at, setAt] = useState(0)
  const [missed, setMissed] = useState<string | null>(null)
  const [isMissShort, setMissShort] = useState(false)
  const [hasFocus, setFocus] = useState(false)
  const [isHeld, setHeld] = useState(false)
  const search = typed.trim()
  const find = async (text: string, signal: AbortSignal) =>
    sortByMatch(await ask(text, signal), text, ({ name }) => name)
  const { now: found, error } = useQuery(search || null, signal => find(search, signal), { waitMs: REST_MS })
  const failed = error !== null
  const listOffered = (list: readonly Pick[]) => list.filter(({ id }) => !value.some(one => one.id === id))
  const offered = listOffered(found ?? [])
  const isOpen = found !== null && hasFocus
  const { waiting, add } = useEarlyPicks<Pick>(box, {
    find,
    take(list) {
      const [first] = listOffered(list)
      setMissShort(list === TOO_SHORT)
      if (first) onChange(many ? [...value, first] : [first])
      return first !== undefined
    },
    miss(text) {
      type(now => now || text)
      setMissed(text)
    },
  })
  const isFull = !many && value.length + waiting.length > 0
  useEffect(() => {
    const isElsewhere = document.activeElement?.matches('input, textarea')
    if (missed !== null && !isElsewhere) box.current?.querySelector('input')?.focus()
  }, [missed])

  // Whoever sends the form thinks that what is written here is chosen.
  const isWritten = search !== ''
  useEffect(() => {
    const form = box.current?.closest('form')
    if (!isWritten || !form) return
    function hold(event: SubmitEvent) {
      event.preventDefault()
      event.stopPropagation()
      setHeld(true)
      box.current?.querySelector('input')?.focus()
    }
    form.addEventListener('submit', hold, true)
    return () => form.removeEventListener('submit', hold, true)
  }, [isWritten])

  const isMissed = missed !== null && missed !== search
  const tooShort = findCatalogueText('call.searchLength')
  const none = found === TOO_SHORT ? tooShort : kit('pick.none')
  const isWrong = failed || isHeld || isMissed || (isOpen && offered.length === 0)

  function clear() {
    type('')
    setHeld(false)
  }
  function take(pick: Pick | undefined) {
    if (!pick) return
    flushSync(() => {
      onChange(many ? [...value, pick] : [pick])
      clear()
    })
    // The field is gone: the focus is on what was picked, where a second Enter does nothing.
    if (!many) box.current?.querySelector('li')?.focus()
  }
  function drop(id: number) {
    flushSync(() => onChange(value.filter(other => other.id !== id)))
    box.current?.querySelector('input')?.focus()
  }
  /** Enter before anybody is found: the name is taken as it is, and the field is free for the next one. */
  function takeEarly() {
    flushSync(() => {
      add(search)
      clear()
    })
    if (!many) box.current?.focus()
  }
  function key(event: KeyboardEvent) {
    if (isComposing(event.nativeEvent)) return
    const last = value.at(-1)
    if (event.key === 'Backspace' && typed === '' && last && waiting.length === 0) onChange(value.slice(0, -1))
    if (!isOpen && (event.key !== 'Enter' || search === '')) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setAt((at + step + offered.length) % Math.max(1, offered.length))
    else if (event.key === 'Enter' && isOpen) take(offered[at])
    else if (event.key === 'Enter') takeEarly()
    else if (event.key === 'Escape') clear()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div ref={box} tabIndex={-1} className="relative grid gap-1.5 outline-none">
      {value.length + waiting.length > 0 && (
        <ul className="m-0 flex list-none flex-wrap gap-1.5 p-0">
          {value.map(({ id, name }) => (
            <li key={id} tabIndex={-1} className="flex items-center rounded-tag">
              <Chip>{name}</Chip>
              <IconButton icon={X} size="small" label={kit('rows.drop', { name })} onClick={() => drop(id)} />
            </li>
          ))}
          {waiting.map(({ id, text }) => (
            <li key={`early-${id}`} aria-busy="true">
              <Chip icon={Search} className="text-muted">
                {text}
              </Chip>
            </li>
          ))}
        </ul>
      )}
      {!isFull && (
        <TextInput
          {...ids}
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && offered[at] ? `${list}-${offered[at].id}` : undefined}
          autoComplete="off"
          before={<Search size={16} aria-hidden="true" />}
          placeholder={placeholder ?? kit('pick.search')}
          value={typed}
          onChange={text => {
            type(text)
            setAt(0)
            setMissed(null)
            setHeld(false)
          }}
          onKeyDown={key}
          onFocus={() => setFocus(true)}
          onBlur={() => setFocus(false)}
        />
      )}
      {isOpen && (
        <div
          id={list}
          role="listbox"
          aria-label={kit('pick.found')}
          className="absolute inset-x-0 top-full z-10 mt-1 max-h-64 overflow-y-auto rounded-card border border-line bg-raised p-1 shadow-2"
        >
          {offered.map((pick, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the option
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field hears the keys
            <div
              key={pick.id}
              id={`${list}-${pick.id}`}
              role="option"
              aria-selected={index === at}
              className={joinClasses(
                'flex min-h-9.5 items-center gap-2.5 rounded-item px-2.5 text-cell',
                index === at && 'bg-primary-tint',
              )}
              onPointerDown={event => event.preventDefault()}
              onClick={() => take(pick)}
            >
              {pick.before}
              <bdi className="min-w-0 flex-1 truncate">{pick.name}</bdi>
              {pick.note && <span className="text-muted">{pick.note}</span>}
            </div>
          ))}
        </div>
      )}
      <span className={joinClasses(!isWrong && 'b-only-read', 'text-small text-muted')} role="status">
        {failed
          ? kit('pick.failed')
          : isMissed
            ? `${missed}: ${isMissShort ? tooShort : kit('pick.none')}`
            : isHeld
              ? kit('pick.held')
              : isOpen && (offered.length === 0 ? none : kit('pick.count', { count: offered.length }))}
      </span>
    </div>
  )
}
