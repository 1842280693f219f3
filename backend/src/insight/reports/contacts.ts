// The contacts of a report: those with tickets opened in the period, who has most first. Everything is of these tickets.
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { openedTicketsSql, type ReportQuery } from './query.ts'

export interface ContactLine {
  readonly id: number
  readonly name: string
  readonly number: string | null
  readonly tickets: number
  /** Messages of the contact, and ours to it; neither notes of the team nor lines of the desk. */
  readonly received: number
  readonly sent: number
  /** The opening of the first of the tickets, and the last message of any. */
  readonly first: string
  readonly last: string
  readonly stars: number
  readonly ratings: number
}

const PAGE = 500

/** All of them, in pages of one cursor: a snapshot, sorted by the database on its disk. */
export async function* readContactPages(db: Db, which: ReportQuery): AsyncGenerator<readonly ContactLine[]> {
  const sql = getSql(db)
  const cursor = sql<Omit<ContactLine, keyof Counts>[]>`
    select o.contact_id as id, c.name, c.number, o.tickets, o.first, o.last from (
      select t.contact_id, count(*)::int as tickets, coalesce(min(t.created_at), now()) as first,
        coalesce(max(t.last_message_at), now()) as last
      from ticket t where ${openedTicketsSql(sql, which)} group by t.contact_id) o join contact c on c.id = o.contact_id
    order by o.tickets desc, o.contact_id`.cursor(PAGE)
  for await (const page of cursor) {
    const counts = await loadCounts(
      db,
      which,
      page.map(({ id }) => id),
    )
    yield page.map(contact => ({ ...contact, ...(counts.get(contact.id) ?? NONE) }))
  }
}

type Counts = Pick<ContactLine, 'received' | 'sent' | 'stars' | 'ratings'>
const NONE: Counts = { received: 0, sent: 0, stars: 0, ratings: 0 }

async function loadCounts(db: Db, which: ReportQuery, ids: readonly number[]): Promise<Map<number, Counts>> {
  const sql = getSql(db)
  const rows = await sql<(Counts & { id: number })[]>`
    select t.contact_id as id, coalesce(sum(m.received), 0)::int as received, coalesce(sum(m.sent), 0)::int as sent,
      coalesce(sum(r.stars), 0)::int as stars, coalesce(sum(r.ratings), 0)::int as ratings
    from ticket t
      left join lateral (
        select count(*) filter (where not from_me) as received, count(*) filter (where from_me) as sent
        from message where ticket_id = t.id and media_type not in ('system', 'comment')) m on true
      left join lateral (select sum(rate) as stars, count(*) as ratings from rating where ticket_id = t.id) r on true
    where t.contact_id = any(${[...ids]}::int[]) and ${openedTicketsSql(sql, which)} group by t.contact_id`
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}
