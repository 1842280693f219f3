// What a connection takes of sends: the one that is meant, how many messages a day, and how many there were today (decisions §15).
import { type DailyQuota, getCapabilities, getDaySpan, isLinkedDevice, type Settings } from '@balcao/contract'
import { and, asc, eq, isNull } from 'drizzle-orm'
import type postgres from 'postgres'
import { connections } from '../../desk/connections/table.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'

const { id, api, name, status, dailyCap, numberSince } = connections
const SHOWN = { id, api, name, status, dailyCap, numberSince }

/** The connection a send goes out by: this one, or the default where none is named; none where it was deleted. */
export async function findSendConnection(db: Db | Tx, whatsappId: number | null) {
  const wanted = whatsappId === null ? connections.isDefault : eq(connections.id, whatsappId)
  const [found] = await db
    .select(SHOWN)
    .from(connections)
    .where(and(wanted, isNull(connections.deletedAt)))
    .orderBy(asc(connections.id))
    .limit(1)
  return found
}

/** Nobody changes it until the transaction is over: to be asked before any send or scheduled send is locked (docs/decisions/0153). */
export async function lockConnection(tx: Tx, whatsappId: number): Promise<void> {
  await getSql(tx)`select 1 from whatsapp where id = ${whatsappId} for no key update`
}

export type SendConnection = NonNullable<Awaited<ReturnType<typeof findSendConnection>>>

/** How much it takes in a day: its own number, or the setting's; over the official API as much as there is, unless it has its own. */
export function computeQuota(connection: SendConnection, { dailyCap: usual, timezone }: Settings): DailyQuota {
  const isUnofficial = isLinkedDevice(getCapabilities(connection.api))
  const since = isUnofficial && connection.numberSince ? new Date(connection.numberSince) : null
  return { perDay: connection.dailyCap ?? (isUnofficial ? usual : null), numberSince: since, timezone }
}

/** How many messages of sends a connection was handed in the company's day of an instant, also to who is deleted meanwhile. */
export async function countSentOnDay(db: Db | Tx, whatsappId: number, at: Date, timezone: string): Promise<number> {
  const sql = getSql(db)
  const day = getDaySpan(at, timezone)
  const [row] = await sql<{ count: number }[]>`
    select greatest(${stillThere(sql, whatsappId, day)},
      (select day_sent from send_clock where whatsapp_id = ${whatsappId} and day_from = ${day.from.toISOString()})) as count`
  return row?.count ?? 0
}

/** One more was handed over; the clock is the caller's, locked, and the recipient written. */
export async function recordSent(tx: Tx, whatsappId: number, at: Date, timezone: string): Promise<void> {
  const sql = getSql(tx)
  const day = getDaySpan(at, timezone)
  const from = day.from.toISOString()
  await sql`
    update send_clock set day_from = ${from},
      day_sent = case when day_from = ${from} then day_sent + 1 else ${stillThere(sql, whatsappId, day)} end
    where whatsapp_id = ${whatsappId}`
}

function stillThere(sql: postgres.Sql, whatsappId: number, { from, to }: ReturnType<typeof getDaySpan>) {
  return sql`(select count(*)::int from send_recipient r join send s on s.id = r.send_id
    where r.state = 'handed' and r.at >= ${from.toISOString()} and r.at < ${to.toISOString()} and s.whatsapp_id = ${whatsappId})`
}

/** How many still wait in each send that goes on by a connection. */
export async function listWaitingSends(db: Db | Tx, whatsappId: number): Promise<{ id: number; left: number }[]> {
  return getSql(db)<{ id: number; left: number }[]>`
    select s.id, (select count(*)::int from send_recipient r where r.send_id = s.id and r.state = 'waiting') as left
    from send s where s.whatsapp_id = ${whatsappId} and s.state in ('running', 'waiting')`
}

/** How many messages go out until one of several sends that take turns has said its own `left`. */
export function countUntilFinished(left: number, others: readonly { readonly left: number }[]): number {
  return others.reduce((sum, other) => sum + Math.min(other.left, left), left)
}
