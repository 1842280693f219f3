// Whether anybody misses a live event, whatever happens at once: two server processes, sockets that break and come back, people who are
// given another queue and their own again, settings that change what is seen, transactions that commit late and others that only hold
// readers up. What each person should have been told of is what the log holds in the end.

import { readConfig } from '@balcao/backend/platform/config'
import { closeDatabase, type Db, openDatabase } from '@balcao/backend/platform/database/client'
import { openNotices } from '@balcao/backend/platform/database/notices'
import { appendEvents } from '@balcao/backend/platform/live/append'
import { createAccessToken } from '@balcao/backend/policy/sessions/tokens'
import type { LiveEvent } from '@balcao/contract/events'
import { type EventLine, openLine } from '@balcao/simulator/event-listener'
import { type Benchmark, type Figure, readNumberOption } from './benchmark.ts'
import { withDatabase, withFolder } from './engine.ts'
import { waitUntil } from './measure.ts'
import { type BenchPerson, createSocketTokens, DATA_KEY, makePeople } from './people.ts'
import { type MeasuredServer, startServer } from './processes.ts'

export const liveStorm: Benchmark = {
  name: 'live-storm',
  about:
    'sockets that break, rights and settings that change, late transactions, two processes: nobody misses an event',
  onlyByName: true,
  async run(options) {
    const size: StormSize = {
      people: readNumberOption(options, 'people', 150),
      rate: readNumberOption(options, 'rate', 150),
      seconds: readNumberOption(options, 'seconds', 60),
    }
    return toFigures(await runStorm(size))
  },
}

export interface StormSize {
  readonly people: number
  /** Events a second. */
  readonly rate: number
  readonly seconds: number
}

export interface StormOutcome {
  readonly events: number
  /** An event and a person who should have been told of it, and neither was nor began afresh behind it. */
  readonly missed: number
  /** An event and a person who never had its queue, and was told of it. */
  readonly strangers: number
  readonly returns: number
  readonly resets: number
  readonly moves: number
}

interface Listener extends BenchPerson {
  readonly queueId: number
  readonly line: EventLine
  readonly received: Set<number>
  /** Done when what it fetched as it began afresh is known. */
  fetching: Promise<void>
}

const PROCESSES = 2
const PATIENCE_S = 60
/** Of the people one in so many is given another queue, and the own again. */
const MOVED = 10

/** Storms, calms down, and counts. */
export function runStorm(size: StormSize): Promise<StormOutcome> {
  return withDatabase('storm', url =>
    withFolder(async dataDir => {
      const db = openDatabase(url, { max: 20 })
      const servers: MeasuredServer[] = []
      const listeners: Listener[] = []
      try {
        for (let n = 0; n < PROCESSES; n++)
          servers.push(await startServer({ DATABASE_URL: url, DATA_DIR: dataDir, DATA_KEY }))
        const addresses = servers.map(server => server.url)
        const people = await makePeople(db.$client, size.people, 'user')
        const queues = await readQueues(db)
        for (const [n, person] of people.entries())
          listeners.push(listen(db, addresses[n % PROCESSES] ?? '', person, queues.get(person.id) ?? 0))
        await Promise.all(listeners.map(({ line }) => line.listening))
        const [admin] = await makePeople(db.$client, 1, 'admin')
        const call = await createCaller(url, dataDir, admin, addresses)
        const storm = await runStorming(db, listeners, call, size)
        return await countStorm(db, listeners, storm)
      } finally {
        for (const { line } of listeners) line.close()
        await Promise.all(servers.map(server => server.stop()))
        await closeDatabase(db)
      }
    }),
  )
}

function listen(db: Db, address: string, person: BenchPerson, queueId: number): Listener {
  const received = new Set<number>()
  const token = async () => (await createSocketTokens(db.$client, [person]))[0] ?? ''
  const line = openLine(address, {
    token,
    receive(frame) {
      if (frame.type === 'events')
        for (const event of frame.events)
          if (event.event === 'tag' && event.action === 'delete') received.add(event.tagId)
      // As a page fetches its lists anew.
      if (frame.type === 'reset') listener.fetching = listener.fetching.then(() => fetchMarks(db, queueId, received))
    },
    again: () => 50 + Math.random() * 400,
  })
  const listener: Listener = { ...person, queueId, line, received, fetching: Promise.resolve() }
  return listener
}

async function fetchMarks(db: Db, queueId: number, received: Set<number>): Promise<void> {
  for (const id of await listMarks(db, queueId)) received.add(id)
}

/** What the log holds for a queue. */
async function listMarks(db: Db, queueId: number): Promise<number[]> {
  const rows = await db.$client<{ id: number }[]>`
    select (payload::jsonb->>'tagId')::int as id from live_event
    where payload like '{"event":"tag","action":"delete"%' and audience->'after'->'queueId' = ${String(queueId)}::jsonb`
  return rows.map(({ id }) => id)
}

async function readQueues(db: Db): Promise<Map<number, number>> {
  const rows = await db.$client<{ user: number; queue: number }[]>`
    select user_id as user, queue_id as queue from user_queue`
  return new Map(rows.map(row => [row.user, row.queue]))
}

type Call = (path: string, body: object) => Promise<void>

/** Changes as an administrator makes them, at one process or the other. */
async function createCaller(
  url: string,
  dataDir: string,
  admin: BenchPerson | undefined,
  addresses: readonly string[],
): Promise<Call> {
  const config = readConfig({ DATABASE_URL: url, DATA_DIR: dataDir, DATA_KEY })
  const token = await createAccessToken(config, { userId: admin?.id ?? 0, family: admin?.family ?? '' }, 3600)
  let n = 0
  return async (path, body) => {
    const answer = await fetch(`${addresses[n++ % addresses.length]}${path}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  }
}

interface Storm {
  readonly events: number
  readonly moves: number
}

async function runStorming(
  db: Db,
  listeners: readonly Listener[],
  call: Call,
  { rate, seconds }: StormSize,
): Promise<Storm> {
  const notices = openNotices(db)
  const end = performance.now() + seconds * 1000
  const going = () => performance.now() < end
  const writing: Promise<unknown>[] = []
  let events = 0
  let moves = 0

  async function write(): Promise<void> {
    const begun = performance.now()
    while (going()) {
      for (; events < ((performance.now() - begun) / 1000) * rate; events++) writing.push(append(events + 1))
      await Bun.sleep(5)
    }
  }

  /** One in ten commits late: what began after it is already there. */
  async function append(tagId: number): Promise<void> {
    const queueId = pickOne(listeners).queueId
    const event: LiveEvent = { event: 'tag', action: 'delete', version: 1, tagId }
    const after = { status: 'pending', queueId, userId: null, ownerProfile: null, isGroup: false } as const
    await db.transaction(async tx => {
      await appendEvents(tx, [{ event, audience: { to: 'ticket', ticketId: tagId, after } }])
      if (Math.random() < 0.1) await Bun.sleep(Math.random() * 300)
    })
    notices.ring('live')
  }

  /** Transactions that write nothing of ours and hold readers up. */
  async function hold(): Promise<void> {
    while (going()) {
      await db.transaction(async tx => {
        await tx.execute('select pg_current_xact_id()')
        await Bun.sleep(Math.random() * 600)
      })
      await Bun.sleep(Math.random() * 1000)
    }
  }

  async function breakLines(): Promise<void> {
    while (going()) {
      pickOne(listeners).line.drop()
      await Bun.sleep(1000 / listeners.length)
    }
  }

  async function move(): Promise<void> {
    const moved = listeners.filter((_, n) => n % MOVED === 0)
    while (going()) {
      const { id, queueId } = pickOne(moved)
      await call(`/users/${id}`, { queueIds: [pickOne(listeners).queueId] })
      if (Math.random() < 0.5) await Bun.sleep(Math.random() * 200)
      await call(`/users/${id}`, { queueIds: [queueId] })
      moves += 2
    }
  }

  async function turnSettings(): Promise<void> {
    for (let n = 0; going(); n++) {
      await call('/settings/hierarchy', { value: n % 2 === 0 ? 'enabled' : 'disabled' })
      await Bun.sleep(4000)
    }
  }

  await Promise.all([write(), hold(), breakLines(), move(), turnSettings()])
  await Promise.all(writing)
  notices.ring('live')
  await notices.close()
  return { events, moves }
}

async function countStorm(db: Db, listeners: readonly Listener[], { events, moves }: Storm): Promise<StormOutcome> {
  const wanted = new Map<number, readonly number[]>()
  for (const { queueId } of listeners) wanted.set(queueId, await listMarks(db, queueId))
  const missedBy = ({ queueId, received }: Listener) => (wanted.get(queueId) ?? []).filter(id => !received.has(id))
  const missed = () => listeners.reduce((sum, listener) => sum + missedBy(listener).length, 0)
  const isAll = async () => {
    await Promise.all(listeners.map(({ fetching }) => fetching))
    return missed() === 0
  }
  await waitUntil(isAll, PATIENCE_S, 'everybody is told of everything', 200).catch(() => {})
  const stayed = listeners.filter((_, n) => n % MOVED !== 0)
  const strange = ({ queueId, received }: Listener) => {
    const own = new Set(wanted.get(queueId))
    return [...received].filter(id => !own.has(id)).length
  }
  return {
    events,
    missed: missed(),
    strangers: stayed.reduce((sum, listener) => sum + strange(listener), 0),
    returns: listeners.reduce((sum, { line }) => sum + line.returns, 0),
    resets: listeners.reduce((sum, { line }) => sum + line.resets, 0),
    moves,
  }
}

function pickOne<T>(list: readonly T[]): T {
  const found = list[Math.floor(Math.random() * list.length)]
  if (found === undefined) throw new Error('Nobody is there')
  return found
}

function toFigures({ events, missed, strangers, returns, resets, moves }: StormOutcome): Figure[] {
  return [
    { label: 'events', value: events, unit: '' },
    { label: 'an event and a person who missed it', value: missed, unit: '', aim: 0 },
    { label: 'an event and a person it was not for', value: strangers, unit: '', aim: 0 },
    { label: 'times a socket came back', value: returns, unit: '' },
    { label: 'times one had to begin afresh', value: resets, unit: '' },
    { label: 'times somebody was given other queues', value: moves, unit: '' },
  ]
}
