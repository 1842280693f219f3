// The desk without a server: calls of the contract as a browser makes them, what the channel tells, and what the clock sets in motion.

import { createApp } from '@balcao/backend/app/app'
import { makeFile } from '@balcao/backend/app/seed/files'
import { startFetcher } from '@balcao/backend/desk/media/fetcher'
import { createMediaStorage } from '@balcao/backend/desk/media/storage'
import { closeUnrated } from '@balcao/backend/desk/sweeps/close-unrated'
import { wakePaused } from '@balcao/backend/desk/sweeps/wake-paused'
import { refreshCalendar } from '@balcao/backend/insight/figures/calendar'
import { foldFigures } from '@balcao/backend/insight/figures/days'
import { countMessages } from '@balcao/backend/insight/figures/messages'
import { receiveEvents } from '@balcao/backend/messaging/inbox/receive'
import { claimDue } from '@balcao/backend/messaging/outbox/claim'
import { settle } from '@balcao/backend/messaging/outbox/settle'
import { startDueSchedules } from '@balcao/backend/messaging/schedules/run'
import { dispatchNext } from '@balcao/backend/messaging/sends/pace'
import type { Supervisor } from '@balcao/backend/platform/channel/control'
import type { ChannelEvent } from '@balcao/backend/platform/channel/driver'
import { readConfig } from '@balcao/backend/platform/config'
import { type Db, openDatabase } from '@balcao/backend/platform/database/client'
import { getSql } from '@balcao/backend/platform/database/raw'
import { createMetrics } from '@balcao/backend/platform/http/metrics'
import { createLogger } from '@balcao/backend/platform/logger'
import type { Parts } from '@balcao/backend/policy/kit/parts'
import { openSession } from '@balcao/backend/policy/sessions/sign-in'
import { createAccessToken } from '@balcao/backend/policy/sessions/tokens'
import type { SeededRandom } from '../../../backend/test/seeded-random.ts'
import { MONTH } from './story.ts'

export interface PastDesk {
  readonly db: Db
  readonly parts: Parts
  /** A call of the API by somebody of the team; throws what refuses it. */
  call<T>(userId: number, endpoint: string, body?: object): Promise<T>
  /** The channel tells of something. */
  receive(whatsappId: number, events: readonly ChannelEvent[]): Promise<void>
  /** Everything due goes out, some minutes' work together unless `isAtOnce`. */
  deliver(options?: { readonly isAtOnce: boolean }): Promise<void>
  /** Customers' phones tell how far messages came, and when. */
  acknowledge(chance: SeededRandom): Promise<void>
  /** Files of received messages are fetched: pictures that are made here. */
  fetchFiles(whatsappId: number): Promise<void>
  /** What the server's jobs do every minute. */
  runJobs(): Promise<void>
  /** What is handed over by sends, at their pace; whether there was something. */
  dispatchPaced(whatsappId: number): Promise<boolean>
}

interface SentMessage {
  readonly id: string
  readonly chat: string
  readonly at: number
}

const PACE_MS = 8000
/** What people of the team work with, as its browser says. */
const COMPUTER = 'Mozilla/5.0 (X11; Linux x86_64)'
const PHONE = 'Mozilla/5.0 (Linux; Android 14) Mobile'
const MINUTE = 60_000
/** What is written within so long goes out together. */
const TOGETHER_MS = 3 * MINUTE

export async function openPastDesk(url: string, dataDir: string): Promise<PastDesk> {
  const config = readConfig({ DATA_DIR: dataDir, DATABASE_URL: url, LOG_LEVEL: 'error' })
  const db = openDatabase(url, { max: 4 })
  const parts: Parts = {
    ...{ db, live: db, config, log: createLogger(config), metrics: createMetrics(), supervisor: NO_CHANNEL },
    ...{ ring() {}, presenceChanged() {}, closeEndedSockets() {}, fetchMedia: async () => {}, demoAccounts: [] },
    license: { blocked: () => false, check: async () => {}, stop() {} },
  }
  const { elysia } = createApp(parts, { frontendRoot: dataDir })
  const families = new Map<string, string>()
  const sent = new Map<number, readonly SentMessage[]>()
  let delivered = 0

  async function call<T>(userId: number, endpoint: string, body?: object): Promise<T> {
    const day = `${userId} ${new Date().toDateString()}`
    const family = families.get(day) ?? (await signIn(parts, userId))
    families.set(day, family)
    const [method = '', path = ''] = endpoint.split(' ')
    const isPlain = body !== undefined && !(body instanceof FormData) && !(body instanceof Blob)
    const request = new Request(`http://desk${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await createAccessToken(config, { userId, family })}`,
        'user-agent': userId % 4 === 0 ? PHONE : COMPUTER,
        ...(isPlain && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isPlain ? JSON.stringify(body) : body }),
    })
    const response = await elysia.handle(request)
    const text = await response.text()
    if (!response.ok)
      throw new Error(`${userId} ${endpoint} ${isPlain ? JSON.stringify(body) : ''} ${response.status} ${text}`)
    return JSON.parse(text || 'null')
  }

  return {
    db,
    parts,
    call,
    async receive(whatsappId, events) {
      await receiveEvents(db, { id: whatsappId }, events)
    },
    async deliver({ isAtOnce } = { isAtOnce: false }) {
      if (!isAtOnce && Date.now() < delivered + TOGETHER_MS) return
      delivered = Date.now()
      const waiting = await getSql(db)<{ id: number }[]>`
        select distinct whatsapp_id as id from outbox where state = 'queued' and next_at <= now()`
      for (const { id } of waiting) sent.set(id, [...(sent.get(id) ?? []), ...(await sendAll(db, id))])
    },
    async acknowledge(chance) {
      for (const [id, messages] of sent)
        await receiveEvents(
          db,
          { id },
          messages.flatMap(one => drawReceipts(one, chance)),
        )
      sent.clear()
    },
    async fetchFiles(whatsappId) {
      const driver = { download: async () => new Blob([makeFile('foto.png')]).stream() }
      const fetcher = startFetcher({
        db,
        whatsappId,
        driver,
        media: createMediaStorage(parts),
        ring() {},
        log: parts.log,
      })
      fetcher.wake()
      while ((await countPending(db, whatsappId)) > 0) await Bun.sleep(5)
      fetcher.stop()
    },
    async runJobs() {
      await refreshCalendar(db, new Date())
      await closeUnrated(parts)
      await wakePaused(parts)
      await startDueSchedules(createMediaStorage(parts))
      await foldFigures(db)
      await countMessages(db, new Date())
    },
    async dispatchPaced(whatsappId) {
      return (await dispatchNext(db, { whatsappId, epoch: 0 }, PACE_MS)) !== null
    },
  }
}

async function sendAll(db: Db, whatsappId: number): Promise<SentMessage[]> {
  const owned = { whatsappId, epoch: 0 }
  const sent: SentMessage[] = []
  for (;;) {
    const claims = await claimDue(db, owned, 100)
    if (claims.length === 0) return sent
    for (const claim of claims) {
      const id = claim.providerId ?? `wamid.${claim.id}`
      const isGone = MONTH.silent.some(one => one.isGone && one.number === claim.contact.number)
      await settle(db, owned, claim, isGone ? NOBODY_THERE : { state: 'done', id, ack: 'sent' })
      if (!isGone && claim.operation === 'message' && claim.to) sent.push({ id, chat: claim.to, at: Date.now() })
    }
  }
}

const NOBODY_THERE = {
  state: 'failed',
  error: { code: 'ERR_WAPP_INVALID_CONTACT', message: 'WhatsApp knows nobody there' },
} as const

/** Nearly all phones are on, and most people look. */
function drawReceipts({ id, chat, at }: SentMessage, { chance, between }: SeededRandom): ChannelEvent[] {
  const ref = { chat, id, fromMe: true }
  const arrives = at + between(1000, 5000)
  if (chance(0.05)) return []
  const delivered = { type: 'ack', ref, ack: 'delivered', at: arrives } as const
  return chance(0.12)
    ? [delivered]
    : [delivered, { type: 'ack', ref, ack: 'read', at: arrives + between(3000, 4 * MINUTE) }]
}

async function countPending(db: Db, whatsappId: number): Promise<number> {
  const [row] = await getSql(db)<{ n: number }[]>`
    select count(*)::int as n from message where whatsapp_id = ${whatsappId} and media->>'state' = 'pending'`
  return row?.n ?? 0
}

/** A device of somebody, as one that has just signed in. */
async function signIn(parts: Parts, userId: number): Promise<string> {
  const [user] = await getSql(parts.db)<
    { hash: string }[]
  >`select password_hash as hash from "user" where id = ${userId}`
  const family = crypto.randomUUID()
  await openSession(parts, { userId, family }, { passwordHash: user?.hash ?? '' }, new Headers())
  return family
}

const refuse = async (): Promise<never> => {
  throw new Error('There is no channel here')
}

const NO_CHANNEL: Supervisor = {
  ...{ kindOf: async () => 'baileys', start: refuse, stop: refuse, restart: refuse, recreate: refuse, logout: refuse },
  ...{ pair: refuse, ask: async () => null, webhook: refuse, templates: async () => [] },
}
