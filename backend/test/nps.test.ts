// Satisfaction as a manager reads it (spec 3 §2 "NPS", §7; decisions-2 §11, §12, §23): every figure once more the slow way, the list, the
// sheet, and who gets nothing of it.
import { beforeAll, describe, expect, test } from 'bun:test'
import type { Job, JobReference, RatingEntry, ResponseBody } from '@balcao/contract'
import { refreshCalendar } from '../src/insight/figures/calendar.ts'
import { foldFigures } from '../src/insight/figures/days.ts'
import { listRatings } from '../src/insight/ratings/list.ts'
import { loadRatingSummary } from '../src/insight/ratings/summary.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { clearSettingsCache } from '../src/policy/settings/read.ts'
import { type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeTicket } from './desk-world.ts'
import { countRowsRead, createRecorder } from './recorded-plans.ts'
import { createSeededRandom } from './seeded-random.ts'
import { parseSheetRows } from './sheet-files.ts'
import { waitUntil } from './until.ts'

type Page = ResponseBody<'GET /ticketNPS'>
type Summary = ResponseBody<'GET /ticketNPS/summary'>

const SEED = Number(process.env.SEED ?? 20_261_123)
const server = await startDeskServer()
const { db, url, as } = server
const sql = getSql(db)
const { chance, pick, upTo } = createSeededRandom(SEED)

const NOW = new Date('2026-11-20T15:00:00Z')
const HOUR = 3_600_000
let queues: number[] = []
let shops: number[] = []
const people: number[] = []
const contacts: number[] = []
let marina: SignedInPerson

beforeAll(async () => {
  queues = [await makeQueue(db, 'Financeiro'), await makeQueue(db, 'Comercial'), await makeQueue(db, 'Extinta')]
  shops = [await makeConnection(db, 'Loja Centro'), await makeConnection(db, 'Atacado')]
  for (const [name, profile] of Object.entries({
    Marina: 'admin',
    Rafael: 'gerente',
    Bruna: 'user',
    Paula: 'user',
  } as const))
    people.push(await makePerson(db, { name, profile, queueIds: queues }))
  for (let n = 0; n < 40; n++) contacts.push(await makeContact(db, `Cliente ${n}`))
  marina = await as('Marina')
})

/** A ticket of the past that was surveyed some times, of which some were answered. */
async function surveyed(): Promise<void> {
  let at = Date.parse('2026-05-20T00:00:00Z') + upTo(170 * 24) * HOUR
  const [shop, contact] = [pick(shops), pick(contacts)]
  const created = instant(at)
  const spans: { status: string; queue: number | null; user: number | null; begun: number; ended: number }[] = []
  const ratings: { rate: number; at: number; queue: number | null; user: number | null; asked: number }[] = []
  for (let times = 1 + upTo(2); times > 0; times--) {
    const [queue, user] = [chance(0.1) ? null : pick(queues), pick(people)]
    spans.push({ status: 'open', queue, user, begun: at, ended: at + HOUR })
    at += HOUR
    const surveyedAt = at
    spans.push({ status: 'nps', queue, user, begun: at, ended: at + 2 * HOUR })
    at += 2 * HOUR
    // It may go on in another queue: that is no second survey.
    if (chance(0.2)) {
      spans.push({ status: 'nps', queue: pick(queues), user, begun: at, ended: at + HOUR })
      at += HOUR
    }
    if (chance(0.6)) ratings.push({ rate: 1 + upTo(5), at, queue, user, asked: surveyedAt })
    spans.push({ status: 'closed', queue, user, begun: at, ended: at })
    at += upTo(20 * 24) * HOUR
  }
  const last = spans.at(-1)
  await sql.begin(async tx => {
    await tx`set local session_replication_role = replica`
    const [ticket] = await tx<{ id: number }[]>`
      insert into ticket (status, contact_id, whatsapp_id, queue_id, user_id, created_at, closed_at)
      values ('closed', ${contact}, ${shop}, ${last?.queue ?? null}, ${last?.user ?? null}, ${created}, ${instant(at)}) returning id`
    for (const span of spans)
      await tx`
        insert into ticket_span (ticket_id, status, queue_id, user_id, begun_at, ended_at)
        values (${ticket?.id ?? 0}, ${span.status}, ${span.queue}, ${span.user}, ${instant(span.begun)}, ${instant(span.ended)})`
    for (const one of ratings)
      await tx`
        insert into rating (ticket_id, contact_id, whatsapp_id, queue_id, user_id, rate, at, asked_at)
        values (${ticket?.id ?? 0}, ${contact}, ${shop}, ${one.queue}, ${one.user}, ${one.rate}, ${instant(one.at)}, ${instant(one.asked)})`
  })
}

function instant(ms: number): string {
  return new Date(ms).toISOString()
}

type Chosen = { queueId?: number; userId?: number; whatsappId?: number }

/** Rows themselves, one by one. */
async function slowly(period: { firstDate: string; lastDate: string }, chosen: Chosen, zone: string) {
  const days = new Intl.DateTimeFormat('en-CA', { timeZone: zone })
  const within = (at: string) => {
    const day = days.format(new Date(at))
    return day >= period.firstDate && day <= period.lastDate
  }
  const isChosen = (one: { queue: number | null; user: number | null; shop: number }) =>
    (chosen.queueId === undefined || one.queue === chosen.queueId) &&
    (chosen.userId === undefined || one.user === chosen.userId) &&
    (chosen.whatsappId === undefined || one.shop === chosen.whatsappId)
  const all = await sql<
    { id: number; rate: number; at: string; asked: string | null; queue: number | null; user: number; shop: number }[]
  >`
    select id::float8 as id, rate, at, asked_at as asked, queue_id as queue, user_id as user, whatsapp_id as shop from rating order by at desc, id desc`
  const spans = await sql<
    { ticket: number; status: string; begun: string; queue: number | null; user: number | null; shop: number }[]
  >`
    select s.ticket_id as ticket, s.status, s.begun_at as begun, s.queue_id as queue, s.user_id as user, t.whatsapp_id as shop
    from ticket_span s join ticket t on t.id = s.ticket_id order by s.id`
  const surveys = spans.filter((span, n) => {
    const before = spans.slice(0, n).findLast(({ ticket }) => ticket === span.ticket)
    return span.status === 'nps' && before?.status !== 'nps' && within(span.begun) && isChosen(span)
  })
  const ratings = all.filter(one => within(one.at) && isChosen(one))
  const answered = all.filter(one => one.asked !== null && within(one.asked) && isChosen(one))
  return { ratings, asked: surveys.length, answered: answered.length }
}

async function compare(title: string, zone: string) {
  for (const period of [
    { firstDate: '2026-01-01', lastDate: '2026-12-31' },
    { firstDate: '2026-08-14', lastDate: '2026-09-02' },
    { firstDate: '2026-10-31', lastDate: '2026-10-31' },
  ])
    for (const chosen of [
      {},
      { queueId: queues[0] },
      { userId: people[1] },
      { whatsappId: shops[1] },
      { queueId: queues[1], userId: people[2], whatsappId: shops[0] },
    ] as Chosen[]) {
      const label = `${title} ${JSON.stringify({ period, chosen })}`
      const slow = await slowly(period, chosen, zone)
      const fast = await loadRatingSummary(db, { ...period, ...chosen }, zone, NOW)
      expect([label, fast.rates, fast.asked, fast.answered]).toEqual([
        label,
        [1, 2, 3, 4, 5].map(rate => slow.ratings.filter(one => one.rate === rate).length),
        slow.asked,
        slow.answered,
      ])
      expect(fast.rating.count).toBe(slow.ratings.length)
      const stars = slow.ratings.reduce((sum, one) => sum + one.rate, 0)
      if (slow.ratings.length === 0) expect(fast.rating.average).toBeNull()
      else expect(fast.rating.average).toBeCloseTo(stars / slow.ratings.length, 10)
      for (const low of [undefined, 'true']) {
        const wanted = slow.ratings.filter(one => low === undefined || one.rate <= 3).map(({ id }) => id)
        expect(await allPages({ ...period, ...chosen, ...(low && { low }) }, zone)).toEqual([wanted.length, wanted])
      }
    }
}

/** Every page by its key. */
async function allPages(query: object, zone: string): Promise<[number, number[]]> {
  const ids: number[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await listRatings(db, { ...query, ...(cursor && { cursor }) }, zone, NOW)
    ids.push(...page.entries.map(({ id }) => id))
    if (page.nextCursor === null) return [page.count, ids]
    cursor = page.nextCursor
  }
}

describe('decisions-2 §11, §12: what ratings come to equals the slow way', () => {
  test(`over random surveys, before and after folding, in three time zones (SEED=${SEED})`, async () => {
    for (let n = 0; n < 250; n++) await surveyed()
    for (const zone of ['America/Sao_Paulo', 'Asia/Kolkata', 'America/New_York']) {
      await sql`insert into setting (key, value) values ('timezone', ${zone}) on conflict (key) do update set value = excluded.value`
      clearSettingsCache(db)
      await sql`delete from figure_calendar`
      await refreshCalendar(db, NOW)
      await compare(`${zone} as counted`, zone)
      await foldFigures(db)
      await compare(`${zone} folded`, zone)
    }
    await sql`delete from setting where key = 'timezone'`
    clearSettingsCache(db)
    await refreshCalendar(db, NOW)
  })

  test('the trend is the last six months to that in which the period ends, never of the future', async () => {
    const { trend } = await loadRatingSummary(
      db,
      { firstDate: '2026-07-01', lastDate: '2026-09-10' },
      'America/Sao_Paulo',
      NOW,
    )
    expect(trend.map(({ month }) => month)).toEqual(['2026-04', '2026-05', '2026-06', '2026-07', '2026-08', '2026-09'])
    const september = await loadRatingSummary(
      db,
      { firstDate: '2026-09-01', lastDate: '2026-09-30' },
      'America/Sao_Paulo',
      NOW,
    )
    expect(trend.at(-1)).toEqual({ month: '2026-09', ...september.rating })
    expect(trend.at(0)).toEqual({ month: '2026-04', average: null, count: 0 })
    const far = await loadRatingSummary(
      db,
      { firstDate: '2026-01-01', lastDate: '2126-01-01' },
      'America/Sao_Paulo',
      NOW,
    )
    expect(far.trend.map(({ month }) => month).at(-1)).toBe('2026-11')
  })
})

describe('decisions-2 §11: who was asked is counted when the survey goes out', () => {
  test('asked and waiting with the resolving, answered with the rating, and nothing of a ticket that is deleted', async () => {
    const today = new Date().toISOString().slice(0, 10)
    const path = `/ticketNPS/summary?firstDate=${dayBefore(today)}&lastDate=${dayAfter(today)}`
    const shop = await makeConnection(db, 'Com pesquisa')
    await sql`update whatsapp set nps = true, nps_message = 'Que nota?' where id = ${shop}`
    const tickets = []
    for (const name of ['Ana', 'Bia', 'Caio']) {
      const contactId = await makeContact(db, name)
      tickets.push(
        await makeTicket(db, {
          contactId,
          whatsappId: shop,
          status: 'open',
          queueId: queues[0] ?? 0,
          userId: people[0] ?? 0,
        }),
      )
    }
    const before = (await marina.call<Summary>('GET', path)).body
    for (const id of tickets)
      expect((await marina.call('PUT', `/tickets/${id}`, { status: 'closed' })).status).toBe(200)
    const summary = (await marina.call<Summary>('GET', path)).body
    expect([summary.asked - before.asked, summary.answered - before.answered, summary.waiting]).toEqual([3, 0, 3])
    expect((await marina.call<Summary>('GET', `${path}&whatsappId=${shop}`)).body).toMatchObject({
      asked: 3,
      waiting: 3,
    })
    const [first = 0, second = 0] = tickets
    await sql`
      insert into rating (ticket_id, contact_id, whatsapp_id, queue_id, user_id, rate)
      select id, contact_id, whatsapp_id, queue_id, user_id, 2 from ticket where id = ${first}`
    await sql`update ticket set status = 'closed', closed_at = now() where id = ${first}`
    const answered = (await marina.call<Summary>('GET', `${path}&whatsappId=${shop}`)).body
    expect(answered).toMatchObject({
      asked: 3,
      answered: 1,
      waiting: 2,
      rates: [0, 1, 0, 0, 0],
      rating: { average: 2, count: 1 },
    })
    // The customer had something to say: asked all the same, and nobody waits for an answer.
    await sql`update ticket set status = 'pending', user_id = null where id = ${second}`
    expect((await marina.call<Summary>('GET', `${path}&whatsappId=${shop}`)).body).toMatchObject({
      asked: 3,
      answered: 1,
      waiting: 1,
    })
    await foldFigures(db)
    await sql`delete from ticket where id = ${first}`
    expect((await marina.call<Summary>('GET', `${path}&whatsappId=${shop}`)).body).toMatchObject({
      asked: 2,
      answered: 0,
      waiting: 1,
      rating: { average: null, count: 0 },
    })
  })
})

describe('spec 3 §7: GET /ticketNPS', () => {
  test('gives contact, stars, person, connection, instant and ticket; who was deleted and queues that are gone keep their names', async () => {
    await sql`update "user" set deleted_at = now(), active = false where name = 'Paula'`
    await sql`delete from queue where name = 'Extinta'`
    const all = await entries('firstDate=2026-01-01&lastDate=2026-12-31')
    const one = all.find(({ user, queue }) => user?.name === 'Paula' && queue?.name === 'Extinta')
    expect(one).toMatchObject({
      contact: { name: expect.stringMatching(/^Cliente/) },
      rate: expect.any(Number),
      whatsapp: { name: expect.stringMatching(/^(Loja Centro|Atacado)$/) },
      createdAt: expect.stringMatching(/^2026-.*Z$/),
      ticketId: expect.any(Number),
    })
    const ofPaula = await entries(`firstDate=2026-01-01&lastDate=2026-12-31&userId=${one?.user?.id}`)
    expect(ofPaula.length).toBeGreaterThan(0)
    expect(new Set(ofPaula.map(({ user }) => user?.name))).toEqual(new Set(['Paula']))
  })

  test('the current month unless said otherwise', async () => {
    const { body } = await marina.call<Page>('GET', '/ticketNPS')
    const month = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format(new Date()).slice(0, 7)
    for (const { createdAt } of body.entries) expect(createdAt.slice(0, 7)).toBe(month)
  })

  test('a period backwards, what is no day, a cursor that is none: refused at their field; 100 years and the future: honest', async () => {
    for (const path of ['/ticketNPS', '/ticketNPS/summary'])
      for (const [query, field] of [
        ['firstDate=2026-05-02&lastDate=2026-05-01', 'lastDate'],
        ['firstDate=amanha', 'firstDate'],
        ['firstDate=2026-02-30', 'firstDate'],
      ] as const) {
        const { status, body } = await marina.call('GET', `${path}?${query}`)
        expect([query, status, JSON.stringify(body).includes(`"${field}"`)]).toEqual([query, 422, true])
      }
    expect((await marina.call('GET', '/ticketNPS?cursor=x')).status).toBe(422)
    const future = await marina.call<Summary>('GET', '/ticketNPS/summary?firstDate=2126-01-01&lastDate=2226-01-01')
    expect(future.body).toMatchObject({
      rating: { average: null, count: 0 },
      rates: [0, 0, 0, 0, 0],
      asked: 0,
      answered: 0,
      waiting: 0,
    })
    const century = await marina.call<Summary>('GET', '/ticketNPS/summary?firstDate=1950-01-01&lastDate=2050-01-01')
    expect(century.body.rating.count).toBe((await sql`select 1 from rating`).length)
    const first = await marina.call('GET', '/ticketNPS/summary?firstDate=0001-01-02&lastDate=0001-01-03')
    expect(first.status).toBe(200)
    const strange = await marina.call<Page>('GET', '/ticketNPS?userId=999999&queueId=999999&whatsappId=999999')
    expect(strange.body).toMatchObject({ entries: [], count: 0, hasMore: false, nextCursor: null })
  })
})

describe('decisions §4: NPS is for admins alone', () => {
  test('a manager and an attendant get nothing: list, sums, sheet', async () => {
    for (const name of ['Rafael', 'Bruna']) {
      const person = await as(name)
      for (const [method, path] of [
        ['GET', '/ticketNPS'],
        ['GET', '/ticketNPS/summary'],
        ['POST', '/ticketNPS/export'],
      ] as const) {
        const { status, body } = await person.call(method, path, method === 'GET' ? undefined : {})
        expect([name, path, status, body.error]).toEqual([name, path, 403, 'ERR_NO_PERMISSION'])
      }
    }
  })

  test('who is no admin any more when the sheet is ready gets no file of it', async () => {
    await makePerson(db, { name: 'Otávio', profile: 'admin' })
    const otavio = await as('Otávio')
    const job = await sheetOf(otavio, { firstDate: '2026-01-01', lastDate: '2026-12-31' })
    expect(job).toMatchObject({ state: 'done', result: { name: 'notas.xlsx', url: expect.any(String) } })
    await sql`update "user" set profile = 'gerente' where name = 'Otávio'`
    const { body } = await otavio.call<Job>('GET', `/jobs/${job.id}`)
    expect(body.result?.url ?? null).toBeNull()
  })
})

describe('decisions-2 §13, §14: the sheet of ratings', () => {
  test('holds what the list holds, in its order, with the day and minute of the company; and the log says who took it', async () => {
    const query = { firstDate: '2026-06-01', lastDate: '2026-10-31', whatsappId: shops[0] ?? 0, low: true }
    const job = await sheetOf(marina, query)
    const list = await entries(`firstDate=2026-06-01&lastDate=2026-10-31&whatsappId=${shops[0]}&low=true`)
    expect(list.length).toBeGreaterThan(20)
    expect(job).toMatchObject({ state: 'done', result: { counts: { ratings: list.length } } })
    const bytes = await (await fetch(new URL(job.result?.url ?? '', url))).arrayBuffer()
    const [heads, ...rows] = await parseSheetRows(bytes, 'notas.xlsx')
    expect(heads).toEqual(['contato', 'numero', 'nota', 'atendeu', 'fila', 'avaliado_em', 'conexao', 'atendimento'])
    const english = await sheetOf(marina, { ...query, language: 'en' })
    expect(english).toMatchObject({ state: 'done', result: { name: 'ratings.xlsx' } })
    // As a sheet's instants are read: by the day, and the minute where there is one.
    const clock = new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'America/Sao_Paulo',
      dateStyle: 'short',
      timeStyle: 'short',
    })
    expect(rows.map(cells => [cells[0], cells[2], cells[3], cells[4], cells[5], cells[6], cells[7]])).toEqual(
      list.map(({ contact, rate, user, queue, createdAt, whatsapp, ticketId }) => [
        contact.name,
        String(rate),
        user?.name ?? '',
        queue?.name ?? '',
        clock.format(new Date(createdAt)).replace(' 00:00', ''),
        whatsapp.name,
        String(ticketId),
      ]),
    )
    const [entry] =
      await sql`select action, params, user_id as "userId" from log_entry where action = 'rating.export' order by id desc limit 1`
    expect({ ...entry }).toEqual({ action: 'rating.export', params: { ratings: list.length }, userId: people[0] })
  })

  test('of nothing is its heading alone; a period backwards is refused before anything begins', async () => {
    const job = await sheetOf(marina, { firstDate: '2126-01-01', lastDate: '2126-01-31' })
    expect(job).toMatchObject({ state: 'done', result: { counts: { ratings: 0 } } })
    const { status } = await marina.call('POST', '/ticketNPS/export', {
      firstDate: '2026-02-01',
      lastDate: '2026-01-31',
    })
    expect(status).toBe(422)
  })
})

describe('a page stays a range of an index, however many ratings there are', () => {
  test('whatever it is filtered by, also by who has hardly any, at its beginning and far behind it', async () => {
    const seldom = await makePerson(db, { name: 'Chegou', profile: 'user' })
    await sql.begin(async tx => {
      await tx`set local session_replication_role = replica`
      await tx`
        insert into rating (ticket_id, contact_id, whatsapp_id, queue_id, user_id, rate, at)
        select t.id, t.contact_id, (${shops}::int[])[1 + n % 2], (${queues.slice(0, 2)}::int[])[1 + n / 2 % 2],
          case when n % 6000 = 5 then ${seldom} else (${people}::int[])[1 + n % 4] end, case when n % 50 = 0 then 1 else 5 end,
          '2026-11-01 03:00Z'::timestamptz + n * interval '40 seconds'
        from generate_series(1, 60000) n join lateral (select id, contact_id from ticket order by id offset n % 7 limit 1) t on true`
    })
    await sql`analyze rating`
    const november = { firstDate: '2026-11-01', lastDate: '2026-11-30' }
    const watched = createRecorder(server.config.databaseUrl ?? '', 'force_generic_plan')
    try {
      for (const chosen of [
        {},
        { low: 'true' },
        { userId: people[1] },
        { userId: seldom },
        { queueId: queues[0] },
        { whatsappId: shops[1] },
        { userId: people[0], low: 'true' },
      ]) {
        const first = await listRatings(db, { ...november, ...chosen }, 'America/Sao_Paulo', NOW)
        for (const cursor of [undefined, first.nextCursor ?? undefined]) {
          const query = { ...november, ...chosen, ...(cursor && { cursor }) }
          const nodes = await watched.nodesOf(() => listRatings(watched.db, query, 'America/Sao_Paulo', NOW))
          const read = nodes
            .filter(node => node['Relation Name'] === 'rating')
            .reduce((sum, node) => sum + countRowsRead(node), 0)
          expect([JSON.stringify(query), read < 1200 ? 'few' : read]).toEqual([JSON.stringify(query), 'few'])
        }
      }
    } finally {
      await watched.end()
    }
  })
})

async function entries(query: string): Promise<RatingEntry[]> {
  const all: RatingEntry[] = []
  for (let cursor = ''; ; ) {
    const { body } = await marina.call<Page>('GET', `/ticketNPS?${query}${cursor && `&cursor=${cursor}`}`)
    all.push(...body.entries)
    if (body.nextCursor === null) return all
    cursor = body.nextCursor
  }
}

async function sheetOf(person: SignedInPerson, body: object): Promise<Job> {
  const { body: begun } = await person.call<JobReference>('POST', '/ticketNPS/export', body)
  const own = async () => (await person.call<Job>('GET', `/jobs/${begun.jobId}`)).body
  await waitUntil('the job has ended', async () => (await own()).endedAt !== null)
  return own()
}

function dayBefore(day: string): string {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
}
