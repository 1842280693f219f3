// What is asked of the server: a period at the end of the text is read, and with one, a kind, an author or a status messages are wanted.
import type { QueryParams } from '@balcao/contract'
import { parsePeriodWords } from '@balcao/contract/calendar/period-words'
import { LIMITS } from '@balcao/contract/kit/limits'
import { foldText } from '@balcao/contract/kit/search'
import { NOTHING, type SearchRequest, search } from './search-store.ts'

/** Phrases that nobody looks for as words: they narrow without being picked. Others are offered. */
const PERIODS = /passad|pasad|last|past|ultim|est[ae] (?:semana|mes|ano)|this/
const MOST_WORDS = 7

/** Where a period stands at the end of a text, and which; the longest one. */
export function findPeriod(text: string, timezone: string) {
  const words = text.trim().split(/\s+/)
  for (let from = Math.max(0, words.length - MOST_WORDS); from < words.length; from++) {
    const phrase = words.slice(from).join(' ')
    const period = parsePeriodWords(phrase, new Date(), timezone)
    if (period) return { rest: words.slice(0, from).join(' '), period: { ...period, words: phrase } }
  }
  return null
}

/** The question with the period that its text ends with. */
export function readPeriod(request: SearchRequest, timezone: string): SearchRequest {
  if (request.period || request.plain || request.text.includes('"')) return request
  const found = findPeriod(request.text, timezone)
  return found && PERIODS.test(foldText(found.period.words))
    ? { ...request, text: found.rest, period: found.period }
    : request
}

/** Empties everything but the text in the field above the lists. */
export function clearFilters() {
  search.asked = { ...NOTHING, text: search.asked.text }
}

/** Whether there is something to look for, and every text is long enough for it (spec 1 §5). */
export function checkSearch(request: SearchRequest): 'nothing' | 'short' | 'ready' {
  const texts = [request.text, request.message, request.contact].map(text => [...text.trim()].length)
  if (texts.some(length => length > 0 && length < LIMITS.searchMinimum)) return 'short'
  const chosen =
    request.queueIds.length > 0 || request.userIds.length > 0 || request.tagId !== null || isMessageSearch(request)
  return chosen || texts.some(length => length > 0) ? 'ready' : 'nothing'
}

/** The question as the server takes it (spec 1 §7). */
export function toSearchQuery(request: SearchRequest): Omit<QueryParams<'GET /tickets/filter'>, 'status'> {
  const { queueIds, userIds, tagId } = request
  const [text, message, contact] = [request.text.trim(), request.message.trim(), request.contact.trim()]
  return {
    showAll: request.showAll ? 'true' : 'false',
    ...(text === '' ? {} : { searchParam: text }),
    ...(message === '' ? {} : { searchMessage: message }),
    ...(contact === '' ? {} : { searchContact: contact }),
    ...(queueIds.length === 0 ? {} : { queueIds: JSON.stringify(queueIds) }),
    ...(userIds.length === 0 ? {} : { searchUser: JSON.stringify(userIds) }),
    ...(tagId === null ? {} : { searchTag: String(tagId) }),
  }
}

export function toSearchKey(request: SearchRequest): string {
  return JSON.stringify(toMessageQuery(request))
}

/** Whether messages are wanted, one by one, and not conversations. */
export function isMessageSearch({ period, kind, author, status }: SearchRequest): boolean {
  return period !== null || kind !== null || author !== null || status !== null
}

/** The question about messages. */
export function toMessageQuery(request: SearchRequest): QueryParams<'GET /tickets/messages'> {
  const { period, kind, author, status } = request
  return {
    ...toSearchQuery(request),
    ...(status ? { status } : {}),
    ...(period ? { firstDate: period.from, lastDate: period.to } : {}),
    ...(kind ? { kind } : {}),
    ...(author ? { writtenBy: String(author.id) } : {}),
  }
}
