// The manager's figures (decisions-2 §12, §23) against the slow way: every number once more, ticket by ticket, with the contract's calendar.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { calendarOf, settingsFrom } from '@balcao/contract'
import { openedByContact, openedByPerson, openedByQueue } from '../src/dashboard/opened.ts'
import { dashboardPeople } from '../src/dashboard/people.ts'
import { dashboardStats } from '../src/dashboard/stats.ts'
import { sqlOf } from '../src/database/raw.ts'
import { keepCalendar } from '../src/figures/calendar.ts'
import { foldFigures } from '../src/figures/days.ts'
import { forgetSettings, readSettings } from '../src/settings/read.ts'
import { deskServer } from './desk-server.ts'
import { aConnection, aContact, aPerson, aQueue } from './desk-world.ts'
import { seededRandom } from './seeded-random.ts'

const SEED = Number(process.env.SEED ?? 20_261_123)
const TICKETS = Number(process.env.TICKETS ?? 300)

const { db, as } = await deskServer()
const sql = sqlOf(db)
const { chance, pick, upTo } = seededRandom(SEED)

const NOW = new Date('2026-11-20T15:00:00Z')
let queues: number[] = []
const people: number[] = []
const contacts: number[] = []
let shop = 0

beforeAll(async () => {
  queues = [await aQueue(db, 'Financeiro'), await aQueue(db, 'Comercial'), await aQueue(db, 'Suporte')]
  shop = await aConnection(db, 'Loja Centro')
  for (const name of ['Marina', 'Rafael', 'Bruna', 'Carlos'])
    people.push(await aPerson(db, { name, profile: name === 'Marina' ? 'admin' : 'user' }))
  for (let n = 0; n < 60; n++) contacts.push(await aContact(db, `Cliente ${n}`))
})

async function set(values: Readonly<Record<string, string>>): Promise<void> {
  for (const [key, value] of Object.entries(values))
    await sql`insert into setting (key, value) values (${key}, ${value}) on conflict (key) do update set value = excluded.value`
  forgetSettings(db)
}

/** A life of a ticket, written as the trigger writes it, at instants of the past. */
async function aLife(): Promise<void> {
  let at = Date.parse('2026-01-01T00:00:00Z') + upTo(320 * 86_400) * 1000 + upTo(1000)
  const created = new Date(at).toISOString()
  const first = pick(['pending', 'pending', 'pending', 'open', 'bot'] as const)
  const queue = () => (chance(0.15) ? null : pick(queues))
  const spans: { status: string; queue: number | null; user: number | null; begun: number; ended: number | null }[] = []
  let now = { status: first as string, queue: queue(), user: first === 'open' ? pick(people) : (null as number | null) }
  for (let step = upTo(9); step >= 0; step--) {
    const isClosed = now.status === 'closed'
    const ended = isClosed ? at : at + upTo(3 * 86_400_000)
    spans.push({ ...now, begun: at, ended })
    at = isClosed ? at + upTo(10 * 86_400_000) : ended
    const next = {
      pending: ['open', 'open', 'open', 'pending', 'closed', 'bot'],
      open: ['closed', 'closed', 'nps', 'paused', 'open', 'pending'],
      paused: ['open', 'closed', 'pending'],
      bot: ['pending', 'closed', 'open'],
      nps: ['closed', 'pending', 'open'],
      closed: ['open', 'pending'],
    }[now.status] ?? ['closed']
    const status = pick(next)
    const user = status === 'open' ? pick(people) : status === 'pending' || status === 'bot' ? null : now.user
    now = { status, queue: chance(0.7) ? now.queue : queue(), user }
  }
  // Of a contact there is one live ticket at the most.
  if (now.status !== 'closed' && chance(0.8)) {
    spans.push({ ...now, begun: at, ended: at + upTo(86_400_000) })
    at = spans.at(-1)?.ended ?? at
    now = { ...now, status: 'closed' }
  }
  const isClosed = now.status === 'closed'
  spans.push({ ...now, begun: at, ended: isClosed ? at : null })
  const contact = pick(contacts)
  await sql.begin(async tx => {
    await tx`set local session_replication_role = replica`
    const [ticket] = await tx<{ id: number }[]>`
      insert into ticket (status, contact_id, whatsapp_id, queue_id, user_id, created_at, closed_at)
      values (${isClosed ? 'closed' : `${now.status}`}, ${contact}, ${shop}, ${now.queue}, ${now.user}, ${created}, ${isClosed ? new Date(at).toISOString() : null})
      on conflict do nothing returning id`
    if (!ticket) return
    for (const span of spans)
      await tx`
        insert into ticket_span (ticket_id, status, queue_id, user_id, begun_at, ended_at)
        values (${ticket.id}, ${span.status}, ${span.queue}, ${span.user}, ${new Date(span.begun).toISOString()},
          ${span.ended === null ? null : new Date(span.ended).toISOString()})`
    if (chance(0.4))
      await tx`
        insert into rating (ticket_id, contact_id, whatsapp_id, queue_id, user_id, rate, at)
        values (${ticket.id}, ${contact}, ${shop}, ${now.queue}, ${now.user ?? pick(people)}, ${1 + upTo(5)}, ${new Date(at).toISOString()})`
  })
}

interface Life {
  readonly id: number
  readonly status: string
  readonly contact: number
  readonly queue: number | null
  readonly user: number | null
  readonly created: string
  readonly closed: string | null
  readonly spans: { status: string; queue: number | null; user: number | null; begun: string; ended: string | null }[]
}

async function lives(): Promise<readonly Life[]> {
  return sql<Life[]>`
    select t.id, t.status, t.contact_id as contact, t.queue_id as queue, t.user_id as user, t.created_at as created, t.closed_at as closed,
      coalesce((select json_agg(json_build_object('status', s.status, 'queue', s.queue_id, 'user', s.user_id, 'begun', s.begun_at, 'ended', s.ended_at)
        order by s.id) from ticket_span s where s.ticket_id = t.id), '[]') as spans
    from ticket t order by t.id`
}

interface Figure {
  readonly kind: 'wait' | 'service'
  readonly at: Date
  readonly queue: number | null
  readonly user: number | null
  readonly seconds: number
}

/** §23, word for word, one ticket at a time. */
function figuresOf({ spans }: Life, work: (from: Date, to: Date) => number): Figure[] {
  const figures: Figure[] = []
  let [isAccepted, served, accepted] = [false, 0, false]
  let waiting: number | null = null
  let before = ''
  for (const { status, queue, user, begun, ended } of spans) {
    const at = new Date(begun)
    if (status === 'open' && !isAccepted) {
      if (waiting !== null) figures.push({ kind: 'wait', at, queue, user, seconds: waiting })
      isAccepted = true
    }
    if (status === 'pending' && !isAccepted) waiting ??= 0
    const took = ended ? work(at, new Date(ended)) : 0
    if (waiting !== null && !isAccepted && status === 'pending') waiting += took
    const isEnd = status === 'nps' || status === 'closed'
    if (isEnd && before !== 'nps' && before !== 'closed' && accepted)
      figures.push({ kind: 'service', at, queue, user, seconds: served })
    if (isEnd) [served, accepted] = [0, false]
    if (status === 'open') [served, accepted] = [served + took, true]
    before = status
  }
  return figures
}

async function compare(
  what: string,
  period: { firstDate: string; lastDate: string },
  chosen: { queueId?: number; userId?: number },
) {
  const settings = await readSettings(db)
  const zone = settings.timezone
  const { workingSeconds } = calendarOf(settings)
  const [days, clock] = [
    new Intl.DateTimeFormat('en-CA', { timeZone: zone }),
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' }),
  ]
  const dayOf = (at: string | Date) => days.format(new Date(at))
  const hourOf = (at: string) => Number(clock.format(new Date(at)))
  const within = (at: string | Date) => dayOf(at) >= period.firstDate && dayOf(at) <= period.lastDate
  const isChosen = (one: { queue: number | null; user: number | null }) =>
    (chosen.queueId === undefined || one.queue === chosen.queueId) &&
    (chosen.userId === undefined || one.user === chosen.userId)
  const all = await lives()
  const opened = all.filter(life => within(life.created) && isChosen(life))
  const figures = all
    .flatMap(life => figuresOf(life, workingSeconds))
    .filter(figure => within(figure.at) && isChosen(figure))
  const ratings = (
    await sql<{ queue: number | null; user: number; rate: number; at: string }[]>`
      select queue_id as queue, user_id as user, rate, at from rating`
  ).filter(rating => within(rating.at) && isChosen(rating))
  const means = (kind: Figure['kind']) => {
    const days = Map.groupBy(
      figures.filter(figure => figure.kind === kind),
      figure => dayOf(figure.at),
    )
    return [...days].sort().map(([date, of]) => ({ date, seconds: mean(of), tickets: of.length }))
  }
  const mean = (of: readonly Figure[]) => Math.round(of.reduce((sum, figure) => sum + figure.seconds, 0) / of.length)
  const whole = (kind: Figure['kind']) => {
    const of = figures.filter(figure => figure.kind === kind)
    return of.length > 0 ? mean(of) : null
  }
  const query = { ...period, ...chosen }
  const stats = await dashboardStats(db, query, zone, NOW)
  const { hours, closed, tme, tma, tmeSeconds, tmaSeconds, rating } = stats
  const slow = {
    opened: opened.length,
    closed: all.filter(life => life.status === 'closed' && life.closed && within(life.closed) && isChosen(life)).length,
    hours: hours.map(({ hour }) => ({ hour, tickets: opened.filter(life => hourOf(life.created) === hour).length })),
    tme: means('wait'),
    tma: means('service'),
    tmeSeconds: whole('wait'),
    tmaSeconds: whole('service'),
    stars: ratings.reduce((sum, one) => sum + one.rate, 0),
  }
  const fast = {
    opened: stats.opened,
    closed,
    hours,
    tme,
    tma,
    tmeSeconds,
    tmaSeconds,
    stars: Math.round((rating.average ?? 0) * rating.count),
  }
  expect({ what, ...fast }).toEqual({ what, ...slow })
  expect(rating.count).toBe(ratings.length)
  expect(stats.rates).toEqual([1, 2, 3, 4, 5].map(rate => ratings.filter(one => one.rate === rate).length))
  const totals = (of: (life: Life) => number | null) =>
    [...Map.groupBy(opened, of)].map(([id, some]) => `${id}: ${some.length}`).sort()
  const queueTotals = await openedByQueue(db, query, zone, NOW)
  expect(queueTotals.map(({ queue, Total }) => `${queue?.id ?? null}: ${Total}`).sort()).toEqual(
    totals(life => life.queue),
  )
  const personTotals = await openedByPerson(db, query, zone, NOW)
  expect(personTotals.map(({ user, Total }) => `${user?.id ?? null}: ${Total}`).sort()).toEqual(
    totals(life => life.user),
  )
  const contactTotals = await openedByContact(db, query, zone, NOW)
  const most = [...Map.groupBy(opened, life => life.contact)].map(([, some]) => some.length).sort((a, b) => b - a)
  expect(contactTotals.filter(({ contact }) => contact).map(({ Total }) => Total)).toEqual(most.slice(0, 4))
  expect(contactTotals.reduce((sum, { Total }) => sum + Total, 0)).toBe(opened.length)
  const { users } = await dashboardPeople(db, query, zone, NOW)
  for (const user of users)
    expect(user.closed).toBe(
      all.filter(
        life =>
          life.user === user.id && life.status === 'closed' && life.closed && within(life.closed) && isChosen(life),
      ).length,
    )
}

const PERIODS = [
  { firstDate: '2026-01-01', lastDate: '2026-12-31' },
  { firstDate: '2026-03-10', lastDate: '2026-04-02' },
  { firstDate: '2026-11-19', lastDate: '2026-11-19' },
]

async function compareAll(what: string) {
  for (const period of PERIODS)
    for (const chosen of [
      {},
      { queueId: queues[0] ?? 0 },
      { userId: people[1] ?? 0 },
      { queueId: queues[1] ?? 0, userId: people[2] ?? 0 },
    ])
      await compare(`${what} ${JSON.stringify({ period, chosen })}`, period, chosen)
}

describe('decisions-2 §12, §23: every figure equals the slow way', () => {
  test(`over ${TICKETS} random lives, before and after folding (SEED=${SEED})`, async () => {
    for (let n = 0; n < TICKETS; n++) await aLife()
    // They were written past the triggers.
    await sql`delete from figure_calendar`
    await keepCalendar(db, NOW)
    await compareAll('as counted')
    await foldFigures(db)
    await compareAll('folded')
  }, 60_000)

  test('with other hours, holidays and time zones', async () => {
    const worlds: Record<string, string>[] = [
      { horarioAbertura: '22:00', horarioFechamento: '06:00', saturday: 'enabled' },
      { timezone: 'America/New_York', horarioAlmoco: '12:00', horarioFimAlmoco: '13:30' },
      {
        timezone: 'Asia/Kolkata',
        optionalHolidays: 'enabled',
        holidayDates: JSON.stringify([{ date: '03-19', name: 'Padroeiro', open: false }]),
      },
    ]
    for (const world of worlds) {
      await set(world)
      await keepCalendar(db, NOW)
      await compareAll(JSON.stringify(world))
    }
  }, 60_000)

  test('what changes tickets now changes the figures, and what is folded meanwhile is counted once', async () => {
    const marina = await as('Marina')
    const all = await lives()
    const waiting = all.filter(life => life.status === 'pending').slice(0, 15)
    for (const [n, { id, queue }] of waiting.entries()) {
      expect((await marina.call('PUT', `/tickets/${id}`, { status: 'open', queueId: queue ?? queues[0] })).status).toBe(
        200,
      )
      if (n % 2) await foldFigures(db)
      if (n % 3) expect((await marina.call('PUT', `/tickets/${id}`, { status: 'closed' })).status).toBe(200)
      if (n % 4 === 0)
        expect((await marina.call('PUT', `/tickets/${id}`, { queueId: queues[2] })).status).toBeLessThan(500)
    }
    for (const { id } of all.slice(0, 5)) await sql`delete from ticket where id = ${id}`
    const today = new Date().toISOString().slice(0, 10)
    await compare('live', { firstDate: '2026-01-01', lastDate: today > '2027' ? today : '2027-12-31' }, {})
    await foldFigures(db)
    await compareAll('after')
  }, 60_000)
})

describe('decisions-2 §12: the calendar in SQL', () => {
  test('counts as the contract does, at random instants of many years', async () => {
    const settings = settingsFrom(
      Object.fromEntries(
        (await sql<{ key: string; value: string }[]>`select key, value from setting`).map(({ key, value }) => [
          key,
          value,
        ]),
      ),
    )
    const calendar = calendarOf(settings)
    const instants = Array.from(
      { length: 400 },
      () => new Date(Date.parse('2026-01-01T00:00:00Z') + upTo(640 * 86_400) * 1000 + upTo(1000)),
    )
    const rows = await sql<{ at: string; work: number }[]>`
      select at, work_at(at::timestamptz)::float8 as work from unnest(${instants.map(at => at.toISOString())}::text[]) moment(at)`
    const [row] = await sql<{ epoch: string }[]>`select epoch from figure_calendar`
    for (const { at, work } of rows)
      expect(work / 1000).toBeCloseTo(calendar.workingSeconds(new Date(row?.epoch ?? ''), new Date(at)), 2)
  })
})

describe('the calls', () => {
  test('an attendant is refused; periods backwards are refused at their field; without anything there are honest zeros', async () => {
    const [rafael, marina] = [await as('Rafael'), await as('Marina')]
    for (const path of [
      '/dashboard/stats',
      '/dashboard/cards',
      '/dashboard/users',
      `/dashboard/users/${people[0]}`,
      '/ticketQueue',
      '/ticketColaborador',
      '/ticketCliente',
    ]) {
      expect((await rafael.call('GET', path)).status, path).toBe(403)
      expect((await marina.call('GET', path)).status, path).toBe(200)
    }
    const backwards = await marina.call('GET', '/dashboard/stats?firstDate=2026-05-02&lastDate=2026-05-01')
    expect(backwards.status).toBe(422)
    expect(JSON.stringify(backwards.body)).toContain('lastDate')
    const far = await marina.call('GET', '/dashboard/stats?firstDate=2126-01-01&lastDate=2226-01-01')
    expect(far.body).toMatchObject({
      closed: 0,
      opened: 0,
      tme: [],
      tma: [],
      tmeSeconds: null,
      tmaSeconds: null,
      rating: { average: null, count: 0 },
    })
    const cards = await marina.call('GET', '/dashboard/cards?firstDate=2026-01-01&lastDate=2027-12-31')
    expect(cards.body).toMatchObject({
      users: { active: 4, total: 4 },
      queues: 3,
      tickets: (await lives()).length,
      contacts: 60,
      groups: 0,
    })
  })

  test('one person’s tickets are those served and paused now', async () => {
    const marina = await as('Marina')
    for (const id of people) {
      const { body } = await marina.call('GET', `/dashboard/users/${id}`)
      const [row] = await sql<
        { n: number }[]
      >`select count(*)::int as n from ticket where user_id = ${id} and status in ('open', 'paused')`
      expect((body as { tickets: unknown[] }).tickets).toHaveLength(Math.min(200, row?.n ?? 0))
    }
    expect((await marina.call('GET', '/dashboard/users/1')).status).toBe(404)
  })
})

afterAll(() => set({}))
