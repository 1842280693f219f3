// The conversations of one contact in a period, ticket by ticket, read in batches behind the last message: what the asker may see,
// and never what the team said among itself.
import type { Message } from '@balcao/contract'
import { loadMessages } from '../../desk/messages/present.ts'
import type { Db } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { toAccessContext, visibleRowsSql } from '../../policy/access/report-scope.ts'
import type { ReportQuery } from './query.ts'

/** A ticket of the report, as its heading says. */
export interface ConversationTicket {
  readonly id: number
  readonly queue: string | null
  readonly person: string | null
  readonly createdAt: string
  readonly closedAt: string | null
}

export interface MessageBatch {
  readonly ticket: ConversationTicket
  /** Of one ticket, in their order; the first batch of a ticket begins it. */
  readonly messages: readonly Message[]
  readonly isFirst: boolean
}

const TICKETS = 200
const MESSAGES = 500

/** How many messages it holds; `most`: where counting stops. */
export async function countConversationMessages(db: Db, which: ReportQuery, most?: number): Promise<number> {
  const sql = getSql(db)
  const { contactId, period } = which
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from (
      select m.id from message m join ticket t on t.id = m.ticket_id
      where m.contact_id = ${contactId} and m.at >= ${period.from}::timestamptz and m.at < ${period.until}::timestamptz
        and m.media_type <> 'comment' and ${visibleRowsSql(sql, which, 't')}
      limit ${most ?? null}) found`
  return row?.n ?? 0
}

/** All of it, the oldest ticket first. */
export async function* readConversation(db: Db, which: ReportQuery): AsyncGenerator<MessageBatch> {
  for (let after = 0; ; ) {
    const tickets = await loadTicketPage(db, which, after)
    for (const ticket of tickets) yield* readTicketBatches(db, which, ticket)
    const last = tickets.at(-1)
    if (!last || tickets.length < TICKETS) return
    after = last.id
  }
}

async function loadTicketPage(db: Db, which: ReportQuery, after: number): Promise<ConversationTicket[]> {
  const sql = getSql(db)
  const { contactId, period } = which
  return sql<ConversationTicket[]>`
    select t.id, coalesce(q.name, past.name) as queue, u.name as person, t.created_at as "createdAt", t.closed_at as "closedAt"
    from ticket t left join queue q on q.id = t.queue_id left join past_queue past on past.id = t.queue_id left join "user" u on u.id = t.user_id
    where t.contact_id = ${contactId} and t.id > ${after} and ${visibleRowsSql(sql, which, 't')}
      and exists (select 1 from message m where m.ticket_id = t.id and m.at >= ${period.from}::timestamptz
        and m.at < ${period.until}::timestamptz and m.media_type <> 'comment')
    order by t.id limit ${TICKETS}`
}

async function* readTicketBatches(
  db: Db,
  which: ReportQuery,
  ticket: ConversationTicket,
): AsyncGenerator<MessageBatch> {
  const sql = getSql(db)
  const { from, until } = which.period
  let after = { at: from, seq: 0 }
  for (let isFirst = true; ; isFirst = false) {
    const rows = await sql<{ id: string; at: string; seq: number }[]>`
      select m.id, m.at, m.seq from message m
      where m.ticket_id = ${ticket.id} and (m.at, m.seq) > (${after.at}::timestamptz, ${after.seq}::int)
        and m.at < ${until}::timestamptz and m.media_type <> 'comment'
      order by m.at nulls first, m.seq nulls first limit ${MESSAGES}`
    if (rows.length > 0)
      yield { ticket, isFirst, messages: await loadMessages(db, toIds(rows), toAccessContext(which)) }
    const last = rows.at(-1)
    if (!last || rows.length < MESSAGES) return
    after = last
  }
}
