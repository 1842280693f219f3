// What the letters typed so far may mean besides words: a period, a kind of message, who wrote it, a status.

import { parsePeriodWords } from '@balcao/contract/calendar/period-words'
import { foldText } from '@balcao/contract/kit/search'
import { SEARCH_KINDS } from '@balcao/contract/messages/search-kinds'
import { findPeriod } from './search-request.ts'
import type { SearchRequest } from './search-store.ts'

export const STATUSES = ['pending', 'open', 'paused', 'closed'] as const
const PERIODS = ['today', 'yesterday', 'lastWeek', 'lastMonth'] as const
/** With what is chosen: two rows of a narrow list. */
const MOST = 6
const FEWEST_LETTERS = 3
const FROM = /^(?:de|do|da|from|by) /

export interface Suggestion {
  readonly label: string
  readonly change: Partial<SearchRequest>
}

interface SuggestionWords {
  readonly t: (key: string, params?: Record<string, string>) => string
  readonly timezone: string
  readonly people: readonly { readonly id: number; readonly name: string }[]
}

/** Of an empty text the most usual ones; what is chosen already is not offered. */
export function listSuggestions(request: SearchRequest, words: SuggestionWords): Suggestion[] {
  const all = listAll(request, words).filter(({ change }) =>
    Object.keys(change).every(name => name === 'text' || request[name as keyof SearchRequest] === null),
  )
  const chosen = [request.period, request.kind, request.author, request.status].filter(each => each !== null)
  return all.slice(0, MOST - chosen.length)
}

function listAll({ text }: SearchRequest, { t, timezone, people }: SuggestionWords): Suggestion[] {
  const period = (phrase: string) => {
    const days = parsePeriodWords(phrase, new Date(), timezone)
    return days ? [{ label: phrase, change: { period: { ...days, words: phrase } } }] : []
  }
  const named: Suggestion[] = [
    ...PERIODS.flatMap(name => period(t(`search.periods.${name}`))),
    ...SEARCH_KINDS.map(kind => ({ label: t(`search.kinds.${kind}`), change: { kind } })),
  ]
  if (text.trim() === '')
    return [
      ...named.slice(1, 4),
      ...named.filter(({ change }) => change.kind && ['photo', 'document', 'audio'].includes(change.kind)),
    ]
  const found = findPeriod(text, timezone)
  const authors: Suggestion[] = [
    { label: t('search.fromContacts'), change: { author: { id: 'contact', name: t('search.fromContacts') } } },
    ...people.map(({ id, name }) => ({
      label: t('search.from', { name: name.split(' ')[0] ?? name }),
      change: { author: { id, name: t('search.from', { name }) } },
    })),
  ]
  const statuses = STATUSES.map(status => ({ label: t(`search.statuses.${status}`), change: { status } }))
  return [
    ...(found ? [{ label: found.period.words, change: { text: found.rest, period: found.period } }] : []),
    ...[...named, ...authors, ...statuses].flatMap(each => complete(text, each)),
  ].filter((each, index, all) => all.findIndex(other => other.label === each.label) === index)
}

/** The suggestion without the letters that it completes: one to three words at the end of the text. */
function complete(text: string, { label, change }: Suggestion): Suggestion[] {
  const words = text.trim().split(/\s+/)
  for (let count = Math.min(3, words.length); count > 0; count--) {
    const typed = foldText(words.slice(-count).join(' '))
    const whole = foldText(label)
    const isBegun = [whole, whole.replace(FROM, '')].some(each => each.startsWith(typed))
    if (typed.replace(FROM, '').length >= FEWEST_LETTERS && isBegun)
      return [{ label, change: { ...change, text: words.slice(0, -count).join(' ') } }]
  }
  return []
}
