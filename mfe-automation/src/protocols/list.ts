// Protocols as a list of rows: newest first, found as the server finds them.
import type { Protocol } from '@balcao/contract'
import { extractDigits } from '@balcao/contract/contacts/phone'
import { LIMITS } from '@balcao/contract/kit/limits'
import { foldText } from '@balcao/contract/kit/search'
import { api } from '@balcao/ui/api'
import { type LiveRowOptions, type RowQuery, subscribeToRows } from '@balcao/ui/screens'

/** By their numbers, which begin with the day. */
export function compareNewestFirst(one: Protocol, other: Protocol): number {
  if (one.protocolo === other.protocolo) return 0
  return one.protocolo < other.protocolo ? 1 : -1
}

/** By the beginning of the number, its running number, the ticket, the details, name and number of the contact. */
export function isProtocolMatch({ id, ticketId, protocolo, mensagem, contact }: Protocol, query: RowQuery): boolean {
  const search = getSearchText(query)
  if (search === undefined) return true
  const digits = extractDigits(search)
  const isNumber = /^#?\s*\d{1,9}$/.test(search)
  return (
    protocolo.startsWith(search) ||
    [mensagem, contact.name].some(text => foldText(text).includes(foldText(search))) ||
    (digits.length >= LIMITS.searchMinimum && contact.number?.includes(digits) === true) ||
    (isNumber && [id, ticketId].includes(Number(digits)))
  )
}

/** What is looked for; nothing below three characters (spec 1 §5). */
function getSearchText({ search }: RowQuery): string | undefined {
  return [...search].length < LIMITS.searchMinimum ? undefined : search
}

export const PROTOCOLS: LiveRowOptions<Protocol, RowQuery> = {
  start: { search: '' },
  order: compareNewestFirst,
  matches: isProtocolMatch,
  async page(query, cursor, signal) {
    const request = { searchParam: getSearchText(query), cursor: cursor ?? undefined }
    const { protocolos, ...end } = await api('GET /protocolos', { query: request, signal })
    return { rows: protocolos, ...end, isCapped: end.hasMore && end.count === LIMITS.counted }
  },
  events: subscribeToRows('protocolo'),
}
