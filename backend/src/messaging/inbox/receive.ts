// What a channel tells goes in here: everything in one transaction, a repeat ends at its key, what we cannot digest is kept (design "In").
import type { Settings } from '@balcao/contract'
import type postgres from 'postgres'
import { toIdentities } from '../../desk/contacts/names.ts'
import { readAddress } from '../../platform/channel/addresses.ts'
import type { ChannelEvent, Peer } from '../../platform/channel/driver.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql, isDatabaseReachable } from '../../platform/database/raw.ts'
import { crashAtFailPoint } from '../../platform/fail-point.ts'
import { readSettings } from '../../policy/settings/read.ts'
import { applyAcks } from './acks.ts'
import { createInboxBatch, type InboxBatch, type InboxResult, type ReceivingConnection } from './batch.ts'
import { applyBetterFiles } from './better-file.ts'
import { applyCall } from './calls.ts'
import { applyChange, applyWaiting } from './changes.ts'
import { correctEventTime } from './event-times.ts'
import { storeFailedEvent } from './failed-events.ts'
import { classifyFault, isFull } from './faults.ts'
import { countIgnored, isIgnored } from './ignored.ts'
import { toEventKey } from './keys.ts'
import { applyMessages } from './messages.ts'
import { applyNews } from './news.ts'
import {
  applyContact,
  applyGroup,
  applyIdentities,
  applyMembership,
  applyMove,
  applyPreference,
  applyTimer,
  toPeer,
} from './people.ts'
import { applyUnreadable } from './unreadable.ts'

export type { InboxResult, ReceivingConnection } from './batch.ts'

type Arrived = { readonly key: string | null; readonly event: ChannelEvent }

/** A notification that reaches a process without the connection comes whole: readers wait for its transaction, and each event is compared with all of it. */
const MOST_TOGETHER = 500

/**
 * Takes events in, in their order, in one transaction, or a few of them where there are more than go together. If our own code fails on
 * them each is tried alone, so that one bad event harms no other; the one that fails alone is kept in `raw_event` with its error and shown
 * as a card in its conversation. Resolves after the commit: only then may the provider be told that we have them.
 */
export async function receiveEvents(
  db: Db,
  connection: ReceivingConnection,
  events: readonly ChannelEvent[],
): Promise<InboxResult> {
  if (events.length <= MOST_TOGETHER) return receiveTogether(db, connection, events)
  const results: InboxResult[] = []
  for (let at = 0; at < events.length; at += MOST_TOGETHER)
    results.push(await receiveTogether(db, connection, events.slice(at, at + MOST_TOGETHER)))
  return sumResults(results)
}

async function receiveTogether(
  db: Db,
  connection: ReceivingConnection,
  events: readonly ChannelEvent[],
): Promise<InboxResult> {
  const arrived = events.map(arrivedNow)
  try {
    return await receiveBatch(db, connection, arrived)
  } catch (error) {
    if (classifyFault(error) !== 'lasting' || arrived.length > 1) return oneByOne(db, connection, arrived)
    return storeFailedEvent(db, connection, arrived, error)
  }
}

/** An event with its key. One that is not even fit to be named fails when it is applied, by itself. */
function arrivedNow(event: ChannelEvent): Arrived {
  try {
    return { key: toEventKey(event), event: correctEventTime(event, Date.now()) }
  } catch {
    return { key: null, event }
  }
}

async function oneByOne(db: Db, connection: ReceivingConnection, arrived: readonly Arrived[]): Promise<InboxResult> {
  const results: InboxResult[] = []
  for (const one of arrived) results.push(await takeInPatiently(db, connection, one))
  return sumResults(results)
}

function sumResults(results: readonly InboxResult[]): InboxResult {
  return {
    stored: results.reduce((sum, result) => sum + result.stored, 0),
    repeated: results.reduce((sum, result) => sum + result.repeated, 0),
    undigested: results.reduce((sum, result) => sum + result.undigested, 0),
    messages: results.flatMap(result => result.messages),
    withMedia: results.some(result => result.withMedia),
    answered: results.some(result => result.answered),
  }
}

const MOST_TRIES = 8

/**
 * While the database is away an event waits with all that come after it: nothing was wrong with it. Otherwise it is tried a few
 * times and then kept as undigested: no event stops those behind it for ever.
 */
async function takeInPatiently(db: Db, connection: ReceivingConnection, one: Arrived): Promise<InboxResult> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await receiveBatch(db, connection, [one])
    } catch (error) {
      const verdict = classifyFault(error)
      if (verdict === 'away' && (isFull(error) || !(await isDatabaseReachable(db)))) throw error
      if (verdict === 'lasting' || attempt === MOST_TRIES) return storeFailedEvent(db, connection, [one], error)
      await Bun.sleep(2 ** attempt * 5)
    }
  }
}

async function receiveBatch(db: Db, connection: ReceivingConnection, all: readonly Arrived[]): Promise<InboxResult> {
  const settings = await readSettings(db)
  const ignored = all.filter(({ event }) => isIgnored(event, settings))
  const arrived = ignored.length === 0 ? all : all.filter(one => !ignored.includes(one))
  const taken = arrived.length > 0 ? await store(db, connection, arrived, settings) : NOTHING
  countIgnored(db, connection.id, listEvents(ignored))
  return taken
}

const NOTHING: InboxResult = { stored: 0, repeated: 0, undigested: 0, messages: [], withMedia: false, answered: false }

async function store(
  db: Db,
  connection: ReceivingConnection,
  arrived: readonly Arrived[],
  settings: Settings,
): Promise<InboxResult> {
  crashAtFailPoint('inbox:before')
  const result = await db.transaction(async tx => {
    const [fresh] = await Promise.all([recordRaw(tx, connection.id, arrived), getSql(tx)`${ONE_PLAN(getSql(tx))}`])
    crashAtFailPoint('inbox:recorded')
    const receiving = createInboxBatch(tx, connection.id, settings)
    for (const run of groupRuns(withoutImplied(fresh))) await applyEvents(receiving, run)
    crashAtFailPoint('inbox:before-commit')
    return {
      stored: fresh.length,
      repeated: arrived.length - fresh.length,
      undigested: 0,
      messages: receiving.messages,
      withMedia: receiving.withMedia,
      answered: receiving.answered,
    }
  })
  crashAtFailPoint('inbox:after-commit')
  if (result.stored > 0) await noteFlow(db, connection.id)
  return result
}

const FLOW_MS = 5000
const notedFlow = new Map<number, number>()

/**
 * What is asked here is asked by keys, a few or fifty of them: one plan serves both. Left to itself Postgres plans three of the statements
 * anew for every single message, which costs a third of its work. And a plan made while the desk is young, and its tables of one page, would
 * walk through them until they are counted anew: by then they may have thousands.
 */
const ONE_PLAN = (sql: postgres.Sql) =>
  sql`select set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)`

/**
 * When something last came on a connection, to a few seconds. Outside the transaction: a connection's row locked together with tickets
 * would cross with the outbox, which locks them the other way round.
 */
async function noteFlow(db: Db, id: number): Promise<void> {
  if ((notedFlow.get(id) ?? 0) > Date.now() - FLOW_MS) return
  notedFlow.set(id, Date.now())
  await getSql(db)`update whatsapp set last_message_at = now() where id = ${id}`.catch(() => {})
}

/** Records the raw events; gives back those that were not known. */
async function recordRaw(tx: Tx, whatsappId: number, arrived: readonly Arrived[]): Promise<Arrived[]> {
  const rows = new Map<string, { key: string; payload: string; at: number }>()
  for (const { key, event } of arrived)
    if (key !== null && !rows.has(key)) rows.set(key, { key, payload: JSON.stringify(event), at: rows.size })
  if (rows.size === 0) return [...arrived]
  const stored = await getSql(tx)<{ key: string }[]>`
    insert into raw_event (whatsapp_id, key, payload, received_at)
    select ${whatsappId}, x.key, x.payload, now() + x.at * interval '1 millisecond'
    from jsonb_to_recordset(${JSON.stringify([...rows.values()])}::jsonb) as x(key text, payload text, at int)
    on conflict do nothing returning key`
  const unseen = new Set(stored.map(row => row.key))
  return arrived.filter(({ key }) => key === null || unseen.delete(key))
}

/**
 * Meta names a person by number and id with every message, and so an identity comes before each: what comes in with all these names joins them
 * itself, and its neighbours are messages again.
 */
function withoutImplied(arrived: readonly Arrived[]): readonly Arrived[] {
  return arrived.filter(({ event }, at) => event.type !== 'identity' || !isImplied(event, arrived[at + 1]?.event))
}

type Identity = Extract<ChannelEvent, { type: 'identity' }>

function isImplied({ pn, lid, bsuid }: Identity, next: ChannelEvent | undefined): boolean {
  if (next?.type !== 'message' || next.ref.fromMe || next.chat.group || isBetter(next)) return false
  const { chat } = next
  return chat.pn === pn && chat.lid === lid && chat.bsuid === bsuid
}

interface Run {
  /** Null: nothing joins it. */
  readonly type: ChannelEvent['type'] | null
  readonly all: Arrived[]
  /** Of whom and of which messages it tells; null: nothing changes places with it. */
  readonly about: Set<string> | null
}

/**
 * Neighbours of one type are applied together. So are messages, receipts and names of different people, whatever came in between: one joins
 * those of its type that come after all that is about the same person or message. Messages keep their order, whomever they are of:
 * two addresses may turn out to be one person. What names one before it comes after that one, and so does everything else.
 */
function groupRuns(arrived: readonly Arrived[]): Arrived[][] {
  const runs: Run[] = []
  for (const one of arrived) {
    const type = isBetter(one.event) ? null : one.event.type
    const about = listSubjects(one.event)
    const before = runs.findLastIndex(run => !(about && run.about?.isDisjointFrom(about)))
    const mayPass = type === 'message' ? runs.findLastIndex(run => run.type === type) : 0
    const own = runs.find((run, at) => at >= Math.max(before, mayPass) && type !== null && run.type === type)
    if (own) {
      own.all.push(one)
      for (const name of about ?? []) own.about?.add(name)
    } else runs.push({ type, all: [one], about })
  }
  return runs.map(({ all }) => all)
}

function listSubjects(event: ChannelEvent): Set<string> | null {
  switch (event.type) {
    case 'message':
      if (isBetter(event)) return null
      return new Set([
        event.ref.id,
        ...toNames(event.chat),
        ...toNames(readAddress(event.ref.chat)),
        ...(event.author ? toNames(event.author) : []),
      ])
    case 'ack':
      return new Set([event.ref.id, ...toNames(readAddress(event.ref.chat))])
    case 'identity':
      return new Set(toNames(toPeer(event)))
    default:
      return null
  }
}

function toNames(peer: Peer): string[] {
  return toIdentities(peer).map(({ kind, value }) => `${kind}:${value}`)
}

/** It takes the place of a file that came before it. */
function isBetter(event: ChannelEvent): boolean {
  return event.type === 'message' && event.betterOf !== undefined
}

function listEvents(arrived: readonly Arrived[]): ChannelEvent[] {
  return arrived.map(({ event }) => event)
}

export async function applyEvents(receiving: InboxBatch, run: readonly Arrived[]): Promise<void> {
  const events = listEvents(run)
  const messages = events.filter(event => event.type === 'message')
  if (messages.length > 0) {
    const own = messages.some(isBetter) ? await applyBetterFiles(receiving, messages) : messages
    if (own.length > 0) await applyWaiting(receiving, await applyMessages(receiving, own))
    return
  }
  const identities = events.filter(event => event.type === 'identity')
  if (identities.length > 0) return applyIdentities(receiving, identities)
  const acks = events.filter(event => event.type === 'ack')
  if (acks.length > 0) return applyWaiting(receiving, await applyAcks(receiving, acks))
  for (const { key, event } of run) await applyOne(receiving, event, key)
}

async function applyOne(receiving: InboxBatch, event: ChannelEvent, key: string | null): Promise<void> {
  switch (event.type) {
    case 'edit':
    case 'revoke':
    case 'reaction':
      return applyChange(receiving, event, key)
    case 'call':
      return applyCall(receiving, event)
    case 'moved':
      return applyMove(receiving, event)
    case 'unreadable':
      return applyUnreadable(receiving, event, key)
    case 'contact':
      return applyContact(receiving, event)
    case 'preference':
      return applyPreference(receiving, event)
    case 'timer':
      return applyTimer(receiving, event)
    case 'news':
      return applyNews(receiving, event)
    case 'group':
      return applyGroup(receiving, event)
    case 'membership':
      return applyMembership(receiving, event)
  }
}
