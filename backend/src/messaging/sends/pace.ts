// A connection hands over the messages of its sends one after the other, at a pace that is kept in the database (docs/decisions/0172).
import {
  getCalendar,
  getDailyQuota,
  getDaySpan,
  type SendReason,
  type Settings,
  shouldStopSend,
  type Viewer,
} from '@balcao/contract'
import { and, eq, inArray } from 'drizzle-orm'
import { checkEpoch, type OwnedConnection } from '../../desk/connections/ownership.ts'
import { listProviderCodes } from '../../platform/channel/send-errors.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { runInTransaction } from '../../platform/database/transaction.ts'
import { crashAtFailPoint } from '../../platform/fail-point.ts'
import { readSettings } from '../../policy/settings/read.ts'
import { findProgramViewer } from '../../policy/users/viewer.ts'
import { enqueueRecipient } from './enqueue.ts'
import { publishSendUpdates } from './events.ts'
import { releaseRunFiles } from './files.ts'
import { computeQuota, countSentOnDay, findSendConnection, recordSent } from './quota.ts'
import { listLastOutcomes } from './recipients.ts'
import { stopSend } from './stop.ts'
import { sendRecipients, sends } from './table.ts'
import { waitUntil } from './waiting.ts'

/** A fifth more or less by chance. */
const JITTER = 0.2

/** What came of asking for the next: ms until the next may follow, `again` at once, or what must stop first. */
type Handed = number | 'again' | { readonly stop: number; readonly reason: StopReason }
type StopReason = Extract<SendReason, 'failures' | 'blocked' | 'file_gone' | 'token_ended'>

/**
 * Hands the next recipient's message to the outbox if the connection's clock allows. Gives 0 when it did, else the ms until it is
 * worth asking again; null while no send goes on. To be asked when nobody else's message is due: what people write goes first.
 */
export async function dispatchNext(db: Db, owned: OwnedConnection, paceMs: number): Promise<number | null> {
  const going = and(eq(sends.whatsappId, owned.whatsappId), inArray(sends.state, ['running', 'waiting']))
  for (;;) {
    // Without a lock: nearly always there is none.
    const [any] = await db.select({ id: sends.id }).from(sends).where(going).limit(1)
    if (!any) return null
    // Before the transaction: one that waits for a second connection of the pool can wait for ever.
    const settings = await readSettings(db)
    const handed = await runInTransaction(db, tx => handOne(tx, owned, paceMs, settings))
    if (handed === 0) crashAtFailPoint('send:handed')
    if (typeof handed === 'object') await stopSend(db, owned.whatsappId, handed.stop, handed.reason)
    else if (handed !== 'again') return handed
  }
}

async function handOne(tx: Tx, owned: OwnedConnection, paceMs: number, settings: Settings): Promise<Handed> {
  await checkEpoch(tx, owned)
  const wait = await lockClock(tx, owned.whatsappId, paceMs)
  // Instants are kept to the millisecond, rounded.
  if (wait > 1) return Math.ceil(wait)
  if (await endLeftBehind(tx, owned.whatsappId)) return 'again'
  const next = await findNextRecipient(tx, owned.whatsappId)
  if (!next) return Math.ceil(paceMs)
  const now = new Date()
  if (await waitsForTomorrow(tx, owned.whatsappId, settings, now)) return 'again'
  if (await waitsForOpening(tx, next, settings, now)) return 'again'
  if (!(await lockRecipient(tx, next))) return 'again'
  const program = await findProgram(tx, next)
  if (program === 'ended') return { stop: next.id, reason: 'token_ended' }
  const reason = await findStopReason(tx, next)
  if (reason) return { stop: next.id, reason }
  const result = await enqueueRecipient(tx, owned.whatsappId, next, program, settings)
  const isHanded = 'messageId' in result
  await tx
    .update(sendRecipients)
    .set({ ...result, state: isHanded ? 'handed' : 'excluded', at: now.toISOString() })
    .where(eq(sendRecipients.id, next.recipientId))
  await noteTurn(tx, next.id, isHanded)
  if (!isHanded) return 'again'
  await recordSent(tx, owned.whatsappId, now, settings.timezone)
  const gap = paceMs * (1 - JITTER + 2 * JITTER * Math.random())
  await getSql(tx)`
    update send_clock set message_id = ${result.messageId}, next_at = now() + ${gap}::float8 * interval '1 millisecond'
    where whatsapp_id = ${owned.whatsappId}`
  crashAtFailPoint('send:before-commit')
  return 0
}

/**
 * The connection's clock, locked: ms until the next may follow. It runs from when the one before went out, however long that took:
 * what waited for a connection that was down is not followed at once by the next.
 */
async function lockClock(tx: Tx, whatsappId: number, paceMs: number): Promise<number> {
  const [clock] = await getSql(tx)<{ ms: number }[]>`
    insert into send_clock as k (whatsapp_id) values (${whatsappId})
    on conflict (whatsapp_id) do update set next_at = greatest(k.next_at, (
      select case when o.state in ('queued', 'sending') then now() else coalesce(o.done_at, now()) end
        + ${paceMs * (1 - JITTER)}::float8 * interval '1 millisecond'
      from outbox o where o.message_id = k.message_id and o.operation = 'message'))
    returning coalesce(extract(epoch from next_at - now()) * 1000, 0)::float8 as ms`
  return clock?.ms ?? 0
}

export interface NextRecipient {
  readonly id: number
  readonly recipientId: number
  readonly contactId: number
  readonly onlyWorkingHours: boolean
  readonly resumedAt: string | null
  readonly userId: number | null
  /** The program that scheduled it, as that person or as the company. */
  readonly tokenId: number | null
}

/** The next recipient of the send whose turn it is; the send is locked, so that who pauses it comes before or after. */
async function findNextRecipient(tx: Tx, whatsappId: number): Promise<NextRecipient | undefined> {
  const [next] = await getSql(tx)<NextRecipient[]>`
    select s.id, s.user_id as "userId", s.only_working_hours as "onlyWorkingHours", s.resumed_at as "resumedAt",
      (select (d.program->>'id')::int from schedule d where d.id = s.schedule_id) as "tokenId", r.id::float8 as "recipientId", r.contact_id as "contactId"
    from send s cross join lateral (
      select id, contact_id from send_recipient where send_id = s.id and state = 'waiting' order by contact_id limit 1) r
    where s.whatsapp_id = ${whatsappId} and s.state in ('running', 'waiting') and (s.not_before is null or s.not_before <= now())
    order by s.turn_at nulls first, s.id limit 1 for update of s`
  return next
}

/** Holds the contact, so that it stays who it is and what it wants; false where it became another one meanwhile, or is gone. */
async function lockRecipient(tx: Tx, { recipientId, contactId }: NextRecipient): Promise<boolean> {
  const sql = getSql(tx)
  await sql`select 1 from contact where id = ${contactId} for no key update`
  const rows = await sql`
    select 1 from send_recipient where id = ${recipientId} and contact_id = ${contactId} and state = 'waiting'`
  return rows.length > 0
}

/**
 * Sends are over whose last recipients went with their contacts, deleted or erased, or became others that have their message: those of a
 * connection before its next turn, those of all (null) once a minute, since one whose phone is off has no turn.
 */
export async function endLeftBehind(tx: Tx, whatsappId: number | null): Promise<boolean> {
  const sql = getSql(tx)
  const ofConnection = whatsappId === null ? sql`` : sql`s.whatsapp_id = ${whatsappId} and`
  const rows = await sql<{ id: number }[]>`
    update send set state = 'done', state_reason = null, state_at = now(), not_before = null, ended_at = now()
    where id in (
      select s.id from send s where ${ofConnection} s.state in ('running', 'waiting') and s.frozen_at is not null
        and not exists (select 1 from send_recipient where send_id = s.id and state = 'waiting') order by s.id for update)
    returning id`
  if (rows.length === 0) return false
  await releaseRunFiles(tx, toIds(rows))
  await publishSendUpdates(tx, toIds(rows))
  return true
}

/** The connection has sent what it may in a day: all its sends go on with the next. */
async function waitsForTomorrow(tx: Tx, whatsappId: number, settings: Settings, now: Date): Promise<boolean> {
  const connection = await findSendConnection(tx, whatsappId)
  if (!connection) return false
  const { most, warmUp } = getDailyQuota(computeQuota(connection, settings), now)
  if (most === null || (await countSentOnDay(tx, whatsappId, now, settings.timezone)) < most) return false
  const rows = await getSql(tx)<{ id: number }[]>`
    select id from send where whatsapp_id = ${whatsappId} and state in ('running', 'waiting') order by id for update`
  await waitUntil(tx, toIds(rows), warmUp ? 'warm_up' : 'daily_cap', getDaySpan(now, settings.timezone).to)
  return true
}

/** Where it keeps to working hours, the company is closed: it goes on when it opens. */
async function waitsForOpening(
  tx: Tx,
  { id, onlyWorkingHours }: NextRecipient,
  settings: Settings,
  now: Date,
): Promise<boolean> {
  if (!onlyWorkingHours) return false
  const calendar = getCalendar(settings)
  if (calendar.isOpen(now)) return false
  const opening = calendar.nextOpening(now) ?? new Date(now.getTime() + LATER_MS)
  await waitUntil(tx, [id], 'working_hours', opening)
  return true
}

/** A company that never opens is asked again. */
const LATER_MS = 24 * 3_600_000
const BLOCKED = listProviderCodes('ERR_SEND_BLOCKED')
const NO_FILE = ['no_file']

/** The program that speaks, with its rights of now; null: a person. */
async function findProgram(tx: Tx, { tokenId, userId }: NextRecipient): Promise<Viewer | 'ended' | null> {
  if (tokenId === null) return null
  return (await findProgramViewer(tx, { tokenId, userId }, 'send')) ?? 'ended'
}

/** Why it must stop instead: of its last messages too many failed, or one of them says that all will. */
async function findStopReason(tx: Tx, { id, resumedAt }: NextRecipient): Promise<StopReason | null> {
  const [last] = await getSql(tx)<{ code: string | null }[]>`
    select m.error_log->>'code' as code from send_recipient r join message m on m.id = r.message_id
    where r.send_id = ${id} and r.state = 'handed' and m.state = 'failed' and r.at >= coalesce(${resumedAt}::timestamptz, '-infinity')
    order by r.at desc nulls last, r.id desc nulls last limit 1`
  if (!last) return null
  if (last.code !== null && BLOCKED.includes(last.code)) return 'blocked'
  if (last.code !== null && NO_FILE.includes(last.code)) return 'file_gone'
  return shouldStopSend(await listLastOutcomes(tx, id, resumedAt)) ? 'failures' : null
}

async function noteTurn(tx: Tx, id: number, isHanded: boolean): Promise<void> {
  const sql = getSql(tx)
  const more = sql`exists (select 1 from send_recipient where send_id = ${id} and state = 'waiting')`
  const [noted] = await sql<{ over: boolean }[]>`
    update send set turn_at = now(), sent = sent + ${isHanded ? 1 : 0}, not_before = null, state_reason = null,
      state_at = case when state = 'running' and ${more} then state_at else now() end,
      state = case when ${more} then 'running' else 'done' end, ended_at = case when not ${more} then now() end
    where id = ${id} returning ended_at is not null as over`
  if (noted?.over) await releaseRunFiles(tx, [id])
  await publishSendUpdates(tx, [id])
}
