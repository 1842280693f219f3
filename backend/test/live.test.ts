import { beforeEach, describe, expect, spyOn, test } from 'bun:test'
import type { LiveEvent, TicketFacts, Viewer, VisibilitySettings } from '@balcao/contract'
import { drizzle } from 'drizzle-orm/postgres-js'
import { removeRevokedContent } from '../src/app/socket/revoked-content.ts'
import { type Notices, openNotices } from '../src/platform/database/notices.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { appendEvents } from '../src/platform/live/append.ts'
import { type Cursor, isPast } from '../src/platform/live/cursor.ts'
import { startHub } from '../src/platform/live/hub.ts'
import type { Hub, HubSocket } from '../src/platform/live/hub-parts.ts'
import {
  readAfter,
  readBetween,
  readCurrentPosition,
  readIgnoringForeignTransactions,
  startLiveReader,
} from '../src/platform/live/reader.ts'
import type { Audience } from '../src/platform/live/table.ts'
import { createTestDatabase } from './database.ts'
import { waitUntil } from './until.ts'

const { db, beforeDrop } = await createTestDatabase()
const notices = openNotices(db)
let settings: VisibilitySettings = {
  onlyAdminSeeEmptyQueue: false,
  userShowAll: false,
  userClosedQueues: false,
  groupPerUser: false,
  hierarchy: false,
  adminChatInterno: false,
  onlyTicketMsg: false,
  historyByConnection: false,
  historyByQueue: false,
  historyByUser: false,
}
const people = new Map<number, Viewer>([
  [1, { id: 1, profile: 'admin', queueIds: [] }],
  [2, { id: 2, profile: 'user', queueIds: [10] }],
  [3, { id: 3, profile: 'user', queueIds: [20] }],
  [5, { id: 5, profile: 'user', queueIds: [10] }],
])
/** What a test lets happen while a person is read, or the settings are. */
let reading = async () => {}
let readingSettings = async () => {}
const topics = new Map<string, Set<FakeSocket>>()
const hub: Hub = await startHub(db, notices, {
  settings: async () => {
    const found = settings
    await readingSettings()
    return found
  },
  dropTakenBack: rows => removeRevokedContent(db, rows),
  viewer: async id => {
    const found = people.get(id) ?? null
    await reading()
    return found
  },
  publish: (topic, text) => {
    for (const socket of topics.get(topic) ?? []) socket.send(text)
  },
  failed: error => {
    throw error
  },
})
beforeDrop(async () => {
  hub.stop()
  await notices.close()
})

const inQueue10: TicketFacts = { status: 'pending', queueId: 10, userId: null, ownerProfile: null, isGroup: false }
const inQueue20: TicketFacts = { ...inQueue10, queueId: 20 }
/** Seen by colleagues while `userShowAll` is on. */
const ofBruna: TicketFacts = { ...inQueue10, status: 'open', userId: 5, ownerProfile: 'user' }
const changedSetting: LiveEvent = {
  ...{ event: 'settings', action: 'update', version: 1 },
  setting: { key: 'userShowAll', value: '' },
}

beforeEach(async () => {
  settings = { ...settings, userShowAll: false }
})

describe('live events', () => {
  test('reach those who may see the ticket and nobody else', async () => {
    const [admin, ten, twenty] = await Promise.all([connected(1), connected(2), connected(3)])
    await tell(ticketGone(7), { to: 'ticket', ticketId: 7, after: inQueue10 })
    await Promise.all([admin.until('ticketId', 7), ten.until('ticketId', 7)])
    await tell(ticketGone(8), { to: 'everyone' })
    await twenty.until('ticketId', 8)
    expect(twenty.events.map(event => event.ticketId)).not.toContain(7)
  })

  test('tell those who lose sight of a ticket that it is gone', async () => {
    const [ten, twenty] = await Promise.all([connected(2), connected(3)])
    await tell(ticketGone(9, 4), { to: 'ticket', ticketId: 9, before: inQueue10, after: inQueue20 })
    await twenty.until('ticketId', 9)
    expect(await ten.until('ticketId', 9)).toMatchObject({ action: 'delete', reason: 'hidden', version: 4 })
  })

  test('a row that commits late is not skipped, though a later id was read before', async () => {
    const admin = await connected(1)
    const late = Promise.withResolvers<void>()
    const appended = Promise.withResolvers<void>()
    const slow = db.transaction(async tx => {
      await appendEvents(tx, [{ event: ticketGone(100), audience: { to: 'admins' } }])
      appended.resolve()
      await late.promise
    })
    await appended.promise
    await tell(ticketGone(101), { to: 'admins' })
    expect(admin.events.map(event => event.ticketId)).not.toContain(101)
    late.resolve()
    await slow
    notices.ring('live')
    await admin.until('ticketId', 101)
    expect(admin.events.map(event => event.ticketId).filter(id => id === 100 || id === 101)).toEqual([100, 101])
  })

  test('transactions come in their order, also where their number gets a digit more', async () => {
    await getSql(db)`
      insert into live_event (xid, audience, payload) values ('100', '{"to":"everyone"}', 'later'), ('99', '{"to":"everyone"}', 'earlier')`
    const rows = [
      await readAfter(db, { xid: '50', id: 0 }, 2),
      await readIgnoringForeignTransactions(db, { xid: '50', id: 0 }, 2),
      await readBetween(db, { xid: '50', id: 0 }, { xid: '100', id: 2 ** 40 }, 2),
    ]
    expect(rows.map(some => some.map(row => row.payload))).toEqual(Array(3).fill(['earlier', 'later']))
    await getSql(db)`delete from live_event where xid in ('99', '100')`
  })

  test('what was missed comes after hello with the last cursor, once and in order', async () => {
    const first = await connected(1)
    const { cursor } = first
    hub.leave(first)
    for (const id of [201, 202, 203]) await tell(ticketGone(id), { to: 'admins' })
    const back = await connected(1, cursor)
    await back.until('ticketId', 203)
    expect(back.events.map(event => event.ticketId).filter(id => id > 200 && id < 300)).toEqual([201, 202, 203])
  })

  test('a cursor that is too old or none at all gets a reset', async () => {
    await tell(ticketGone(300), { to: 'admins' })
    await db.$client`delete from live_event where id <= (select min(id) from live_event)`
    const old = await connected(1, '1.1')
    expect(old.frames.at(0)?.type).toBe('reset')
    const odd = await connected(1, 'drop table')
    expect(odd.frames.at(0)?.type).toBe('reset')
  })

  test('a person who gets another queue begins afresh, one who is deactivated is signed out', async () => {
    const ten = await connected(2)
    people.set(2, { id: 2, profile: 'user', queueIds: [20] })
    await tell({ event: 'user', action: 'delete', version: 1, userId: 2 }, { to: 'everyone' })
    await ten.untilFrame('reset')
    await tell(ticketGone(400), { to: 'ticket', ticketId: 400, after: inQueue20 })
    await ten.until('ticketId', 400)
    people.delete(2)
    await tell({ event: 'user', action: 'delete', version: 2, userId: 2 }, { to: 'everyone' })
    await ten.closed
    people.set(2, { id: 2, profile: 'user', queueIds: [10] })
  })

  test('a moved person leaves the old audience: what only its people may see does not come any more, live or missed', async () => {
    const [moved, stays] = await Promise.all([connected(2), connected(5)])
    people.set(2, { id: 2, profile: 'user', queueIds: [20] })
    await tell({ event: 'user', action: 'delete', version: 7, userId: 2 }, { to: 'everyone' })
    await moved.untilFrame('reset')
    await tell(ticketGone(410), { to: 'ticket', ticketId: 410, after: inQueue10 })
    await tell(ticketGone(411), { to: 'everyone' })
    await Promise.all([moved.until('ticketId', 411), stays.until('ticketId', 411)])
    expect(stays.events.map(event => event.ticketId)).toContain(410)
    expect(moved.events.map(event => event.ticketId)).not.toContain(410)
    expect(moved.topics().toSorted()).toEqual(['audience:user:2:20', 'everybody'])
    // And nothing stays behind of where they were when they go back: each event comes once.
    people.set(2, { id: 2, profile: 'user', queueIds: [10] })
    await tell({ event: 'user', action: 'delete', version: 8, userId: 2 }, { to: 'everyone' })
    await moved.untilReset(2)
    await tell(ticketGone(412), { to: 'ticket', ticketId: 412, after: inQueue10 })
    await tell(ticketGone(413), { to: 'everyone' })
    await moved.until('ticketId', 413)
    expect(moved.events.filter(event => event.ticketId === 412)).toHaveLength(1)
    hub.leave(moved)
    hub.leave(stays)
  })

  test('what is told together with a lost right, or before it was read, does not come by the right of before; what is one’s own does', async () => {
    const moved = await connected(2)
    const slow = Promise.withResolvers<void>()
    reading = () => slow.promise
    people.set(2, { id: 2, profile: 'user', queueIds: [20] })
    const lost: LiveEvent = { event: 'user', action: 'delete', version: 9, userId: 2 }
    await db.transaction(tx =>
      appendEvents(tx, [
        { event: lost, audience: { to: 'user', userId: 2 } },
        { event: ticketGone(420), audience: { to: 'ticket', ticketId: 420, after: inQueue10 } },
      ]),
    )
    notices.ring('live')
    await moved.untilFrame('events')
    reading = async () => {}
    slow.resolve()
    await moved.untilFrame('reset')
    await tell(ticketGone(421), { to: 'everyone' })
    await moved.until('ticketId', 421)
    expect(moved.events.map(({ event }) => event)).toEqual(['user', 'ticket'])
    people.set(2, { id: 2, profile: 'user', queueIds: [10] })
    await tell({ ...lost, version: 10 }, { to: 'everyone' })
    await moved.untilReset(2)
    hub.leave(moved)
  })

  test('a catch-up goes on behind its first page of 500 events, to the last one that was missed', async () => {
    const first = await connected(1)
    await tell(ticketGone(700), { to: 'admins' })
    await first.until('ticketId', 700)
    const { cursor } = first
    hub.leave(first)
    const missed = Array.from({ length: 1203 }, (_, n) => 10_001 + n)
    await db.transaction(tx =>
      appendEvents(
        tx,
        missed.map(id => ({ event: ticketGone(id), audience: { to: 'admins' } as const })),
      ),
    )
    notices.ring('live')
    const back = await connected(1, cursor)
    const last = 10_000 + missed.length
    await back.until('ticketId', last)
    expect(back.frames.map(frame => frame.type)).not.toContain('reset')
    expect(back.events.map(event => event.ticketId).filter(id => id > 10_000)).toEqual(missed)
    hub.leave(back)
  })

  test('for one person only come to nobody else, also where who shared the audience is gone', async () => {
    people.set(4, { id: 4, profile: 'admin', queueIds: [] })
    const first = await connected(1)
    const second = await connected(4)
    hub.leave(first)
    await tell(ticketGone(600), { to: 'user', userId: 1 })
    await tell(ticketGone(601), { to: 'user', userId: 4 })
    await second.until('ticketId', 601)
    expect(second.events.map(event => event.ticketId)).not.toContain(600)
    hub.leave(second)
  })

  test('who loses a right while catching up begins afresh', async () => {
    const ten = await connected(2)
    const { cursor } = ten
    hub.leave(ten)
    await tell(ticketGone(610), { to: 'ticket', ticketId: 610, after: inQueue10 })
    const back = new FakeSocket(2)
    await hub.enter(back)
    const other = await connected(2)
    people.set(2, { id: 2, profile: 'user', queueIds: [20] })
    const greeting = hub.hello(back, cursor)
    await tell({ event: 'user', action: 'delete', version: 4, userId: 2 }, { to: 'everyone' })
    await greeting
    await Promise.all([back.untilFrame('reset'), other.untilFrame('reset')])
    people.set(2, { id: 2, profile: 'user', queueIds: [10] })
    await tell({ event: 'user', action: 'delete', version: 5, userId: 2 }, { to: 'everyone' })
  })

  test('a change told while somebody comes in holds for them, though what was read is older', async () => {
    const slow = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    reading = async () => {
      reading = async () => {}
      reached.resolve()
      await slow.promise
    }
    const coming = connected(5)
    await reached.promise
    people.set(5, { id: 5, profile: 'user', queueIds: [20] })
    const witness = await connected(1)
    await tell({ event: 'user', action: 'delete', version: 6, userId: 5 }, { to: 'everyone' })
    await tell(ticketGone(620), { to: 'everyone' })
    await witness.until('ticketId', 620)
    slow.resolve()
    const socket = await coming
    expect(hub.viewerOf(socket)?.queueIds).toEqual([20])
  })

  test('a new right reaches all windows of a person, also one that opens before anybody has told of it', async () => {
    const before = await connected(3)
    people.set(3, { id: 3, profile: 'user', queueIds: [10, 20] })
    const after = await connected(3)
    await before.untilFrame('reset')
    await tell(ticketGone(500), { to: 'ticket', ticketId: 500, after: inQueue10 })
    await Promise.all([before.until('ticketId', 500), after.until('ticketId', 500)])
    people.set(3, { id: 3, profile: 'user', queueIds: [20] })
    await tell({ event: 'user', action: 'delete', version: 3, userId: 3 }, { to: 'everyone' })
    await after.untilFrame('reset')
    expect(before.frames.filter(frame => frame.type === 'reset')).toHaveLength(2)
  })

  test('what comes behind a changed setting is told by that setting, also where both are read at once', async () => {
    const ten = await connected(2)
    settings = { ...settings, userShowAll: true }
    await db.transaction(tx =>
      appendEvents(tx, [
        { event: changedSetting, audience: { to: 'everyone' } },
        { event: ticketGone(800), audience: { to: 'ticket', ticketId: 800, after: ofBruna } },
      ]),
    )
    notices.ring('live')
    await tell(ticketGone(801), { to: 'everyone' })
    await ten.until('ticketId', 801)
    expect(ten.events.map(event => event.ticketId).slice(-2)).toEqual([800, 801])
    expect(ten.frames.findIndex(({ type }) => type === 'reset')).toBeLessThan(
      ten.frames.findIndex(({ events }) => events?.some(({ ticketId }) => ticketId === 800)),
    )
    settings = { ...settings, userShowAll: false }
    await tell(changedSetting, { to: 'everyone' })
    await ten.untilReset(2)
    hub.leave(ten)
  })

  test('of two changes of the settings the later one holds, however long the earlier one takes to be read', async () => {
    const ten = await connected(2)
    const slow = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    readingSettings = async () => {
      readingSettings = async () => {}
      reached.resolve()
      await slow.promise
    }
    await tell(changedSetting, { to: 'everyone' })
    await reached.promise
    settings = { ...settings, userShowAll: true }
    await tell(changedSetting, { to: 'everyone' })
    await Bun.sleep(100)
    slow.resolve()
    await ten.untilFrame('reset')
    await tell(ticketGone(810), { to: 'ticket', ticketId: 810, after: ofBruna })
    await tell(ticketGone(811), { to: 'everyone' })
    await ten.until('ticketId', 811)
    expect(ten.events.map(event => event.ticketId)).toContain(810)
    settings = { ...settings, userShowAll: false }
    await tell(changedSetting, { to: 'everyone' })
    await ten.untilReset(2)
    hub.leave(ten)
  })

  test('a changed setting reaches everybody, also where a person is told of at once and the database is away for a moment', async () => {
    const ten = await connected(2)
    const three = await connected(3)
    reading = async () => {
      reading = async () => {}
      throw Object.assign(new Error('gone'), { code: '57P01', query: 'select' })
    }
    settings = { ...settings, userClosedQueues: true }
    await db.transaction(tx =>
      appendEvents(tx, [
        { event: changedSetting, audience: { to: 'everyone' } },
        { event: { event: 'user', action: 'delete', version: 11, userId: 2 }, audience: { to: 'everyone' } },
      ]),
    )
    notices.ring('live')
    await Promise.all([three.untilFrame('reset'), ten.untilFrame('reset')])
    settings = { ...settings, userClosedQueues: false }
    await tell(changedSetting, { to: 'everyone' })
    await three.untilReset(2)
    hub.leave(three)
    hub.leave(ten)
  })

  test('a setting that changes while a process starts is not missed by it', async () => {
    const messages: string[] = []
    let isFirst = true
    const late = await startHub(db, notices, {
      settings: async () => {
        const found = settings
        if (!isFirst) return found
        isFirst = false
        settings = { ...settings, userShowAll: true }
        await tell(changedSetting, { to: 'everyone' })
        return found
      },
      dropTakenBack: rows => removeRevokedContent(db, rows),
      viewer: async id => people.get(id) ?? null,
      publish: (_, text) => messages.push(text),
      failed: error => {
        throw error
      },
    })
    const socket = new FakeSocket(2)
    await late.enter(socket)
    await late.hello(socket, null)
    await waitUntil('it knows', () => late.maySee(socket, ofBruna))
    late.stop()
    settings = { ...settings, userShowAll: false }
    await tell(changedSetting, { to: 'everyone' })
  })

  test('a cursor of transactions that this database has not had yet begins afresh: it is of another one', async () => {
    const first = await connected(1)
    const [, ...rest] = first.cursor.split('.')
    const back = await connected(1, ['99999999999', ...rest].join('.'))
    expect(back.frames.at(0)?.type).toBe('reset')
    hub.leave(first)
    hub.leave(back)
  })

  test('a database that lost what was read of it is read on from where it stands', async () => {
    const handed: string[] = []
    const lost = Promise.withResolvers<Cursor>()
    const ahead = { xid: '99999999999', id: 0 }
    const reader = await startLiveReader(db, notices, ahead, {
      hand: async rows => void handed.push(...rows.map(row => row.payload)),
      lost: lost.resolve,
      failed: error => {
        throw error
      },
    })
    expect(isPast(ahead, await lost.promise)).toBe(true)
    await tell(ticketGone(820), { to: 'everyone' })
    await waitUntil('it reads on', () => handed.some(payload => payload.includes('820')))
    reader.stop()
  })

  test('what is told of while it is looked whether anything waits is read at once, not at the next look', async () => {
    const isLooked = Promise.withResolvers<void>()
    const goesOn = Promise.withResolvers<void>()
    // The answer to the first look comes late: by then it knows nothing of what has happened since.
    const client = new Proxy(getSql(db), {
      async apply(target, self, args: [readonly string[]]) {
        const answer = await Reflect.apply(target, self, args)
        if (args[0].join().includes('isHeldBack')) {
          isLooked.resolve()
          await goesOn.promise
        }
        return answer
      },
    })
    const looks = spyOn(globalThis, 'setInterval').mockReturnValue(setTimeout(() => {}))
    let ring = () => {}
    const byHand: Notices = {
      ...notices,
      async on(_, heard) {
        ring = () => heard('')
      },
    }
    const payloads: string[] = []
    const reader = await startLiveReader(drizzle({ client }), byHand, await readCurrentPosition(db), {
      hand: async rows => void payloads.push(...rows.map(row => row.payload)),
      lost: () => {},
      failed: error => {
        throw error
      },
    })
    looks.mockRestore()
    ring()
    await isLooked.promise
    await tell(ticketGone(4711), { to: 'everyone' })
    ring()
    goesOn.resolve()
    await waitUntil('it is read', async () => payloads.some(payload => payload.includes('4711')))
    reader.stop()
  })
})

function ticketGone(ticketId: number, version = 1): LiveEvent {
  return { event: 'ticket', action: 'delete', version, ticketId, reason: 'deleted' }
}

async function tell(event: LiveEvent, audience: Audience): Promise<void> {
  await db.transaction(tx => appendEvents(tx, [{ event, audience }]))
  notices.ring('live')
}

async function connected(userId: number, cursor: string | null = null): Promise<FakeSocket> {
  const socket = new FakeSocket(userId)
  await hub.enter(socket)
  await hub.hello(socket, cursor)
  return socket
}

interface Seen {
  readonly event: string
  readonly action: string
  readonly ticketId: number
}

/** What a browser would see, with waits instead of sleeps. */
class FakeSocket implements HubSocket {
  readonly frames: { type: string; cursor: string; events?: Seen[] }[] = []
  readonly #waiting = new Set<() => void>()
  readonly #closing = Promise.withResolvers<void>()
  readonly closed = this.#closing.promise
  constructor(readonly userId: number) {}

  get events(): Seen[] {
    return this.frames.flatMap(frame => frame.events ?? [])
  }
  get cursor(): string {
    return this.frames.at(-1)?.cursor ?? ''
  }
  send(text: string): void {
    this.frames.push(JSON.parse(text))
    for (const check of this.#waiting) check()
  }
  subscribe(topic: string): void {
    topics.set(topic, (topics.get(topic) ?? new Set()).add(this))
  }
  topics(): string[] {
    return [...topics].flatMap(([topic, sockets]) => (sockets.has(this) ? [topic] : []))
  }
  unsubscribe(topic: string): void {
    topics.get(topic)?.delete(this)
  }
  close(): void {
    this.#closing.resolve()
  }
  until(key: keyof Seen, value: unknown): Promise<Seen> {
    return this.#when(() => this.events.find(event => event[key] === value))
  }
  async untilFrame(type: string): Promise<void> {
    await this.#when(() => this.frames.find(frame => frame.type === type))
  }
  async untilReset(times: number): Promise<void> {
    await this.#when(() => this.frames.filter(frame => frame.type === 'reset').length >= times || undefined)
  }
  #when<T>(look: () => T | undefined): Promise<T> {
    return new Promise(done => {
      const check = () => {
        const found = look()
        if (found === undefined) return
        this.#waiting.delete(check)
        done(found)
      }
      this.#waiting.add(check)
      check()
    })
  }
}
