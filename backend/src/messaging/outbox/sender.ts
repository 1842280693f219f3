// Sends what one connection has to send: contacts side by side, each contact's messages in order. Runs in the connection's owner only.

import { isLinkedDevice } from '@balcao/contract'
import { FencedError, type OwnedConnection } from '../../desk/connections/ownership.ts'
import { type MessageRefRow, toMessageRef } from '../../desk/messages/enqueue.ts'
import {
  ChannelError,
  type Driver,
  type MessageRef,
  type Outgoing,
  type SendResult,
} from '../../platform/channel/driver.ts'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { crashAtFailPoint } from '../../platform/fail-point.ts'
import { resolveAddress } from './address.ts'
import { type Claim, claimDue, findNextDue } from './claim.ts'
import { findDoubts, findEarlierSend, findFirstAttempt } from './doubts.ts'
import { dropOutdated } from './outdated.ts'
import { recoverSends, settleDoubts } from './recover.ts'
import { applyLateReceipts, decideOutcome, type SendOutcome, settle } from './settle.ts'

export interface SenderOptions {
  readonly db: Db
  readonly owned: OwnedConnection
  readonly driver: Driver
  /** Live events were appended. */
  readonly ring: () => void
  /** The connection has a newer owner: everything of ours must stop. */
  readonly fenced: () => void
  /** Whether this process is sure to run the connection still. One that stood still may have been taken the place of. */
  readonly isOwner?: () => boolean
  /** Brings these files to this machine; false while what keeps them is away. */
  readonly bringFiles?: (mediaIds: readonly string[]) => Promise<boolean>
  /** How a try ended, once it is written down. */
  readonly settled?: (claim: Claim, outcome: SendOutcome) => void
  /** Hands over what goes out at a pace, when nothing else is due: 0 when it did, else the ms until it is worth asking again. */
  readonly handPaced?: () => Promise<number | null>
  readonly log: { warn(fields: object, text: string): void; error(fields: object, text: string): void }
}

export interface Sender {
  /** Something may be due. */
  wake(): void
  /** Sends only while the connection is connected. */
  setConnected(connected: boolean): void
  /** Claims nothing more and waits for what is on its way, at most `withinMs`. */
  stop(withinMs?: number): Promise<void>
}

/** Between two messages nobody waits for (decisions-2 §24): a burst of farewells looks like a machine's, and gets numbers blocked. */
const UNHURRIED_MS = [3000, 6000] as const
/** Contacts served at the same time on one connection. */
const SIDE_BY_SIDE = 8
/** Without a ring a sender looks by itself. */
const LOOK_MS = 2000
/** A provider that does not answer within this time may or may not have taken the message. */
const ANSWER_MS = 90_000
/** A file has to be uploaded first. */
const FILE_ANSWER_MS = 600_000
/** After the provider gave an id, so many looks check for receipts that crossed with it. */
const LOOKS_FOR_RECEIPTS = 10

/** Puts right what an earlier owner left, then sends whenever the connection is connected. */
export async function startSender(options: SenderOptions): Promise<Sender> {
  const { db, owned, driver, log } = options
  const { traceMs } = driver
  if ((await recoverSends(db, owned, driver.capabilities.resendSafe, traceMs)) > 0) options.ring()

  const onTheWay = new Set<Promise<void>>()
  let connected = false
  let stopped = false
  let looking = false
  let again = false
  let receiptsExpected = 0
  const isSpaced = isLinkedDevice(driver.capabilities)
  /** From when the next message that nobody waits for may go, in ms. */
  let unhurriedAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let doubts = traceMs === undefined ? undefined : setTimeout(endOldDoubts, LOOK_MS)

  function wake(): void {
    if (stopped || !connected) return
    check().catch(error => {
      trouble(error, 'looking for what to send')
      schedule(LOOK_MS)
    })
  }

  async function check(): Promise<void> {
    again = true
    if (looking) return
    looking = true
    clearTimeout(timer)
    let paced = LOOK_MS
    try {
      while (again && !stopped && connected) {
        again = false
        const free = SIDE_BY_SIDE - onTheWay.size
        if (free <= 0) break
        const claims = await claimDue(db, owned, free, traceMs !== undefined, unhurriedNow(free))
        if (isSpaced && claims.some(({ unhurried }) => unhurried))
          unhurriedAt = Date.now() + randomBetween(UNHURRIED_MS)
        for (const claim of claims) start(claim)
        if (claims.length === 0) {
          paced = (await options.handPaced?.()) ?? LOOK_MS
          if (paced === 0) again = true
          continue
        }
        crashAtFailPoint('outbox:after-claim')
        options.ring()
        if (claims.length === free) again = true
      }
      if (receiptsExpected > 0 && (await applyLateReceipts(db, owned))) options.ring()
      receiptsExpected -= 1
      schedule(Math.min((await findNextDue(db, owned.whatsappId)) ?? LOOK_MS, paced, untilUnhurried()))
    } finally {
      looking = false
      if (again) wake()
    }
  }

  /** How many messages nobody waits for may go now: on an official API all, elsewhere one after a while. */
  function unhurriedNow(free: number): number {
    return isSpaced ? Number(Date.now() >= unhurriedAt) : free
  }

  function untilUnhurried(): number {
    return unhurriedAt > Date.now() ? unhurriedAt - Date.now() : LOOK_MS
  }

  function schedule(ms: number): void {
    clearTimeout(timer)
    if (!stopped) timer = setTimeout(wake, Math.min(LOOK_MS, Math.max(1, ms)))
  }

  /** Looked for again and again, as long as nobody was asked; and once all of them when the connection is back. */
  async function lookForDoubts(all: boolean): Promise<void> {
    if (connected && !stopped && (await findDoubts(db, owned, driver, all)) > 0) options.ring()
  }

  /** What has been in doubt for long enough is put to a person, an earlier owner's too, connected or not. */
  function endOldDoubts(): void {
    lookForDoubts(false)
      .then(() => settleDoubts(db, owned))
      .then(
        ended => ended > 0 && options.ring(),
        error => trouble(error, 'ending a doubt'),
      )
      .finally(() => {
        if (!stopped) doubts = setTimeout(endOldDoubts, LOOK_MS)
      })
  }

  function start(claim: Claim): void {
    const sending = handle(claim)
      .catch(error => trouble(error, 'settling a send'))
      .finally(() => {
        onTheWay.delete(sending)
        wake()
      })
    onTheWay.add(sending)
  }

  async function handle(claim: Claim): Promise<void> {
    if (await dropOutdated(db, owned, claim)) return options.ring()
    const result = await attempt(options, claim)
    crashAtFailPoint('outbox:after-send')
    const outcome = decideOutcome(result, claim, driver.capabilities.resendSafe, traceMs)
    await settleSurely(claim, outcome)
    crashAtFailPoint('outbox:after-settle')
    options.settled?.(claim, outcome)
    if (claim.providerId === null) receiptsExpected = LOOKS_FOR_RECEIPTS
    options.ring()
  }

  /** What is known of a send must be written down, or its customer's next messages wait for ever: a database that is away comes back. */
  async function settleSurely(claim: Claim, outcome: SendOutcome): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await settle(db, owned, claim, outcome)
      } catch (error) {
        if (error instanceof FencedError || stopped) throw error
        trouble(error, 'settling a send')
        await Bun.sleep(Math.min(1000, 50 * 2 ** attempt))
      }
    }
  }

  function trouble(error: unknown, doing: string): void {
    if (error instanceof FencedError) {
      if (!stopped) options.fenced()
      stopped = true
    } else if (!stopped) log.error({ err: error, whatsappId: owned.whatsappId, doing }, 'the outbox met an error')
  }

  return {
    wake,
    setConnected(now) {
      const isBack = now && !connected
      connected = now
      if (now) wake()
      if (isBack) lookForDoubts(true).catch(error => trouble(error, 'looking for what may have gone out'))
    },
    async stop(withinMs = 5000) {
      stopped = true
      clearTimeout(timer)
      clearTimeout(doubts)
      await Promise.race([Promise.allSettled(onTheWay), Bun.sleep(withinMs)])
    },
  }
}

/** One send, never throwing: what goes wrong is an answer like any other. */
async function attempt(options: SenderOptions, claim: Claim): Promise<SendResult> {
  const { driver, owned, log } = options
  const failed = (error: unknown, outcome: 'retry' | 'unknown'): SendResult => {
    if (error instanceof ChannelError)
      return { ok: false, outcome: OUTCOMES[error.code] ?? outcome, code: error.code, text: error.message }
    log.error({ err: error, whatsappId: owned.whatsappId, outboxId: claim.id }, 'a send met an error')
    // Its own words may hold what was to be sent, and to whom.
    return {
      ok: false,
      outcome,
      code: outcome === 'retry' ? 'not_handed_over' : 'error',
      text: 'Something of ours failed',
    }
  }
  let ready: Ready | SendResult
  try {
    ready = await prepare(options, claim)
  } catch (error) {
    return failed(error, 'retry')
  }
  if ('ok' in ready) return ready
  const { to, payload } = ready
  try {
    const patience = payload.type === 'media' ? FILE_ANSWER_MS : ANSWER_MS
    return await within(patience, driver.send(to, claim.providerId, payload, claim.trace))
  } catch (error) {
    return failed(error, 'unknown')
  }
}

interface Ready {
  readonly to: string
  readonly payload: Outgoing
}

/** Everything before the provider is handed anything: what throws here changed nothing, and is done again. */
async function prepare(
  { db, driver, owned, isOwner, bringFiles }: SenderOptions,
  claim: Claim,
): Promise<Ready | SendResult> {
  // Most kinds do not say why such a message failed, and would be tried again and again.
  if (claim.contact.isOut) return refused('not_member', 'This number is not in the group any more')
  const isFree = claim.operation === 'message' && claim.payload.type !== 'template'
  if (isFree && !claim.windowOpen)
    return refused('131047', 'More than 24 hours have passed since the customer last wrote')
  const to = await resolveAddress(db, driver, owned, claim)
  if (to === null) return refused('ERR_WAPP_INVALID_CONTACT', 'The contact is not reachable on this connection')
  const payload = await resolvePayload(db, claim)
  if (payload === null) return refused('not_sent', 'The message it is about never reached the provider')
  const before = claim.operation === 'message' ? await wentOutBefore(db, driver, owned, claim, to, payload) : null
  if (before !== null) return { ok: true, id: before, ack: 'sent', jid: to }
  const files = listFiles(payload)
  if (files.length > 0 && (await bringFiles?.(files)) === false) return FILES_AWAY
  return isOwner?.() === false ? NOT_SURE : { to, payload }
}

/** What is sent once more, or was to be sent long ago, may have gone out without anybody's knowing: it is looked for first. */
async function wentOutBefore(
  db: Db,
  driver: Driver,
  owned: OwnedConnection,
  claim: Claim,
  to: string,
  payload: Outgoing,
) {
  if (!driver.sentLike) return null
  const since = await findFirstAttempt(db, claim.id)
  if (claim.attempts <= 1 && Date.now() - since < (driver.traceMs ?? 0)) return null
  return findEarlierSend(db, owned, driver, { to, payload, since })
}

const NOT_SURE: SendResult = {
  ok: false,
  outcome: 'retry',
  code: 'not_connected',
  text: 'This process stood still: another one may run the connection',
  afterMs: 1000,
}

function randomBetween([least, most]: readonly [number, number]): number {
  return least + Math.random() * (most - least)
}

const FILES_AWAY: SendResult = {
  ok: false,
  outcome: 'retry',
  code: 'files_away',
  text: 'The store of files does not answer',
  afterMs: 5000,
}

/** The files of ours that it sends: its own, or those of a template. */
function listFiles(payload: Outgoing): string[] {
  if (payload.type === 'media') return [payload.mediaId]
  if (payload.type !== 'template') return []
  return [...JSON.stringify(payload).matchAll(/"mediaId":"([\w-]+)"/g)].flatMap(([, id]) => id ?? [])
}

/** What a thrown error of a driver means; anything else may or may not have gone out. */
const OUTCOMES: Record<string, 'refused' | 'retry'> = {
  not_connected: 'retry',
  not_supported: 'refused',
  no_file: 'refused',
}

/** What an edit, revoke or reaction refers to is looked up now: when it was asked for, its message may not have been sent yet. */
async function resolvePayload(db: Db, { payload, messageId }: Claim): Promise<Outgoing | null> {
  if (messageId !== null && 'quote' in payload && payload.quote) {
    const body = await findQuotedWords(db, messageId)
    return { ...payload, quote: body === null ? undefined : { ...payload.quote, body } }
  }
  if (messageId === null || (payload.type !== 'edit' && payload.type !== 'revoke' && payload.type !== 'reaction'))
    return payload
  const [row] = await getSql(db)<MessageRefRow[]>`
    select provider_id, chat, from_me, author_jid from message where id = ${messageId}`
  const ref: MessageRef | null = row ? toMessageRef(row) : null
  return ref ? { ...payload, ref } : null
}

/** What a message quotes, as it reads by now; null where it was taken back or is gone. */
async function findQuotedWords(db: Db, messageId: number): Promise<string | null> {
  const [quoted] = await getSql(db)<{ body: string }[]>`
    select q.body from message m join message q on q.id = m.quoted_id where m.id = ${messageId} and not q.is_deleted`
  return quoted?.body ?? null
}

function refused(code: string, text: string): SendResult {
  return { ok: false, outcome: 'refused', code, text }
}

async function within(ms: number, sending: Promise<SendResult>): Promise<SendResult> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<SendResult>(done => {
    timer = setTimeout(() => done({ ok: false, outcome: 'unknown', code: 'timeout', text: 'No answer in time' }), ms)
  })
  try {
    return await Promise.race([sending, late])
  } finally {
    clearTimeout(timer)
  }
}
