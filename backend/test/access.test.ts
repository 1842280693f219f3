// The policy of the contract and its twin in SQL, over random worlds: lists, counts, single reads, conversations and search agree.
import { describe, expect, test } from 'bun:test'
import {
  type AccessSettings,
  canSeeTicket,
  canServeTicket,
  canUseArea,
  isWaitingInBell,
  shouldNotify,
  TICKET_STATUSES,
  type TicketCounts,
  type TicketFacts,
  type Viewer,
} from '@balcao/contract'
import { loadMessagePage } from '../src/desk/messages/page.ts'
import { countTickets } from '../src/desk/tickets/counts.ts'
import { listFollowed } from '../src/desk/tickets/followers.ts'
import { getTicket } from '../src/desk/tickets/get.ts'
import { listTickets } from '../src/desk/tickets/list.ts'
import { searchTickets } from '../src/desk/tickets/search.ts'
import { listWaiting } from '../src/operations/notifications/waiting.ts'
import { AppError } from '../src/platform/http/errors.ts'
import { canSeeSchedule } from '../src/policy/access/schedules.ts'
import { loadFacts } from '../src/policy/access/ticket-facts.ts'
import { visibleToManagerSql } from '../src/policy/access/visible-tickets.ts'
import type { Session } from '../src/policy/sessions/authenticate.ts'
import { createTestDatabase } from './database.ts'
import {
  makeConnection,
  makeContact,
  makeMessage,
  makePerson,
  makeQueue,
  makeSession,
  makeTicket,
} from './desk-world.ts'

const { db } = await createTestDatabase()
const random = seeded(20_261_121)
const people: number[] = []
let facts: Map<number, TicketFacts>

const unread = new Map<number, number>()

const queues = [await makeQueue(db, 'Comercial'), await makeQueue(db, 'Financeiro'), await makeQueue(db, 'Entregas')]
const nobodysQueue = await makeQueue(db, 'Guardados')
const whatsappId = await makeConnection(db, 'Loja Centro')
/** Deleted once it had only closed tickets left. */
const goneQueue = await makeQueue(db, 'Antiga')
for (const profile of ['admin', 'admin', 'gerente', 'gerente', 'user', 'user', 'user'] as const) {
  const queueIds = [...queues.filter(() => random() < 0.6), ...(random() < 0.6 ? [goneQueue] : [])]
  people.push(await makePerson(db, { name: `${profile}${people.length}`, profile, queueIds }))
}
// Nor does anybody have a queue who has left, or is not let in.
const left = await makePerson(db, { name: 'left', profile: 'user', queueIds: [nobodysQueue] })
await db.$client`update "user" set deleted_at = now() where id = ${left}`
const inactive = await makePerson(db, { name: 'inactive', profile: 'user', queueIds: [nobodysQueue] })
await db.$client`update "user" set active = false where id = ${inactive}`
const ids: number[] = []
for (let n = 0; n < 120; n++) {
  const isGroup = random() < 0.25
  const contactId = await makeContact(db, `Cliente ${n}`, isGroup)
  const userId = random() < 0.3 ? null : pick(people)
  const status = pick(TICKET_STATUSES)
  const inQueue = random() < 0.1 ? nobodysQueue : pick(queues)
  const queueId = random() < 0.2 ? null : status === 'closed' && random() < 0.5 ? goneQueue : inQueue
  const id = await makeTicket(db, { contactId, whatsappId, status, queueId, userId, isGroup, unread: n % 2 })
  await makeMessage(db, id, 'palavra combinada')
  if (random() < 0.4)
    await db.$client`insert into ticket_follower (user_id, ticket_id) select u.id, t.id from "user" u, ticket t
      where u.id = ${pick(people)} and t.id = ${id} and t.status in ('pending', 'open', 'paused') and u.id is distinct from t.user_id`
  ids.push(id)
  unread.set(id, n % 2)
}
facts = await loadFacts(db, ids)
const seenBefore = await seenBy()
await db.$client`delete from queue where id = ${goneQueue}`
facts = await loadFacts(db, ids)

/** What each of the people may see with everything open. */
async function seenBy(): Promise<Map<number, readonly number[]>> {
  const open = { ...none(), userShowAll: true, userClosedQueues: true }
  const seen = people.map(async person => {
    const session = await makeSession(db, person, open)
    return [person, allowedFor(session.viewer, open)] as const
  })
  return new Map(await Promise.all(seen))
}

test('a scheduled send that is nobody’s any more is for managers and administrators, not for every agent', () => {
  const viewer = { id: 7, queueIds: [] }
  const seen = (['user', 'gerente', 'admin'] as const).map(profile =>
    [7, 8, null].map(userId => canSeeSchedule({ ...viewer, profile }, { userId })),
  )
  expect(seen).toEqual([
    [true, false, false],
    [true, true, true],
    [true, true, true],
  ])
})

describe('decisions §3: a queue that goes away', () => {
  test('shows its tickets to nobody who did not see them, and to administrators still', async () => {
    const inIt = [...facts].flatMap(([id, each]) => (each.queueId === goneQueue ? [id] : []))
    expect(inIt.length).toBeGreaterThan(3)
    for (const [person, seen] of await seenBy()) {
      expect(seenBefore.get(person) ?? []).toEqual(expect.arrayContaining([...seen]))
      const { viewer } = await makeSession(db, person)
      expect(seen.filter(id => inIt.includes(id))).toEqual(viewer.profile === 'admin' ? inIt : [])
    }
  })

  test('leaves its name and colour with its closed tickets', async () => {
    const [id = 0] = [...facts].flatMap(([each, { queueId }]) => (queueId === goneQueue ? [each] : []))
    const session = await makeSession(db, people[0] ?? 0)
    const ticket = await getTicket(db, session, id)
    expect(ticket.queue).toMatchObject({ id: goneQueue, name: 'Antiga' })
  })

  test('does not go while a ticket in it is not closed, also not by hand', async () => {
    await expect(db.$client`delete from queue where id = ${nobodysQueue}`.then(() => 'gone')).rejects.toThrow(
      'not closed',
    )
  })

  test('takes no ticket any more, neither a new nor a reopened one', async () => {
    const [id = 0] = [...facts].flatMap(([each, { queueId }]) => (queueId === goneQueue ? [each] : []))
    const sql = db.$client
    await expect(sql`update ticket set status = 'open' where id = ${id}`.then(() => 'open')).rejects.toThrow('no queue')
    const other = [...facts.keys()].find(each => facts.get(each)?.queueId !== goneQueue) ?? 0
    await expect(sql`update ticket set queue_id = ${goneQueue} where id = ${other}`.then(() => 1)).rejects.toThrow(
      'no queue',
    )
  })

  test('and a person whose row is deleted by hand does not leave tickets to everybody', async () => {
    const owner = [...facts.values()].find(each => each.userId !== null)?.userId ?? 0
    await expect(db.$client`delete from "user" where id = ${owner}`.then(() => 'gone')).rejects.toThrow('foreign key')
  })
})

describe('whoever looks, with whatever settings', () => {
  for (const settings of settingsToTry()) {
    test(`sees exactly what the policy allows (${nameOf(settings)})`, async () => {
      for (const person of people) {
        const session = await makeSession(db, person, settings)
        const allowed = allowedFor(session.viewer, settings)
        const served = servedBy(session.viewer, settings)
        expect(await listed(session)).toEqual(served)
        const followed = (await listFollowed(db, session)).map(({ id }) => id)
        expect([...new Set([...served, ...followed])].sort((a, b) => a - b)).toEqual(allowed)
        expect(await found(session)).toEqual(allowed.slice(-50))
        expect(await countTickets(db, session, { showAll: 'true' })).toMatchObject({
          ...badges(served),
          followed: followed.length,
        })
        for (const id of [pick([...facts.keys()]), pick([...facts.keys()])]) {
          const open = await refusalOf(getTicket(db, session, id))
          const read = await refusalOf(loadMessagePage(db, session, id, {}))
          const expected = allowed.includes(id) ? null : 'ERR_NO_PERMISSION'
          expect([open, read]).toEqual([expected, expected])
        }
      }
    })
  }

  test('spec 1 §4 "Notifications": has in the bell exactly what the rule of notices allows, and never more than may be seen', async () => {
    for (const [at, access] of settingsToTry().entries()) {
      const notices = { notificateAllTickets: at % 2 === 0, notifyGroupToAllUsers: at % 3 === 0 }
      for (const person of people) {
        const session = await makeSession(db, person, { ...access, ...notices })
        const wrong = [...facts].flatMap(([id, each]) => {
          const queueStaffed = each.queueId !== nobodysQueue
          const waits = isWaitingInBell(each, unread.get(id) ?? 0)
          return waits && shouldNotify(session.viewer, { ...each, queueStaffed }, session.settings) ? [id] : []
        })
        const { tickets } = await listWaiting(db, session, 200)
        expect(tickets.items.map(ticket => ticket.id).sort((a, b) => a - b)).toEqual(wrong)
        expect(tickets.count).toBe(wrong.length)
        expect(allowedFor(session.viewer, access)).toEqual(expect.arrayContaining(wrong))
      }
    }
  })

  test('as a manager is counted in sums exactly what the policy shows', async () => {
    const { $client: sql } = db
    for (const settings of settingsToTry())
      for (const person of people) {
        const { viewer } = await makeSession(db, person, settings)
        if (viewer.profile !== 'gerente') continue
        const rows = await sql<{ id: number }[]>`
          select t.id from ticket t where ${visibleToManagerSql(sql, viewer, settings, 't')} order by t.id`
        expect(rows.map(({ id }) => id)).toEqual(servedBy(viewer, settings))
      }
  })

  test('without "show all" a list holds one’s own and unassigned tickets; for who has no such toggle all that may be seen', async () => {
    for (const settings of settingsToTry()) {
      for (const person of people) {
        const session = await makeSession(db, person, settings)
        const mayChoose = canUseArea(session.viewer, 'showAll', settings)
        const mine = servedBy(session.viewer, settings).filter(id => {
          const owner = facts.get(id)?.userId ?? null
          return !mayChoose || owner === null || owner === person
        })
        expect(await listed(session, 'false')).toEqual(mine)
        expect(await countTickets(db, session, { showAll: 'false' })).toMatchObject(badges(mine))
      }
    }
  })
})

function allowedFor(viewer: Viewer, settings: AccessSettings): number[] {
  return [...facts]
    .filter(([, each]) => canSeeTicket(viewer, each, settings))
    .map(([id]) => id)
    .sort((a, b) => a - b)
}

/** What they see by their own right. */
function servedBy(viewer: Viewer, settings: AccessSettings): number[] {
  return [...facts]
    .filter(([, each]) => canServeTicket(viewer, each, settings))
    .map(([id]) => id)
    .sort((a, b) => a - b)
}

/** Every page of the list without a filter, by cursor. */
async function listed(session: Session, showAll: 'true' | 'false' = 'true'): Promise<number[]> {
  const ids: number[] = []
  for (let cursor: string | undefined, more = true; more; ) {
    const page = await listTickets(db, session, { showAll, limit: 7, ...(cursor ? { cursor } : {}) })
    ids.push(...page.tickets.map(ticket => ticket.id))
    cursor = page.nextCursor ?? undefined
    more = page.hasMore
  }
  expect(new Set(ids).size).toBe(ids.length)
  return ids.sort((a, b) => a - b)
}

async function found(session: Session): Promise<number[]> {
  const { tickets } = await searchTickets(db, session, { searchParam: 'COMBINADA', showAll: 'true' })
  return tickets.map(ticket => ticket.id).sort((a, b) => a - b)
}

/** The badges as counting the visible tickets one by one gives them. */
function badges(ids: readonly number[]): Omit<TicketCounts, 'unread' | 'pausedUnread' | 'followed' | 'followedUnread'> {
  const of = (fits: (each: TicketFacts) => boolean) =>
    ids.filter(id => {
      const each = facts.get(id)
      return each !== undefined && each.status !== 'closed' && fits(each)
    }).length
  return {
    assigned: of(each => each.status === 'open' && !each.isGroup),
    groups: of(each => each.isGroup && each.status !== 'paused'),
    pending: of(each => each.status === 'pending' && !each.isGroup),
    paused: of(each => each.status === 'paused'),
    bot: of(each => each.status === 'bot'),
  }
}

async function refusalOf(reading: Promise<unknown>): Promise<string | null> {
  try {
    await reading
    return null
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

function settingsToTry(): AccessSettings[] {
  const all = none()
  const keys = Object.keys(all)
  return [0, 31, ...Array.from({ length: 10 }, (_, n) => (n * 7 + 3) % 32)].map(bits => ({
    ...all,
    ...Object.fromEntries(keys.map((key, at) => [key, (bits & (1 << at)) !== 0])),
  }))
}

function none(): AccessSettings {
  return {
    onlyAdminSeeEmptyQueue: false,
    userShowAll: false,
    userClosedQueues: false,
    groupPerUser: false,
    hierarchy: false,
    adminChatInterno: false,
  }
}

function nameOf(settings: AccessSettings): string {
  const on = Object.entries(settings).flatMap(([key, value]) => (value ? [key] : []))
  return on.length > 0 ? on.join(', ') : 'none'
}

function pick<T>(from: readonly T[]): T {
  const one = from[Math.floor(random() * from.length)]
  if (one === undefined) throw new Error('nothing to pick from')
  return one
}

/** The same numbers in every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}
