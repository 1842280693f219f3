// The messages of a conversation in order, from some place on, as ranges of indexes (docs/decisions/0270).
import type { GalleryKind } from '@balcao/contract'
import type postgres from 'postgres'
import type { AccessContext } from '../../policy/access/ticket-facts.ts'
import type { SqlFragment } from '../../policy/access/visible-tickets.ts'
import { type Conversation, shownWithSql } from './conversation.ts'

/** A place in the order of messages: provider's time, then ticket, then number in the ticket. */
export interface MessagePosition {
  readonly at: string
  readonly ticketId: number
  readonly seq: number
}

export interface MessageRange {
  readonly to: 'older' | 'newer'
  /** Null: from the newest on. */
  readonly from: (MessagePosition & { readonly included?: boolean }) | null
  readonly limit: number
  readonly skip?: number
  /** Only what stands in that part of the gallery: a range of an index of the contact's, also where not all its tickets are shown. */
  readonly kind?: GalleryKind
}

/** The ids of these messages, the nearest first. */
export function messageRangeSql(sql: postgres.Sql, conversation: Conversation, range: MessageRange): SqlFragment {
  const { contactId, ticketIds, isWhole } = conversation
  const ids = sql`${[...ticketIds]}::int[]`
  return isWhole || range.kind
    ? rangesSql(sql, sql`select ${contactId}::int as contact_id, ${ids} as ids, null::int[] as parts`, range, {
        whole: true,
        parts: 0,
      })
    : rangesSql(sql, sql`select null::int as contact_id, null::int[] as ids, ${ids} as parts`, range, {
        whole: false,
        parts: roundUp(ticketIds.length),
      })
}

/** So many tickets are ranges of a statement that does not know yet which they are. */
const FEW = 4

/**
 * The same of the conversation a ticket belongs to, found in the same statement. None where some of its tickets are shown and more than a few:
 * how many ranges there are has to be known first.
 */
export function newestMessagesSql(
  sql: postgres.Sql,
  reader: AccessContext,
  ticketId: number,
  limit: number,
): SqlFragment {
  const source = sql`
    select case when shown.all then t.contact_id end as contact_id, shown.ids,
      case when not shown.all and cardinality(shown.ids) <= ${FEW} then shown.ids end as parts
    from ticket t cross join lateral (
      select array_agg(other.id) filter (where other.shown) as ids, bool_and(other.shown) as "all" from (
        select other.id, coalesce(${shownWithSql(sql, reader, 't', 'other')}, false) as shown
        from ticket other where other.contact_id = t.contact_id) other) shown
    where t.id = ${ticketId}`
  // Administrators are shown all, unless each ticket is by itself.
  const parts = reader.viewer.profile === 'admin' && !reader.settings.onlyTicketMsg ? 0 : FEW
  return rangesSql(sql, source, { to: 'older', from: null, limit }, { whole: true, parts })
}

/**
 * All tickets of a contact are one range of its index. Of some of them, each is a range of its own and Postgres merges their heads: nothing is
 * read of what is not shown, however much that is. `source` has the contact of the one range or the tickets of the others; of null there is none.
 */
function rangesSql(
  sql: postgres.Sql,
  source: SqlFragment,
  { to, from, limit, skip = 0, kind }: MessageRange,
  ranges: { readonly whole: boolean; readonly parts: number },
): SqlFragment {
  const most = limit + skip
  const than = to === 'newer' ? (from?.included ? sql`>=` : sql`>`) : sql`<`
  const behind = from ? sql`and (m.at, m.ticket_id, m.seq) ${than} (k.at, k.ticket_id, k.seq)` : sql``
  // As the indexes are made; otherwise Postgres would sort.
  const way = to === 'newer' ? sql`nulls first` : sql`desc nulls last`
  const whole = sql`(
    select m.id, m.at, m.ticket_id, m.seq from message m
    where m.contact_id = k.contact_id and m.ticket_id = any(k.ids) ${kind ? kindSql(sql, kind) : sql``} ${behind}
    order by m.at ${way}, m.ticket_id ${way}, m.seq ${way} limit k.most)`
  const places = Array.from({ length: ranges.parts }, (_, n) => n + 1)
  const parts = places.map(
    place => sql`(
    select m.id, m.at, m.ticket_id, m.seq from message m
    where m.ticket_id = k.parts[${place}::int] ${behind}
    order by m.at ${way}, m.seq ${way} limit k.most)`,
  )
  const [first = whole, ...rest] = ranges.whole ? [whole, ...parts] : parts
  const all = rest.reduce((before, each) => sql`${before} union all ${each}`, first)
  return sql`
    select page.id from (select s.*, ${most}::int as most, ${from?.at ?? null}::timestamptz as at, ${from?.ticketId ?? null}::int as ticket_id,
        ${from?.seq ?? null}::int as seq from (${source}) s) k
      cross join lateral (${all}) page
    order by page.at ${way}, page.ticket_id ${way}, page.seq ${way} limit ${limit} offset ${skip}`
}

/** Each number of ranges is a statement of its own that every connection keeps: so there are few. Those too many are of no ticket. */
function roundUp(tickets: number): number {
  return 4 ** Math.ceil(Math.log2(Math.max(1, tickets)) / 2)
}

/** Each is a partial index of the table; their conditions stand there word for word. */
function kindSql(sql: postgres.Sql, kind: GalleryKind) {
  switch (kind) {
    case 'media':
      return sql`and not m.is_deleted and m.media_id is not null and m.media_type in ('image', 'video')`
    case 'documents':
      // Also what came on a card: the bill of a payment.
      return sql`and not m.is_deleted and m.media_id is not null and (m.media_type = 'application'
        or (m.media_type not in ('image', 'video', 'sticker', 'audio') and m.media->>'mime' !~ '^(image|video)/'))`
    case 'audio':
      return sql`and not m.is_deleted and m.media_id is not null and m.media_type = 'audio'`
    case 'links':
      return sql`and not m.is_deleted and m.body ~ 'https?://' and m.media_type not in ('location', 'system')`
  }
}
