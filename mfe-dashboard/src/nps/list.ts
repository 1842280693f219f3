// The ratings of a period as a list of rows, the newest first, and what its filters ask of the server.
import type { QueryParams, RatingEntry } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { toCompanyDay } from '@balcao/ui/i18n'
import { live } from '@balcao/ui/live'
import type { DayRange, LiveRowOptions, RowQuery } from '@balcao/ui/screens'

export type RatingRow = RatingEntry & { readonly version: number }

export interface NpsQuery extends RowQuery, DayRange {
  readonly queueId: number | null
  readonly userId: number | null
  readonly whatsappId: number | null
  /** From 1 to 3 alone. */
  readonly low: boolean
}

export const LOW = 3

/** The means of the list, which begins with a period. */
export function makeRatingOptions(period: DayRange): LiveRowOptions<RatingRow, NpsQuery> {
  return {
    start: { search: '', ...period, queueId: null, userId: null, whatsappId: null, low: false },
    order: (one, other) => other.createdAt.localeCompare(one.createdAt) || other.id - one.id,
    matches: ({ createdAt, rate, queue, user, whatsapp }, query) =>
      isWithin(toCompanyDay(createdAt), query) &&
      (!query.low || rate <= LOW) &&
      isOr(query.queueId, queue?.id) &&
      isOr(query.userId, user?.id) &&
      isOr(query.whatsappId, whatsapp.id),
    async page(query, cursor, signal) {
      const low = query.low ? { low: 'true' } : {}
      const request = { ...toSummaryQuery(query), ...low, ...(cursor === null ? {} : { cursor }) }
      const { entries, nextCursor } = await api('GET /ticketNPS', { query: request, signal })
      return { rows: entries.map(entry => ({ ...entry, version: 1 })), nextCursor }
    },
    events: () => () => {},
    reloads: onRatingChange,
  }
}

/** Whoever answers a survey ends the ticket with it: of a rating itself nothing is told. */
export function onRatingChange(again: () => void): () => void {
  return live.on('ticket', event => {
    if (event.action === 'delete' || event.ticket.status === 'closed' || event.ticket.status === 'nps') again()
  })
}

/** The filters as the server takes them (spec 3 §7). */
export function toSummaryQuery({
  from,
  to,
  queueId,
  userId,
  whatsappId,
}: NpsQuery): QueryParams<'GET /ticketNPS/summary'> {
  return {
    firstDate: from,
    lastDate: to,
    ...(queueId !== null && { queueId }),
    ...(userId !== null && { userId }),
    ...(whatsappId !== null && { whatsappId }),
  }
}

function isWithin(day: string, { from, to }: DayRange): boolean {
  return day >= from && day <= to
}

function isOr(wanted: number | null, id: number | undefined): boolean {
  return wanted === null || wanted === id
}
