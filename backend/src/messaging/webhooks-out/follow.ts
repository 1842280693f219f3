// Reads on in the live events, which are written with every change, and stores what of them is told. So nothing that changes anything
// knows of other programs, and no inbox waits for them (docs/decisions/0301).
import type { LiveEvent } from '@balcao/contract'
import { loadTickets } from '../../desk/tickets/present.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { runInTransaction } from '../../platform/database/transaction.ts'
import { crashAtFailPoint } from '../../platform/fail-point.ts'
import type { Cursor } from '../../platform/live/cursor.ts'
import { type LiveRow, readIgnoringForeignTransactions } from '../../platform/live/reader.ts'
import { describeEvents, type EventContext, type WebhookEvent } from './describe-events.ts'

const PAGE = 500

interface ReadingPosition extends Cursor {
  readonly connectionStates: Record<string, string>
}

/** Stores what happened since the last time, page by page; whether another process did so meanwhile changes nothing. */
export async function followLiveEvents(db: Db): Promise<void> {
  for (;;) {
    const from = await readPosition(db)
    const rows = from ? await readIgnoringForeignTransactions(db, from, PAGE) : []
    const last = rows.at(-1)
    if (!from || !last) return
    const described = await describeRows(db, rows, from.connectionStates)
    if (!(await storePage(db, from, last, described)) || rows.length < PAGE) return
  }
}

/** Begins with what happens from now on, unless somebody is told already. In the transaction that switches an address on. */
export async function beginFollowing(tx: Tx): Promise<void> {
  await getSql(tx)`
    insert into webhook_cursor as c (id, xid, event_id, connection_states)
    select 1, pg_snapshot_xmin(pg_current_snapshot()), 0,
      (select coalesce(jsonb_object_agg(id, status), '{}') from whatsapp where deleted_at is null)
    on conflict (id) do update set xid = excluded.xid, event_id = 0, connection_states = excluded.connection_states, missed_at = null
    where not exists (select 1 from webhook where active)`
}

/** Null while nobody is told. One that is ahead of every transaction is of another database: it begins with what happens now. */
async function readPosition(db: Db): Promise<ReadingPosition | null> {
  const sql = getSql(db)
  const [row] = await sql<(ReadingPosition & { isAhead: boolean })[]>`
    select c.xid::text as xid, c.event_id::float8 as id, c.connection_states as "connectionStates",
      c.xid > pg_snapshot_xmax(pg_current_snapshot()) as "isAhead"
    from webhook_cursor c where exists (select 1 from webhook where active)`
  if (!row?.isAhead) return row ? { ...row, connectionStates: { ...row.connectionStates } } : null
  await sql`update webhook_cursor set xid = pg_snapshot_xmin(pg_current_snapshot()), event_id = 0 where xid = ${row.xid}::xid8`
  return null
}

interface DescribedPage {
  readonly events: readonly (WebhookEvent & { readonly liveId: number })[]
  readonly connectionStates: Record<string, string>
}

async function describeRows(
  db: Db,
  rows: readonly LiveRow[],
  connectionStates: Record<string, string>,
): Promise<DescribedPage> {
  const wanted = await readWantedTypes(db)
  const parsed = rows.flatMap(row => (isTold(row) ? [{ row, event: readEvent(row) }] : []))
  const messages = parsed.flatMap(({ event }) =>
    event.event === 'appMessage' && event.action !== 'delete' ? event.message.ticketId : [],
  )
  const rated = parsed.flatMap(({ row: { audience } }) =>
    audience.to === 'ticket' && audience.before?.status === 'nps' ? audience.ticketId : [],
  )
  const views = await loadTickets(db, [...new Set(messages)])
  const tickets = new Map([...views].map(([id, { ticket }]) => [id, ticket]))
  const context: EventContext = { tickets, ratings: await loadRatings(db, rated), connectionStates, now: new Date() }
  const events = parsed.flatMap(({ row, event }) =>
    describeEvents(event, row.audience, context).map(one => ({ ...one, liveId: row.id })),
  )
  return { events: events.filter(({ type }) => wanted.has(type)), connectionStates }
}

const TOLD = /^\{"event":"(appMessage|ticket|contact|whatsappSession)"/

/** By their beginning: the others need not be parsed. */
function isTold({ payload }: LiveRow): boolean {
  return TOLD.test(payload)
}

function readEvent({ payload }: LiveRow): LiveEvent {
  return JSON.parse(payload)
}

/** What somebody wants to hear of. */
async function readWantedTypes(db: Db): Promise<ReadonlySet<string>> {
  const rows = await getSql(db)<{ type: string }[]>`
    select distinct unnest(events) as type from webhook where active`
  return new Set(rows.map(({ type }) => type))
}

async function loadRatings(db: Db, ticketIds: readonly number[]): Promise<EventContext['ratings']> {
  if (ticketIds.length === 0) return new Map()
  const rows = await getSql(db)<{ id: string; ticketId: number; rate: number }[]>`
    select distinct on (ticket_id) id, ticket_id as "ticketId", rate from rating
    where ticket_id = any(${[...ticketIds]}::int[]) order by ticket_id, id desc`
  return new Map(rows.map(row => [row.ticketId, row]))
}

/** Moves the position and stores the events, both or neither; nothing where another process was faster. */
function storePage(db: Db, from: ReadingPosition, last: LiveRow, page: DescribedPage): Promise<boolean> {
  return runInTransaction(db, async tx => {
    const sql = getSql(tx)
    // Whoever holds the cursor gives out the ids: a higher one is never there before a lower one.
    const moved = await sql`
      update webhook_cursor set xid = ${last.xid}::xid8, event_id = ${last.id},
        connection_states = ${JSON.stringify(page.connectionStates)}::text::jsonb
      where xid = ${from.xid}::xid8 and event_id = ${from.id}`
    if (moved.count === 0) return false
    crashAtFailPoint('webhook:followed')
    await sql`
      insert into webhook_event (type, key, lane, contact_id, connection_id, queue_id, data, happened_at)
      select e.type, e.key, e.lane, e."contactId", e."connectionId", e."queueId", e.data, coalesce(l.created_at, now())
      from jsonb_to_recordset(${JSON.stringify(page.events.map((event, at) => ({ ...event, at })))}::text::jsonb)
        as e(type text, key text, lane text, "contactId" int, "connectionId" int, "queueId" int, data jsonb, "liveId" bigint, at int)
        left join live_event l on l.id = e."liveId"
      order by e.at on conflict do nothing`
    crashAtFailPoint('webhook:before-commit')
    return true
  })
}
