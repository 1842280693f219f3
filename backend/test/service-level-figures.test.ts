// What the figures, the reports and the badges say of due answers, against the slow way: counted by hand from the rows (docs/decisions/0317).
import { beforeAll, describe, expect, test } from 'bun:test'
import type { ResponseBody, Ticket, TicketCounts } from '@balcao/contract'
import { formatIsoDay, toWallClock } from '@balcao/contract'
import { makePerson, makeQueue } from './desk-world.ts'
import { createReportClient } from './report-files.ts'
import { createSeededRandom } from './seeded-random.ts'
import { startTwoQueueDesk } from './two-queue-desk.ts'

type ServiceLevel = ResponseBody<'GET /dashboard/service-level'>
type Level = Pick<ServiceLevel, 'first' | 'later' | 'late' | 'lateWaiting'>

interface Answer {
  readonly queueId: number
  readonly userId: number | null
  readonly kind: 'first' | 'later'
  readonly at: number
  readonly dueAt: number
}

const SEED = Number(process.env.SEED ?? 20_261_129)
const TIMEZONE = 'America/Sao_Paulo'
const DAY = 86_400_000
const NAMES = ['Marina', 'Rafael', 'Bruna', 'Solange', 'Carlos'] as const

const { server, db, sql, finance, sales, findId, findSession, openTicket } = await startTwoQueueDesk()
const { sheets } = createReportClient(server)
const marina = findSession('Marina')
const carlos = await makePerson(db, { name: 'Carlos', profile: 'gerente', queueIds: [finance] })
const past = await makeQueue(db, 'Extinta')
const people = new Map([...NAMES.slice(0, 4).map(name => [name, findId(name)] as const), ['Carlos', carlos] as const])
const ids = [...people.values()]
const { pick, chance, between } = createSeededRandom(SEED)
const answers: Answer[] = []

beforeAll(async () => {
  await sql`update queue set first_answer_minutes = 15 where id = ${finance}`
  const ticketId = await openTicket()
  await sql`update ticket set created_at = now() - interval '21 days' where id = ${ticketId}`
  for (let n = 0; n < 300; n++) {
    const at = Date.now() - Math.floor(between(0, 20 * DAY))
    const answer = {
      ...{ queueId: pick([finance, finance, sales, past]), userId: chance(0.1) ? null : pick(ids), at },
      ...{ kind: chance(0.5) ? ('first' as const) : ('later' as const), dueAt: at + Math.floor(between(-9e5, 9e5)) },
    }
    answers.push(answer)
    await sql`
      insert into ticket_answer (ticket_id, queue_id, user_id, kind, due_at, at) values (${ticketId}, ${answer.queueId}, ${answer.userId},
        ${answer.kind}, ${new Date(answer.dueAt).toISOString()}::timestamptz, ${new Date(at).toISOString()}::timestamptz)`
  }
  for (let n = 0; n < 40; n++) await waitOn(await openTicket(chance(0.2) ? null : pick(ids)))
  await sql`delete from queue where id = ${past}`
}, 60_000)

describe(`every figure equals the slow way (SEED=${SEED})`, () => {
  test.each([
    ['Marina', 'disabled'],
    ['Rafael', 'disabled'],
    ['Rafael', 'enabled'],
    ['Marina', 'enabled'],
  ] as const)('for %s, with the hierarchy %s', async (name, hierarchy) => {
    await marina.call('PUT', '/settings', { values: { hierarchy } })
    const sees = await findSight(name, hierarchy)
    const filters = [
      {},
      { firstDate: toDay(9), lastDate: toDay(3) },
      { queueId: finance, firstDate: toDay(20), lastDate: toDay(0) },
      { userId: carlos, firstDate: toDay(20), lastDate: toDay(0) },
      { queueId: sales },
    ]
    for (const filter of filters) {
      const query = new URLSearchParams(Object.entries(filter).map(([key, value]) => [key, String(value)]))
      const { status, body } = await findSession(name).call<ServiceLevel>('GET', `/dashboard/service-level?${query}`)
      expect(status).toBe(200)
      const expected = await countByHand(filter, sees)
      expect({ filter, ...readLevel(body) }).toEqual({ filter, ...expected.all })
      expect(new Map<number | null, Level>(body.queues.map(line => [line.id, readLevel(line)]))).toEqual(
        expected.queues,
      )
      expect(new Map(body.people.map(line => [line.id, readLevel(line)]))).toEqual(expected.people)
    }
  })

  test('what a queue that is gone had is named, and what nobody had is counted', async () => {
    const { body } = await marina.call<ServiceLevel>('GET', `/dashboard/service-level?firstDate=${toDay(20)}`)
    expect(body.queues.at(-1)?.name).toBe('Extinta')
    expect(body.people.at(-1)?.id).toBeNull()
    expect(body.hasTargets).toBe(true)
  })

  test('agents are told nothing, and a manager of no target of other queues', async () => {
    expect((await findSession('Bruna').call('GET', '/dashboard/service-level')).status).toBe(403)
    await sql`update queue set first_answer_minutes = null where id = ${finance}`
    await sql`update queue set first_answer_minutes = 10 where id = ${sales}`
    const { body } = await findSession('Rafael').call<ServiceLevel>('GET', '/dashboard/service-level')
    expect(body.hasTargets).toBe(false)
  })

  test.each([
    ['Marina', 'disabled'],
    ['Rafael', 'disabled'],
    ['Rafael', 'enabled'],
  ] as const)(
    'the reports of queues and people hold the same, for %s with the hierarchy %s',
    async (name, hierarchy) => {
      await marina.call('PUT', '/settings', { values: { hierarchy } })
      const filter = { firstDate: toDay(20), lastDate: toDay(0) }
      const expected = await countByHand(filter, await findSight(name, hierarchy))
      const names = new Map<number | null, string>([...people].map(([person, id]) => [id, person]))
      names.set(null, 'Sem atendente')
      const queueNames = new Map<number | null, string>([
        [finance, 'Financeiro'],
        [sales, 'Comercial'],
        [past, 'Extinta'],
      ])
      for (const [report, of, lines] of [
        ['queue', queueNames, expected.queues],
        ['user', names, expected.people],
      ] as const) {
        const body = { startDate: filter.firstDate, endDate: filter.lastDate }
        const { 'Respostas no prazo': rows = [] } = await sheets(report, body, findSession(name))
        const toRow = ({ first, later }: Level) =>
          [first, later].flatMap(({ inTime, total }) => [total, inTime, total - inTime])
        const wanted = [...lines].flatMap(([id, level]) =>
          level.first.total + level.later.total > 0 ? [[of.get(id) ?? '', ...toRow(level)]] : [],
        )
        expect(rows.slice(1, -1).toSorted(compareNames)).toEqual(wanted.toSorted(compareNames))
        expect(rows.at(-1)).toEqual(['Total', ...toRow(expected.all)])
      }
    },
  )
})

describe('what is late now', () => {
  test('is as many in the badges as in the lists, and as in the figures of who sees them', async () => {
    for (const [name, hierarchy] of [
      ['Marina', 'disabled'],
      ['Rafael', 'disabled'],
      ['Rafael', 'enabled'],
      ['Bruna', 'disabled'],
      ['Solange', 'disabled'],
    ] as const) {
      await marina.call('PUT', '/settings', { values: { hierarchy } })
      const session = findSession(name)
      const [open, pending] = [await listLate(name, 'open'), await listLate(name, 'pending')]
      const { body: counts } = await session.call<TicketCounts>('GET', '/tickets/counts?late=true&showAll=true')
      expect([name, counts.assigned, counts.pending]).toEqual([name, open.length, pending.length])
      if (name === 'Bruna' || name === 'Solange') continue
      const { body } = await session.call<ServiceLevel>('GET', '/dashboard/service-level')
      expect([name, body.late, body.lateWaiting]).toEqual([name, open.length + pending.length, pending.length])
    }
  })

  test('of one queue, and of what is unread', async () => {
    const count = async (query: string) =>
      (await marina.call<TicketCounts>('GET', `/tickets/counts?late=true&showAll=true${query}`)).body
    const all = await count('')
    const [ofFinance, ofSales] = [await count(`&queueIds=[${finance}]`), await count(`&queueIds=[${sales}]`)]
    expect(all.assigned).toBe(ofFinance.assigned + ofSales.assigned)
    expect(all.pending).toBe(ofFinance.pending + ofSales.pending)
    const [row] = await sql<{ n: number }[]>`
      select count(*)::int as n from ticket where status = 'open' and unread_messages > 0 and answer_due_at < now()`
    expect((await count('&withUnreadMessages=true')).assigned).toBe(row?.n ?? -1)
  })
})

/** Served or waiting, of a queue, unread or not, with a due answer or none: as it came from the customer. */
async function waitOn(ticketId: number): Promise<void> {
  const due = chance(0.3) ? null : new Date(Date.now() + between(-4, 4) * 3_600_000).toISOString()
  await sql`
    update ticket set status = ${pick(['open', 'pending'])}, queue_id = ${pick([finance, sales])}, unread_messages = ${pick([0, 2])}
    where id = ${ticketId}`
  await sql`update ticket set answer_due_at = ${due}::timestamptz where id = ${ticketId}`
}

async function listLate(name: string, status: string): Promise<number[]> {
  const { body } = await findSession(name).call<{ tickets: Ticket[] }>(
    'GET',
    `/tickets?status=${status}&late=true&showAll=true&limit=100`,
  )
  return body.tickets.map(({ id }) => id)
}

interface Placed {
  readonly queueId: number | null
  readonly userId: number | null
}

/** What of the rows somebody sees (decisions §4). */
async function findSight(name: string, hierarchy: string) {
  const profiles = new Map(
    (await sql<{ id: number; profile: string }[]>`select id, profile from "user"`).map(row => [row.id, row.profile]),
  )
  return ({ queueId, userId }: Placed): boolean => {
    if (name === 'Marina') return true
    if (queueId !== finance) return false
    return userId === null || userId === findId(name) || hierarchy === 'disabled' || profiles.get(userId) === 'user'
  }
}

interface Filter {
  readonly firstDate?: string
  readonly lastDate?: string
  readonly queueId?: number
  readonly userId?: number
}

async function countByHand(filter: Filter, sees: (row: Placed) => boolean) {
  const { firstDate = `${toDay(0).slice(0, 8)}01`, lastDate = toDay(0) } = filter
  const isChosen = (row: Placed) =>
    sees(row) &&
    (filter.queueId === undefined || row.queueId === filter.queueId) &&
    (filter.userId === undefined || row.userId === filter.userId)
  const within = ({ at }: Answer) => toIsoDay(at) >= firstDate && toIsoDay(at) <= lastDate
  const counted = answers.filter(answer => within(answer) && isChosen(answer))
  const rows = await sql<(Placed & { status: string; due: string | null; isGroup: boolean })[]>`
    select queue_id as "queueId", user_id as "userId", status, answer_due_at as due, is_group as "isGroup" from ticket`
  const late = rows.filter(row => row.due !== null && Date.parse(row.due) < Date.now() && isChosen(row))
  const countOf = (of: (row: Placed) => boolean): Level => {
    const share = (kind: Answer['kind']) => {
      const own = counted.filter(answer => answer.kind === kind && of(answer))
      return { inTime: own.filter(({ at, dueAt }) => at <= dueAt).length, total: own.length }
    }
    const own = late.filter(of)
    return {
      ...{ first: share('first'), later: share('later') },
      ...{ late: own.length, lateWaiting: own.filter(({ status }) => status === 'pending').length },
    }
  }
  const all: readonly Placed[] = [...counted, ...late]
  return {
    all: countOf(() => true),
    queues: new Map(all.map(({ queueId }) => [queueId, countOf(row => row.queueId === queueId)])),
    people: new Map(all.map(({ userId }) => [userId, countOf(row => row.userId === userId)])),
  }
}

function readLevel({ first, later, late, lateWaiting }: Level): Level {
  return { first, later, late, lateWaiting }
}

function compareNames(one: readonly unknown[], other: readonly unknown[]): number {
  return String(one[0]) < String(other[0]) ? -1 : 1
}

function toDay(ago: number): string {
  return toIsoDay(Date.now() - ago * DAY)
}

function toIsoDay(at: number): string {
  return formatIsoDay(toWallClock(new Date(at), TIMEZONE))
}
