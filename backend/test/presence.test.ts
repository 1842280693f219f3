// Who looks at and writes in a ticket, and who is there: over real sockets, across server processes.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { PresenceViewer, UserBrief, VolatileEvent } from '@balcao/contract'
import { type RunningServer, startServer } from '../src/app/server.ts'
import { markUsersGone, setPresence, sweepPresence } from '../src/desk/users/presence.ts'
import { openDatabase } from '../src/platform/database/client.ts'
import { openNotices } from '../src/platform/database/notices.ts'
import { startPresenceBroadcast } from '../src/platform/live/presence-broadcast.ts'
import { startViewers, type Viewers } from '../src/platform/live/viewers.ts'
import { createBrowser, type SignedInPerson, startDeskServer } from './desk-server.ts'
import {
  DATA_KEY,
  makeConnection,
  makeContact,
  makePerson,
  makeQueue,
  makeTicket,
  PASSWORD,
  toEmail,
} from './desk-world.ts'
import { waitUntil } from './until.ts'

let two: RunningServer
const open: Seat[] = []
// Before the first server's own: its database goes with it.
afterAll(() => two?.stop(), 20_000)
afterEach(() => {
  for (const seat of open.splice(0)) seat.leave()
})
const one = await startDeskServer()
const { db } = one
let ticketId = 0
let colleagues = 0
let other = 0

beforeAll(async () => {
  two = await startServer({ env: { ...envOf(one), PORT: '0' } })
  const finance = await makeQueue(db, 'Financeiro')
  const sales = await makeQueue(db, 'Comercial')
  await makePerson(db, { name: 'Marina', profile: 'admin' })
  const bruna = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [finance] })
  await makePerson(db, { name: 'Diego', profile: 'user', queueIds: [finance] })
  await makePerson(db, { name: 'Carla', profile: 'user', queueIds: [sales] })
  const whatsappId = await makeConnection(db, 'Loja Centro')
  const lucia = await makeContact(db, 'Dona Lúcia')
  ticketId = await makeTicket(db, { contactId: lucia, whatsappId, status: 'pending', queueId: finance })
  const ze = await makeContact(db, 'Seu Zé')
  colleagues = await makeTicket(db, { contactId: ze, whatsappId, status: 'open', queueId: finance, userId: bruna })
  const nonna = await makeContact(db, 'Pizzaria Nonna')
  other = await makeTicket(db, { contactId: nonna, whatsappId, status: 'pending', queueId: sales })
}, 30_000)

describe('who looks at a ticket (spec 1 §4 "joinChatBox")', () => {
  test('is told across server processes to whoever may see it, with name and picture, and to nobody else', async () => {
    const [bruna, diego, carla] = await Promise.all([seat('Bruna', one), seat('Diego', two), seat('Carla', two)])
    bruna.say({ type: 'joinChatBox', ticketId })
    await diego.sees(ticketId, [{ id: bruna.id, name: 'Bruna', profilePicUrl: null, writing: false }])
    diego.say({ type: 'joinChatBox', ticketId })
    await bruna.sees(ticketId, [{ name: 'Bruna' }, { name: 'Diego' }])
    bruna.say({ type: 'leaveChatBox', ticketId })
    await diego.sees(ticketId, [{ name: 'Diego' }])
    // Carla has another queue; what she may see reaches her afterwards, so the rest would have been there.
    carla.say({ type: 'joinChatBox', ticketId: other })
    await carla.sees(other, [{ name: 'Carla' }])
    expect(carla.everHeardOf(ticketId)).toBe(false)
  })

  test('a number that is nobody’s is refused, and the line stands', async () => {
    const bruna = await seat('Bruna', one)
    bruna.say({ type: 'joinChatBox', ticketId: 2 ** 31 })
    bruna.say({ type: 'joinChatBoxChat', chatId: 2 ** 53 })
    bruna.say({ type: 'typingChat', chatId: 2 ** 31, state: 'typing' })
    bruna.say({ type: 'joinChatBox', ticketId })
    await bruna.sees(ticketId, [{ name: 'Bruna' }])
    expect(bruna.refused).toEqual(Array(3).fill('ERR_VALIDATION'))
  })

  test('comes at once to whoever comes in later', async () => {
    const bruna = await seat('Bruna', one)
    bruna.say({ type: 'joinChatBox', ticketId })
    const marina = await seat('Marina', two)
    await marina.sees(ticketId, [{ name: 'Bruna' }])
  })

  test('ends when the socket dies, with several windows when the last one does', async () => {
    const marina = await seat('Marina', two)
    const [first, second] = await Promise.all([seat('Bruna', one), seat('Bruna', two)])
    first.say({ type: 'joinChatBox', ticketId })
    second.say({ type: 'joinChatBox', ticketId })
    await marina.sees(ticketId, [{ name: 'Bruna' }])
    first.leave()
    second.say({ type: 'typing', ticketId, state: 'typing' })
    await marina.sees(ticketId, [{ name: 'Bruna', writing: true }])
    second.leave()
    await marina.sees(ticketId, [])
  })

  test('who may not see a ticket cannot be seen looking at it', async () => {
    const [marina, diego] = await Promise.all([seat('Marina', one), seat('Diego', two)])
    diego.say({ type: 'joinChatBox', ticketId: colleagues })
    diego.say({ type: 'joinChatBox', ticketId })
    await marina.sees(ticketId, [{ name: 'Diego' }])
    expect(marina.at(colleagues)).toEqual([])
  })

  test('who loses sight of a ticket no longer looks at it; who gains sight learns who does', async () => {
    const [marina, diego, carla] = await Promise.all([seat('Marina', one), seat('Diego', two), seat('Carla', one)])
    marina.say({ type: 'joinChatBox', ticketId })
    diego.say({ type: 'joinChatBox', ticketId })
    await marina.sees(ticketId, [{ name: 'Marina' }, { name: 'Diego' }])
    const sales = await db.$client<{ id: number }[]>`select id from queue where name = 'Comercial'`
    await marina.call('PUT', `/tickets/${ticketId}`, { queueId: sales[0]?.id })
    await carla.sees(ticketId, [{ name: 'Marina' }])
    await marina.sees(ticketId, [{ name: 'Marina' }])
  })
})

describe('who has begun to answer', () => {
  test('is known until the answer is sent or given up, to those who come in too', async () => {
    const [marina, carla] = await Promise.all([seat('Marina', one), seat('Carla', two)])
    carla.say({ type: 'joinChatBox', ticketId: other })
    carla.say({ type: 'typing', ticketId: other, state: 'typing' })
    await marina.sees(other, [{ name: 'Carla', writing: true }])
    const late = await seat('Marina', two)
    await late.sees(other, [{ name: 'Carla', writing: true }])
    carla.say({ type: 'typing', ticketId: other, state: 'paused' })
    await marina.sees(other, [{ name: 'Carla', writing: false }])
  })
})

describe('users: status online, away, offline (spec 1 §3, §4 "user-heartbeat")', () => {
  test('online with the first socket, away while nobody touches the screen, online again', async () => {
    const marina = await seat('Marina', one)
    const diego = await seat('Diego', two)
    await marina.seesStatus(diego.id, 'online')
    diego.say({ type: 'user-heartbeat', idle: true })
    await marina.seesStatus(diego.id, 'away')
    diego.say({ type: 'user-heartbeat' })
    await marina.seesStatus(diego.id, 'online')
  })

  test('offline within seconds after the last socket in all processes is gone', async () => {
    const marina = await seat('Marina', one)
    const [here, there] = await Promise.all([seat('Carla', one), seat('Carla', two)])
    await marina.seesStatus(here.id, 'online')
    here.leave()
    there.leave()
    await marina.seesStatus(here.id, 'offline')
  })
})

describe('who came back a moment ago', () => {
  let id = 0
  const setting = { db, presenceChanged: () => {} }
  const seen = (secondsAgo: number) =>
    db.$client`update "user" set status = 'online', last_seen_at = now() - ${secondsAgo} * interval '1 second' where id = ${id}`
  const status = async () => (await db.$client`select status from "user" where id = ${id}`)[0]?.status

  beforeAll(async () => {
    id = await makePerson(db, { name: 'Rosa', profile: 'user' })
  })

  test('is not taken for gone by a process that has not heard of it yet; who was silent is', async () => {
    await seen(1)
    await markUsersGone(setting, [id])
    expect(await status()).toBe('online')
    await seen(8)
    await markUsersGone(setting, [id])
    expect(await status()).toBe('offline')
  })

  test('stays where a sweep looked at what was before', async () => {
    for (const silence of [400, 3600]) {
      await seen(silence)
      const locked = await db.$client.reserve()
      await locked`begin`
      await locked`update "user" set last_seen_at = now() where id = ${id}`
      const sweeping = sweepPresence(setting, 300_000, [])
      await waitUntil('the sweep waits for who comes in', async () => (await waiting()).length > 0)
      await locked`commit`
      locked.release()
      await sweeping
      expect([silence, await status()]).toEqual([silence, 'online'])
    }
    await seen(400)
    await sweepPresence(setting, 300_000, [id])
    expect(await status()).toBe('away')
    await seen(40)
    await sweepPresence(setting, 300_000, [])
    expect(await status()).toBe('offline')
  })

  function waiting() {
    return db.$client`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%update "user" set status%'`
  }
})

describe('who is there is told in rounds', () => {
  test('who comes in hears of everybody at once, with a frame and without an event; the owner is nobody', async () => {
    const marina = await seat('Marina', one)
    const [bruna, carla] = await Promise.all([seat('Bruna', two), seat('Carla', one)])
    await marina.seesStatus(bruna.id, 'online')
    await marina.seesStatus(carla.id, 'online')
    await db.$client`update "user" set status = 'online' where id = 1`
    const late = await seat('Diego', two)
    const named = () => late.rounds.flatMap(({ online }) => online)
    await waitUntil('everybody is named', () => [marina.id, bruna.id, carla.id].every(id => named().includes(id)))
    expect(late.rounds[0]).toMatchObject({ all: true, offline: [] })
    await marina.seesStatus(late.id, 'online')
    expect(marina.rounds.flatMap(({ online, away, offline }) => [...online, ...away, ...offline])).not.toContain(1)
    expect(await db.$client`select 1 from live_event where payload like '{"event":"user"%'`).toHaveLength(0)
  })

  test('however many come at once, it is one frame for each stretch of time, and in the end what a fresh fetch says', async () => {
    const ids = (
      await db.$client<{ id: number }[]>`
        insert into "user" (name, email_sealed, email_hash, password_hash, profile)
        select 'Pessoa ' || n, '', 'crowd ' || n, 'none', 'user' from generate_series(1, 300) n returning id`
    ).map(({ id }) => id)
    const pace = { gather: 100, checkEvery: 60_000 }
    const [here, there] = [openNotices(db), openNotices(db)]
    const frames: Presences[] = []
    const broadcast = await startPresenceBroadcast(
      db,
      here,
      { tell: frame => frames.push(JSON.parse(frame).volatile), failed },
      pace,
    )
    const setting = { db, presenceChanged: () => there.ring('presence') }
    const begun = performance.now()
    await Promise.all(ids.map((id, n) => setPresence(setting, [id], n % 3 === 0 ? 'away' : 'online')))
    await Promise.all(ids.slice(0, 100).map(id => setPresence(setting, [id], 'offline')))
    const fresh = async () =>
      (await db.$client<{ id: number; status: string }[]>`select id, status from "user" where id = any(${ids}::int[])`)
        .map(({ id, status }) => `${id} ${status}`)
        .toSorted()
    const readPresence = () => {
      const now = new Map(ids.map(id => [id, 'offline']))
      for (const frame of frames)
        for (const status of ['online', 'away', 'offline'] as const)
          for (const id of frame[status]) if (now.has(id)) now.set(id, status)
      return [...now].map(([id, status]) => `${id} ${status}`).toSorted()
    }
    const wanted = await fresh()
    await waitUntil('all of it is told', () => Bun.deepEquals(readPresence(), wanted))
    const stretches = Math.ceil((performance.now() - begun) / pace.gather)
    expect(frames.length).toBeLessThanOrEqual(1 + stretches)
    expect(frames.length).toBeLessThan(ids.length / 4)
    expect(frames.map(({ all }) => all)).toEqual([true, ...Array(frames.length - 1).fill(false)])
    const whole: Presences = JSON.parse(broadcast.there() ?? '').volatile
    // The server's own sweep may have sent some of them away, who never had a socket.
    const present = wanted.filter(status => !status.endsWith('offline'))
    expect([...whole.online, ...whole.away].filter(id => ids.includes(id))).toHaveLength(present.length)
    await broadcast.stop()
    await Promise.all([here.close(), there.close()])
    await db.$client`delete from "user" where id = any(${ids}::int[])`
  })

  test('a database that is away is asked again, and nothing of what changed meanwhile is left out', async () => {
    const notices = openNotices(db)
    const away = openDatabase(one.config.databaseUrl ?? '', { max: 1 })
    const frames: Presences[] = []
    let failures = 0
    const sources = { tell: (frame: string) => frames.push(JSON.parse(frame).volatile), failed: () => failures++ }
    const broadcast = await startPresenceBroadcast(away, notices, sources, { gather: 20, checkEvery: 100 })
    const [carla] = await db.$client<{ id: number }[]>`select id from "user" where name = 'Carla'`
    const id = carla?.id ?? 0
    Reflect.set(away._.session, 'client', () => Promise.reject(new Error('away')))
    await setPresence({ db, presenceChanged: () => notices.ring('presence') }, [id], 'away')
    await waitUntil('it could not be told', () => failures > 0)
    Reflect.set(away._.session, 'client', away.$client)
    await waitUntil('it is told', () => frames.some(frame => frame.away.includes(id)))
    await broadcast.stop()
    await notices.close()
    await away.$client.end()
  })

  function failed(error: unknown) {
    throw error
  }
})

describe('the line', () => {
  test('answers a pulse at once, while the frame before it waits for the database', async () => {
    const marina = await seat('Marina', one)
    const locked = Promise.withResolvers<void>()
    const free = Promise.withResolvers<void>()
    const lock = db.transaction(async tx => {
      await tx.execute('lock table ticket in access exclusive mode')
      locked.resolve()
      await free.promise
    })
    await locked.promise
    marina.say({ type: 'joinChatBox', ticketId })
    marina.say({ type: 'pulse' })
    await waitUntil('the pulse comes back', () => marina.pulses() === 1)
    expect(marina.at(ticketId)).toEqual([])
    free.resolve()
    await lock
    await marina.sees(ticketId, [{ name: 'Marina' }])
  })
})

describe('between processes', () => {
  const pace = { gather: 10, repeat: 100, silence: 400, writing: 300, grace: 100 }
  /** Of a machine that does much else. */
  const PATIENT = { ...pace, silence: 30_000, writing: 2000 }

  const registered: { readonly viewers: Viewers; readonly die: () => Promise<void> }[] = []

  // Also of a test that failed: what is left would ask a database that is gone.
  afterEach(async () => {
    for (const { viewers, die } of registered.splice(0)) {
      await viewers.stop().catch(() => {})
      await die()
    }
  })

  test('what a process that dies had told is forgotten, and its people are gone', async () => {
    const [left, right] = await Promise.all([register(), register()])
    const bruna = { userId: 2, maySee: () => true }
    left.viewers.enter(bruna)
    left.viewers.look(bruna, ticketId)
    await waitUntil('the other knows', () => right.users(ticketId).length === 1)
    // Told by itself, with everything that is repeated: of who was never told nobody can miss her.
    await waitUntil('and that she is here', () => right.viewers.connected()?.includes(2) === true)
    await left.die()
    await waitUntil('it is forgotten', () => right.users(ticketId).length === 0)
    await waitUntil('and she is gone', () => right.gone.includes(2))
  })

  test('thousands of viewers fit, in notices that Postgres takes', async () => {
    const [left, right] = await Promise.all([register(PATIENT), register(PATIENT)])
    for (let id = 1; id <= 3000; id++) {
      const present = { userId: id, maySee: () => true }
      left.viewers.enter(present)
      left.viewers.look(present, id)
    }
    await waitUntil('all are known', () => right.viewers.seen().length === 3000)
  })

  test('who wrote and went silent counts as looking only', async () => {
    const [left, right] = await Promise.all([register(PATIENT), register(PATIENT)])
    const bruna = { userId: 2, maySee: () => true }
    left.viewers.enter(bruna)
    left.viewers.look(bruna, ticketId)
    left.viewers.write(bruna, ticketId, true)
    await waitUntil('she writes', () => right.users(ticketId)[0]?.writing === true)
    await waitUntil('she has stopped', () => right.users(ticketId)[0]?.writing === false)
  })

  async function register(own = pace) {
    const database = openDatabase(one.config.databaseUrl ?? '', { max: 2 })
    const notices = openNotices(database)
    const gone: number[] = []
    const facts = { status: 'pending', queueId: null, userId: null, ownerProfile: null, isGroup: false } as const
    const viewers: Viewers = await startViewers(
      notices,
      {
        facts: async ids => new Map(ids.map(id => [id, facts])),
        people: async ids => ids.map((id): UserBrief => ({ id, name: `Pessoa ${id}`, profilePicUrl: null })),
        tell: () => {},
        gone: ids => gone.push(...ids),
        failed: error => {
          throw error
        },
      },
      own,
    )
    const die = async () => {
      await notices.close()
      await database.$client.end()
    }
    registered.push({ viewers, die })
    return {
      viewers,
      gone,
      users: (id: number) => viewers.seen().find(seen => seen.ticketId === id)?.users ?? [],
      /** As a killed process: no word of farewell. */
      die,
    }
  }
})

type Presences = Extract<VolatileEvent, { kind: 'presence' }>

interface Seat {
  readonly id: number
  call: SignedInPerson['call']
  say(frame: object): void
  at(ticketId: number): readonly PresenceViewer[]
  everHeardOf(ticketId: number): boolean
  pulses(): number
  /** Codes of the frames that were refused. */
  readonly refused: readonly string[]
  sees(ticketId: number, users: readonly Partial<PresenceViewer>[]): Promise<void>
  /** What was told of who is there, round by round. */
  readonly rounds: readonly Presences[]
  seesStatus(userId: number, status: string): Promise<void>
  leave(): void
}

/** Somebody with an open desk at one of the servers. */
async function seat(name: string, server: Pick<RunningServer, 'url'>): Promise<Seat> {
  const person = createBrowser(server.url)
  const { body: signedIn } = await person.call<{ token: string; user: { id: number } }>('POST', '/auth/login', {
    email: toEmail(name),
    password: PASSWORD,
  })
  person.token = signedIn.token
  const { body } = await person.call<{ token: string }>('POST', '/auth/socket', {})
  const socket = new WebSocket(`${server.url.replace(/^http/, 'ws')}/socket?token=${body.token}`)
  let now = new Map<number, readonly PresenceViewer[]>()
  const heard = new Set<number>()
  let pulses = 0
  const refused: string[] = []
  const statuses = new Map<number, string>()
  const rounds: Presences[] = []
  const welcome = Promise.withResolvers<void>()
  socket.onmessage = message => {
    const frame: { type: string; error?: string; volatile?: VolatileEvent } = JSON.parse(String(message.data))
    if (frame.type === 'pulse') pulses += 1
    if (frame.error) refused.push(frame.error)
    if (frame.type === 'welcome' || frame.type === 'reset') welcome.resolve()
    if (frame.volatile?.kind === 'viewing') {
      if (frame.volatile.all) now = new Map()
      for (const { ticketId: id, users } of frame.volatile.tickets) {
        now.set(id, users)
        heard.add(id)
      }
    }
    const there = frame.volatile
    if (there?.kind === 'presence') {
      rounds.push(there)
      if (there.all) statuses.clear()
      for (const status of ['online', 'away', 'offline'] as const)
        for (const id of there[status]) statuses.set(id, status)
    }
  }
  socket.onopen = () => socket.send(JSON.stringify({ type: 'hello', cursor: null }))
  await welcome.promise
  const { body: team } = await person.call<{ users: { id: number; status: string }[] }>('GET', '/users?all=true')
  for (const { id, status } of team.users) if (!statuses.has(id)) statuses.set(id, status)
  const made: Seat = {
    id: signedIn.user.id,
    call: (method, path, body) => person.call(method, path, body),
    say: frame => socket.send(JSON.stringify(frame)),
    at: id => now.get(id) ?? [],
    everHeardOf: id => heard.has(id),
    pulses: () => pulses,
    refused,
    rounds,
    async sees(id, users) {
      const byName = (a: Partial<PresenceViewer>, b: Partial<PresenceViewer>) =>
        (a.name ?? '').localeCompare(b.name ?? '')
      const wanted = [...users].sort(byName)
      const isSo = () => {
        const shown = [...(now.get(id) ?? [])].sort(byName)
        return shown.length === wanted.length && wanted.every((user, at) => Bun.deepMatch(user, shown[at] ?? {}))
      }
      await waitUntil(`${name} sees ${JSON.stringify(wanted)} at ${id}, not ${JSON.stringify(now.get(id))}`, isSo)
    },
    // Within the grace of both processes and a round of telling.
    seesStatus: (id, status) => waitUntil(`${name} sees ${id} ${status}`, () => statuses.get(id) === status, 20_000),
    leave: () => socket.close(),
  }
  open.push(made)
  return made
}

function envOf(server: RunningServer): Record<string, string> {
  return {
    DATABASE_URL: server.config.databaseUrl ?? '',
    DATA_DIR: server.config.dataDir,
    DATA_KEY,
    LOG_LEVEL: 'silent',
    GRAPH_URL: 'http://127.0.0.1:9',
    WHATSAPP_WEB_URL: 'ws://127.0.0.1:9',
  }
}
