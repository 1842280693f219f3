// What is restored was true some time ago, and the desk it comes from has gone on since, or still does. So nothing goes out by itself:
// what was on its way may have arrived, what was due may have been said, and two copies of one pairing make WhatsApp log both out.
import { and, eq, gt, inArray, isNotNull, isNull, lte, ne, or, sql } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { connectionAuth, connectionCommands, connections } from '../../desk/connections/table.ts'
import { jobs } from '../../desk/jobs/table.ts'
import { media } from '../../desk/media/table.ts'
import { messages } from '../../desk/messages/table.ts'
import { tickets } from '../../desk/tickets/table.ts'
import { apiTokens } from '../../messaging/api/table.ts'
import { outbox } from '../../messaging/outbox/table.ts'
import { schedules } from '../../messaging/schedules/table.ts'
import { sends } from '../../messaging/sends/table.ts'
import { typebotSessions } from '../../messaging/typebot/table.ts'
import { webhookCursor, webhookEvents, webhooks } from '../../messaging/webhooks-out/table.ts'
import { liveEvents } from '../../platform/live/table.ts'
import { refreshTokens, socketTokens } from '../../policy/sessions/table.ts'
import { settings } from '../../policy/settings/table.ts'
import { users } from '../../policy/users/table.ts'
import { erasures } from '../privacy/table.ts'
import { openPages, pushCursor, pushSubscriptions } from '../push/table.ts'
import { backups } from './table.ts'

/** How many of each now wait for somebody. */
export interface DisarmedCounts {
  /** Connections that are only taken up again when an administrator says so. */
  readonly connections: number
  /** Messages of which nobody knows whether they went out. */
  readonly unsure: number
  /** Sends that stopped, and scheduled ones that were due and are paused. */
  readonly sends: number
  readonly schedules: number
  /** Long work that was not finished. */
  readonly jobs: number
  /** Erasures of people that waited for their day: held back, they may have been undone since. */
  readonly erasures: number
  /** Conversations that a flow of Typebot had, for the team now. */
  readonly flows: number
  /** Tokens of other programs that were good, whose programs need another day or another token. */
  readonly tokens: number
  /** Idle conversations were closed with a farewell: switched off, or all of them were told now. */
  readonly idleClosing: boolean
}

type Db = NodePgDatabase

/** `hasBucket`: the files that were restored into the folder are to go there. */
export async function disarmRestored(client: pg.Client, hasBucket: boolean): Promise<DisarmedCounts> {
  const db = drizzle(client, { casing: 'snake_case' })
  await forgetWhoWasHere(db)
  await silenceWebhooks(db)
  await db.delete(backups).where(eq(backups.state, 'running'))
  const keptIn = hasBucket ? 'waiting' : 'folder'
  await db.update(media).set({ keptIn }).where(ne(media.keptIn, keptIn))
  return {
    connections: await restConnections(db),
    unsure: await doubtMessages(db),
    ...(await stopSends(db)),
    jobs: await endJobs(db),
    flows: await endFlows(db),
    erasures: await holdErasures(db),
    tokens: await endApiTokens(db),
    idleClosing: await leaveIdle(db),
  }
}

/** Sessions that were ended since would live again. Live events are numbered by transactions of another server. */
async function forgetWhoWasHere(db: Db): Promise<void> {
  for (const table of [
    refreshTokens,
    socketTokens,
    pushSubscriptions,
    pushCursor,
    openPages,
    liveEvents,
    connectionCommands,
  ])
    await db.delete(table)
  const offline = { status: 'offline', version: sql`${users.version} + 1` } as const
  await db.update(users).set(offline).where(ne(users.status, 'offline'))
}

/** Other programs heard of it from the desk that was backed up, and may hear from it still. */
async function silenceWebhooks(db: Db): Promise<void> {
  await db.delete(webhookEvents)
  await db.delete(webhookCursor)
  const stopped = { active: false, stopReason: 'restored', stoppedAt: sql`now()`, busyUntil: null } as const
  await db.update(webhooks).set(stopped).where(eq(webhooks.active, true))
}

/**
 * One that was revoked since would open the desk again: each is good once an administrator gives it another day. The one of the settings
 * has no day: it is made anew.
 */
async function endApiTokens(db: Db): Promise<number> {
  const isOver = { expiresAt: sql`now()`, version: sql`${apiTokens.version} + 1` }
  const isGood = or(isNull(apiTokens.expiresAt), gt(apiTokens.expiresAt, sql`now()`))
  const ended = await db.update(apiTokens).set(isOver).where(isGood).returning({ id: apiTokens.id })
  const isSingle = and(eq(settings.key, 'userApiToken'), ne(settings.value, ''))
  const single = await db.delete(settings).where(isSingle).returning({ key: settings.key })
  return ended.length + single.length
}

/** What is said of them until an administrator takes them up again. */
const RESTORED = { code: 'restored', reason: 'restored', attempt: 0, nextTryAt: null, next: 'confirm' } as const

async function restConnections(db: Db): Promise<number> {
  const trouble = { ...RESTORED, since: new Date().toISOString() }
  const rows = await db
    .update(connections)
    .set({
      wanted: false,
      status: 'DISCONNECTED',
      qrcode: null,
      qrExpiresAt: null,
      pairCode: null,
      retries: 0,
      trouble,
      version: sql`${connections.version} + 1`,
    })
    .where(isNull(connections.deletedAt))
    .returning({ id: connections.id })
  // One that was being ended goes on to be, here alone: it is logged out by the desk that lives, and nobody here needs its keys.
  const isGone = isNotNull(connections.deletedAt)
  const gone = db.select({ id: connections.id }).from(connections).where(isGone)
  await db.delete(connectionAuth).where(inArray(connectionAuth.whatsappId, gone))
  await db.update(connections).set({ config: {}, trouble }).where(isGone)
  return rows.length
}

/** Only a person sends one again, who sees the conversation on the phone. Edits, reactions and the like are dropped. */
async function doubtMessages(db: Db): Promise<number> {
  const onItsWay = inArray(outbox.state, ['queued', 'sending'])
  const left = { error: 'restored', doneAt: sql`now()` }
  await db
    .update(outbox)
    .set({ ...left, state: 'unknown' })
    .where(and(onItsWay, eq(outbox.operation, 'message')))
  await db
    .update(outbox)
    .set({ ...left, state: 'failed' })
    .where(onItsWay)
  const rows = await db
    .update(messages)
    .set({ state: 'unknown', version: sql`${messages.version} + 1` })
    .where(and(messages.fromMe, inArray(messages.state, ['queued', 'sending'])))
    .returning({ id: messages.id })
  const shown = { lastMessageState: 'unknown', version: sql`${tickets.version} + 1` } as const
  await db
    .update(tickets)
    .set(shown)
    .where(inArray(tickets.lastMessageState, ['queued', 'sending']))
  return rows.length
}

async function stopSends(db: Db): Promise<Pick<DisarmedCounts, 'sends' | 'schedules'>> {
  const stopped = await db
    .update(sends)
    .set({
      state: 'stopped',
      stateReason: 'restored',
      stateAt: sql`now()`,
      stateUserId: null,
      notBefore: null,
      version: sql`${sends.version} + 1`,
    })
    .where(inArray(sends.state, ['calculating', 'waiting', 'running']))
    .returning({ id: sends.id })
  const paused = await db
    .update(schedules)
    .set({ state: 'paused', stateUserId: null, version: sql`${schedules.version} + 1` })
    .where(and(lte(schedules.nextRunAt, sql`now()`), isNull(schedules.state)))
    .returning({ id: schedules.id })
  return { sends: stopped.length, schedules: paused.length }
}

async function endJobs(db: Db): Promise<number> {
  const rows = await db
    .update(jobs)
    .set({ state: 'failed', error: 'ERR_INTERNAL', endedAt: sql`now()`, version: sql`${jobs.version} + 1` })
    .where(isNull(jobs.endedAt))
    .returning({ id: jobs.id })
  return rows.length
}

/** One that had begun goes on: nobody could have undone it. */
async function holdErasures(db: Db): Promise<number> {
  const rows = await db
    .update(erasures)
    .set({ state: 'held', held: 'restored', endedAt: sql`now()` })
    .where(eq(erasures.state, 'waiting'))
    .returning({ id: erasures.id })
  return rows.length
}

/** Typebot stands elsewhere in them by now: the next answer would be one to another question. */
async function endFlows(db: Db): Promise<number> {
  const had = db.select({ id: typebotSessions.ticketId }).from(typebotSessions)
  const rows = await db
    .update(tickets)
    .set({
      status: 'pending',
      userId: null,
      acceptedAt: null,
      menusShown: null,
      version: sql`${tickets.version} + 1`,
    })
    .where(and(eq(tickets.status, 'bot'), inArray(tickets.id, had)))
    .returning({ id: tickets.id })
  await db.delete(typebotSessions)
  return rows.length
}

/** What the clock does by itself to whoever has waited since the backup: each of them would be written to within a minute. */
const BY_THE_CLOCK = { closeCron: 'disabled', queueCron: 'disabled', userCron: '' } as const

async function leaveIdle(db: Db): Promise<boolean> {
  let changed = 0
  for (const [key, value] of Object.entries(BY_THE_CLOCK)) {
    const rows = await db
      .update(settings)
      .set({ value })
      .where(and(eq(settings.key, key), ne(settings.value, value)))
      .returning({ key: settings.key })
    changed += rows.length
  }
  return changed > 0
}
