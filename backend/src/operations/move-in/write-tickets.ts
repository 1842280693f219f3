// Tickets of the other desk. All come closed: nobody who wrote there is answered, swept or asked to wait by this desk, and whoever writes
// again opens a ticket beside the history. They keep their times, and their periods as far as they are known, so that figures of the past
// are true.
import { tags } from '../../desk/tags/table.ts'
import type { Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { findLinks, lockContacts } from './links.ts'
import type { TicketRecord } from './records.ts'
import { contactStep, tagContacts } from './write-contacts.ts'
import { connectionStep, queueStep } from './write-team.ts'
import { bringBack, createLinkedStep, type MoveInWriting, type StagedEntry } from './writing.ts'

/** What stands beside a ticket: its acceptance and resolving, and when its messages were written. */
interface TicketEdges {
  readonly acceptedAt: string | null
  readonly closedAt: string | null
  readonly firstAt: string | null
  readonly lastAt: string | null
  readonly repliedAt: string | null
}

interface PlacedTicket {
  readonly key: string
  readonly id: number
  readonly contactId: number
  readonly whatsappId: number
  readonly queueId: number | null
  readonly userId: number | null
  readonly isGroup: boolean
  readonly isOpen: boolean
  readonly labels: readonly string[]
  readonly createdAt: string
  readonly acceptedAt: string | null
  readonly closedAt: string
}

export const ticketStep = createLinkedStep('ticket', async (tx, writing, rows) => {
  const placed = await placeTickets(tx, writing, rows)
  if (placed.length === 0) return []
  await insertTickets(tx, placed)
  await insertSpans(tx, placed)
  await tagTickets(tx, writing, placed)
  return placed.map(({ key, id }) => ({ key, ownId: id, isNew: true }))
})

/** Those whose contact came, with all that they name as it is here: what was deleted since is needed again. */
async function placeTickets(
  tx: Tx,
  writing: MoveInWriting,
  rows: readonly StagedEntry<'ticket'>[],
): Promise<PlacedTicket[]> {
  const list = (kind: 'contact' | 'connection' | 'queue' | 'user') => rows.map(({ record }) => record[kind])
  await bringBack(tx, writing, connectionStep, list('connection'))
  await bringBack(tx, writing, queueStep, list('queue'))
  await bringBack(tx, writing, contactStep, list('contact'))
  const contacts = await lockContacts(tx, writing, list('contact'))
  const [connections, queues, users] = [
    await findLinks(tx, writing, 'connection', list('connection')),
    await findLinks(tx, writing, 'queue', list('queue')),
    await findLinks(tx, writing, 'user', list('user')),
  ]
  const coming = rows.filter(({ record }) => contacts.has(record.contact))
  const edges = await findEdges(tx, writing, coming)
  const ids = toIds(
    await getSql(tx)<{ id: number }[]>`
    select nextval(pg_get_serial_sequence('ticket', 'id'))::int as id from generate_series(1, ${coming.length}::int)`,
  )
  return coming.map(({ key, record }, at) => ({
    ...{ key, id: ids[at] ?? 0, isGroup: record.isGroup, isOpen: record.isOpen, labels: record.labels },
    contactId: contacts.get(record.contact) ?? 0,
    whatsappId: connections.get(record.connection ?? '') ?? writing.connectionId,
    queueId: queues.get(record.queue ?? '') ?? null,
    userId: users.get(record.user ?? '') ?? null,
    ...chooseTimes(record, edges.get(key)),
  }))
}

async function findEdges(
  tx: Tx,
  { id }: MoveInWriting,
  rows: readonly StagedEntry<'ticket'>[],
): Promise<Map<string, TicketEdges>> {
  const found = await getSql(tx)<(TicketEdges & { key: string | null })[]>`
    select t.key,
      (select min(s.record->>'acceptedAt') from move_in_row s
        where s.move_in_id = ${id} and s.kind = 'service' and s.key > t.key || ':' and s.key < t.key || ';') as "acceptedAt",
      (select max(s.record->>'closedAt') from move_in_row s
        where s.move_in_id = ${id} and s.kind = 'service' and s.key > t.key || ':' and s.key < t.key || ';') as "closedAt",
      (select m.record->>'at' from move_in_row m
        where m.move_in_id = ${id} and m.kind = 'message' and m.key > t.key || ':00000000000001' and m.key < t.key || ';' order by m.key limit 1) as "firstAt",
      (select m.record->>'at' from move_in_row m
        where m.move_in_id = ${id} and m.kind = 'message' and m.key > t.key || ':' and m.key < t.key || ';' order by m.key desc limit 1) as "lastAt",
      (select m.record->>'at' from move_in_row m
        where m.move_in_id = ${id} and m.kind = 'message' and m.key > t.key || ':' and m.key < t.key || ';' and m.record->>'fromMe' = 'true'
          and m.record->>'at' is not null order by m.key limit 1) as "repliedAt"
    from unnest(${rows.map(({ key }) => key)}::text[]) as t(key)`
  return new Map(found.map(({ key, ...edges }) => [key ?? '', edges]))
}

/** In an order in which they can have happened: opened, accepted, closed. One that was live there ended with its last word. */
export function chooseTimes(
  record: Pick<TicketRecord, 'createdAt' | 'updatedAt' | 'acceptedAt' | 'isOpen' | 'user'>,
  edges: TicketEdges | undefined,
): Pick<PlacedTicket, 'createdAt' | 'acceptedAt' | 'closedAt'> {
  const { firstAt, lastAt, repliedAt } = edges ?? {}
  const createdAt = record.createdAt ?? firstAt ?? record.updatedAt ?? new Date().toISOString()
  const ended = record.isOpen ? (lastAt ?? record.updatedAt) : (edges?.closedAt ?? record.updatedAt ?? lastAt)
  const closedAt = latest(createdAt, ended ?? createdAt)
  const accepted = record.acceptedAt ?? edges?.acceptedAt ?? (record.user === null ? null : repliedAt)
  const acceptedAt = accepted == null ? null : earliest(latest(createdAt, accepted), closedAt)
  return { createdAt, acceptedAt, closedAt }
}

/** ISO texts sort as their instants do. */
function latest(one: string, other: string): string {
  return one > other ? one : other
}

function earliest(one: string, other: string): string {
  return one < other ? one : other
}

async function insertTickets(tx: Tx, placed: readonly PlacedTicket[]): Promise<void> {
  await getSql(tx)`
    insert into ticket (id, status, contact_id, whatsapp_id, queue_id, user_id, is_group, last_message_at, created_at, updated_at, accepted_at, closed_at)
      overriding system value
    select x.id, 'closed', x."contactId", x."whatsappId", x."queueId", x."userId", x."isGroup", x."closedAt", x."createdAt", x."closedAt", x."acceptedAt", x."closedAt"
    from jsonb_to_recordset(${JSON.stringify(placed)}::text::jsonb) as x(id int, "contactId" int, "whatsappId" int, "queueId" int, "userId" int,
      "isGroup" boolean, "createdAt" timestamptz, "acceptedAt" timestamptz, "closedAt" timestamptz)`
}

/** Waiting, served, closed; and what these add up to. */
async function insertSpans(tx: Tx, placed: readonly PlacedTicket[]): Promise<void> {
  const sql = getSql(tx)
  const spans = placed.flatMap(({ id, queueId, userId, createdAt, acceptedAt, closedAt }) => [
    { id, status: 'pending', queueId, userId: null, begunAt: createdAt, endedAt: acceptedAt ?? closedAt },
    ...(acceptedAt === null ? [] : [{ id, status: 'open', queueId, userId, begunAt: acceptedAt, endedAt: closedAt }]),
    { id, status: 'closed', queueId, userId, begunAt: closedAt, endedAt: closedAt },
  ])
  // Whoever lays another calendar waits for who counts by this one.
  await sql`select pg_advisory_xact_lock_shared(hashtext('work_span'))`
  await sql`
    insert into ticket_span (ticket_id, status, queue_id, user_id, begun_at, begun_work, ended_at, ended_work)
    select x.id, x.status, x."queueId", x."userId", x."begunAt", work_at(x."begunAt"), x."endedAt", work_at(x."endedAt")
    from jsonb_to_recordset(${JSON.stringify(spans.map((span, n) => ({ ...span, n })))}::text::jsonb)
      as x(n int, id int, status text, "queueId" int, "userId" int, "begunAt" timestamptz, "endedAt" timestamptz) order by x.n`
  await sql`
    insert into ticket_figure (span_id, ticket_id, kind, at, queue_id, user_id, whatsapp_id, work)
    select f.span_id, t.id, f.kind, f.at, f.queue_id, f.user_id, t.whatsapp_id, f.work
    from ticket t cross join lateral ticket_figures_of(t.id) f where t.id = any(${placed.map(({ id }) => id)}::int[])`
}

/** The tags it had, and one that finds those who were still being served. */
async function tagTickets(tx: Tx, writing: MoveInWriting, placed: readonly PlacedTicket[]): Promise<void> {
  const { openTagId } = writing
  const isLabelled = placed.some(({ labels }) => labels.length > 0)
  const own = isLabelled ? await tx.select({ id: tags.id, name: tags.name }).from(tags) : []
  const ids = new Map(own.map(({ id, name }) => [name.toLowerCase(), id]))
  const pairs = placed.flatMap(({ contactId: other, labels, isOpen }) => [
    ...labels.flatMap(label => ids.get(label.toLowerCase()) ?? []).map(one => ({ one, other })),
    ...(isOpen && openTagId !== null ? [{ one: openTagId, other }] : []),
  ])
  await tagContacts(tx, writing, pairs)
}
