// Under the field: what is chosen, each with a way back, and what the letters typed so far may mean. Down leads here, then to what was found.
import { usePeople } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { useSetting } from '@balcao/ui/session'
import { X } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { useSnapshot } from 'valtio'
import { formatPeriod } from './format-period.ts'
import { focusSearchField } from './search-field.ts'
import { ask, type SearchRequest, search } from './search-store.ts'
import { listSuggestions, type Suggestion } from './suggestions.ts'

/** `request` is what is asked for, with a period that its text ends with. */
export function SearchChips({ request }: { readonly request: SearchRequest }) {
  const t = useTexts('tickets')
  const hasOwnPeriod = useSnapshot(search).asked.period !== null
  const timezone = useSetting('timezone')
  const people = usePeople().last ?? []
  const { period, kind, author, status } = request
  const chosen: Suggestion[] = [
    ...(period
      ? [{ label: formatPeriod(period), change: hasOwnPeriod ? { period: null } : { plain: period.words } }]
      : []),
    ...(kind ? [{ label: t(`search.kinds.${kind}`), change: { kind: null } }] : []),
    ...(author ? [{ label: author.name, change: { author: null } }] : []),
    ...(status ? [{ label: t(`search.statuses.${status}`), change: { status: null } }] : []),
  ]
  const offered = listSuggestions(request, { t, timezone, people })
  if (chosen.length + offered.length === 0) return null
  const apply = (change: Partial<SearchRequest>) => {
    ask(change)
    focusSearchField()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: no fields of a form
    <div className="f-chips" role="group" aria-label={t('search.narrow')} onKeyDown={step}>
      {chosen.map(({ label, change }) => (
        <button key={label} type="button" className="is-chosen" onClick={() => apply(change)}>
          {label}
          <X size={14} strokeWidth={2} aria-hidden="true" />
          <span className="b-only-read">{t('search.drop')}</span>
        </button>
      ))}
      {offered.map(({ label, change }) => (
        <button key={label} type="button" data-offered="" onClick={() => apply(change)}>
          {label}
        </button>
      ))}
    </div>
  )
}

function step(event: KeyboardEvent<HTMLElement>) {
  const chips = [...event.currentTarget.querySelectorAll('button')]
  const now = chips.findIndex(chip => chip.matches(':focus'))
  const rows = event.currentTarget.closest('.t-pane')?.querySelector<HTMLElement>('[role=listbox]')
  const steps = new Map<string, () => void>([
    ['ArrowRight', () => chips[now + 1]?.focus()],
    ['ArrowLeft', () => chips[now - 1]?.focus()],
    ['ArrowDown', () => rows?.focus()],
    ['ArrowUp', focusSearchField],
    ['Escape', focusSearchField],
  ])
  const go = steps.get(event.key)
  if (!go) return
  event.preventDefault()
  event.stopPropagation()
  go()
}
