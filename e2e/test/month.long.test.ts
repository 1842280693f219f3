// The demo's month: what the pages show of it is what its rows come to, every list has something, and the second start keeps it.
import { beforeAll, describe, expect, setSystemTime, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { COMPANY } from '@balcao/backend/app/seed/company'
import { type DemoAccount, seedDemo } from '@balcao/backend/app/seed/seed'
import { getMediaPath } from '@balcao/backend/desk/media/folder'
import { getSql } from '@balcao/backend/platform/database/raw'
import { formatIsoDay, toWallClock } from '@balcao/contract'
import { createTestDatabase } from '../../backend/test/database.ts'
import { verifyFigures } from '../../backend/test/verify-figures.ts'
import { openPastDesk, type PastDesk } from '../src/month/desk.ts'
import { PAST_MONTH } from '../src/month/load.ts'
import { readMonth, saveMonths } from '../src/month/save.ts'
import { MONTH } from '../src/month/story.ts'

type Means = readonly { readonly seconds: number }[]

interface Share {
  readonly inTime: number
  readonly total: number
}

const DAY = 86_400_000
const TIMEZONE = 'America/Sao_Paulo'

const { db, url, beforeDrop } = await createTestDatabase({ jobs: true })
const sql = getSql(db)
const dataDir = await mkdtemp(join(tmpdir(), 'balcao-month-test-'))
beforeDrop(() => rm(dataDir, { recursive: true, force: true }))

const seed = (into = db) =>
  seedDemo(into, {
    ...{ dataDir, past: PAST_MONTH },
    cloud: { phoneNumberId: '5501', wabaId: '9901', token: 'token', number: '+55 31 90000-0001' },
  })
const toDay = (ago: number) => formatIsoDay(toWallClock(new Date(Date.now() - ago * DAY), TIMEZONE))
const period = `firstDate=${toDay(60)}&lastDate=${toDay(0)}`

let desk: PastDesk
let accounts: readonly DemoAccount[]
const ask = <T>(path: string) => desk.call<T>(1, `GET ${path}`)
/** Null where there are none. */
async function countRows(userId: number, path: string): Promise<number | null> {
  const answer = await desk.call<object>(userId, `GET ${path}`)
  return (Array.isArray(answer) ? answer : Object.values(answer).find(Array.isArray))?.length || null
}
const count = async (rows: PromiseLike<readonly { n: number }[]>) => (await rows)[0]?.n ?? -1

beforeAll(async () => {
  accounts = await seed()
  desk = await openPastDesk(url, dataDir)
}, 60_000)

const STANDING = [...COMPANY.tickets, ...(PAST_MONTH.scene?.tickets ?? [])]
const SCENE = STANDING.map(({ name, status }) => `${name} ${status}`).sort()

const NUMBERS = STANDING.flatMap(({ number }) => number ?? [])

/** What the scene said last; the month before has more of the same customers. */
async function readScene(from: typeof db): Promise<string[]> {
  const rows = await getSql(from)<{ ticket: string }[]>`
    select c.name || ' ' || t.status as ticket from ticket t join contact c on c.id = t.contact_id
    where exists (select from message m where m.ticket_id = t.id and m.provider_id like 'SEED%')`
  return rows.map(({ ticket }) => ticket).sort()
}

test('each conversation of the scene stands as it is described', async () => {
  expect(await readScene(db)).toEqual(SCENE)
})

// A month of its own ends on each day of the week, and leaves others served.
for (const ahead of [1, 2, 3, 4, 5, 6]) {
  const { db: other } = await createTestDatabase({ jobs: true })
  test(`the demo begins ${ahead} days from now as well`, async () => {
    setSystemTime(Date.now() + ahead * DAY)
    await seed(other).finally(() => setSystemTime())
    expect(await readScene(other)).toEqual(SCENE)
    const [left] = await getSql(other)<{ n: number }[]>`
      select count(*)::int as n from ticket t join contact c on c.id = t.contact_id
      where c.number = any(${NUMBERS}) and t.status = 'closed' and (t.unread_messages > 0 or t.pause_tag is not null)`
    expect(left?.n).toBe(0)
  })
}

test('days that are kept as what they changed are read as they were, rows that stand twice too', async () => {
  const file = join(dataDir, 'days.zst')
  const months = [
    { end: '2026-04-01T03:00:00.000Z', tables: [toTable('ticket', [1, 2, 3]), toTable('tally', [7, 7])] },
    { end: '2026-04-02T03:00:00.000Z', tables: [toTable('ticket', [4, 3, 1]), toTable('tally', [7, 7, 7])] },
    { end: '2026-04-03T03:00:00.000Z', tables: [toTable('ticket', [5, 1, 4]), toTable('note', [1])] },
  ]
  await saveMonths(file, months)
  for (const month of months) {
    const read = await readMonth(file, end => end === Date.parse(month.end))
    const sorted = read?.tables.flatMap(({ name, rows }) =>
      rows.length === 0
        ? []
        : [
            toTable(
              name,
              rows.map(({ id }) => Number(id)),
            ),
          ],
    )
    expect({ end: read?.end, tables: sorted }).toEqual({
      end: month.end,
      tables: month.tables.map(({ name, rows }) =>
        toTable(
          name,
          rows.map(({ id }) => id),
        ),
      ),
    })
  }
  expect(await readMonth(file, () => false)).toBeUndefined()

  function toTable(name: string, ids: readonly number[]) {
    return { name, rows: ids.toSorted().map(id => ({ id })) }
  }
})

describe('the month of the demo', () => {
  test('is as long as it says, ends yesterday, and keeps its days of the week', async () => {
    const days = await sql<{ day: string; weekday: number; n: number }[]>`
      select to_char(at, 'YYYY-MM-DD') as day, extract(isodow from at)::int as weekday, count(*)::int as n
      from (select created_at at time zone ${TIMEZONE} as at from ticket where created_at < date_trunc('day', now() at time zone ${TIMEZONE}) at time zone ${TIMEZONE}) t
      group by 1, 2 order by 1`
    expect(days.at(-1)?.day).toBe(toDay(1))
    expect(days.reduce((sum, { n }) => sum + n, 0)).toBeGreaterThanOrEqual(600)
    const busiest = (weekdays: readonly number[]) =>
      Math.max(...days.filter(({ weekday }) => weekdays.includes(weekday)).map(({ n }) => n))
    expect(busiest([7])).toBeLessThan(busiest([1, 2, 3, 4, 5]) / 2)
  })

  test('is of sixty customers with a past; conversations were handed over, put aside and taken up again', async () => {
    const [row] = await sql<{ customers: number; handedOver: number; paused: number }[]>`
      with past as (select * from ticket_span where ended_at < date_trunc('day', now() at time zone ${TIMEZONE}) at time zone ${TIMEZONE})
      select (select count(distinct t.contact_id)::int from past join ticket t on t.id = past.ticket_id) as customers,
        (select count(*)::int from (select ticket_id from past where status = 'open' group by 1 having count(distinct user_id) > 1) t) as "handedOver",
        (select count(distinct p.ticket_id)::int from past p where p.status = 'paused'
          and exists (select from past o where o.ticket_id = p.ticket_id and o.status = 'open' and o.begun_at >= p.ended_at)) as paused`
    expect(row?.customers).toBeWithin(60, 80)
    expect(row?.handedOver).toBeGreaterThan(20)
    expect(row?.paused).toBeGreaterThan(20)
  })

  test('has one bad week: who wrote then waited far longer than in any other, and Rafael was away', async () => {
    const weeks = await sql<{ minutes: number; isRafaelThere: boolean }[]>`
      select avg(ended_work - begun_work)::float8 / 60000 as minutes,
        count(*) filter (where exists (select from ticket_span o join "user" u on u.id = o.user_id
          where o.ticket_id = s.ticket_id and o.status = 'open' and u.name like 'Rafael%' and o.begun_at = s.ended_at)) > 1 as "isRafaelThere"
      from ticket_span s where status = 'pending' and ended_work is not null
        and begun_at < date_trunc('day', now() at time zone ${TIMEZONE}) at time zone ${TIMEZONE}
      group by date_trunc('week', begun_at at time zone ${TIMEZONE}) having count(*) > 20 order by 1 desc`
    expect(weeks.length).toBeGreaterThanOrEqual(4)
    expect(weeks[0]?.minutes ?? 0).toBeGreaterThan(1.8 * (weeks[1]?.minutes ?? 0))
    expect(weeks.map(({ isRafaelThere }) => isRafaelThere)).toEqual(weeks.map((_, at) => at > 0))
  })

  test('shows times of waiting and service, on its days too', async () => {
    const stats = await ask<{ tmeSeconds: number | null; tmaSeconds: number | null; tme: Means; tma: Means }>(
      `/dashboard/stats?${period}`,
    )
    for (const seconds of [stats.tmeSeconds, stats.tmaSeconds]) expect(seconds).toBeGreaterThan(60)
    for (const means of [stats.tme, stats.tma]) expect(means.length).toBeGreaterThan(20)
  })

  test('has figures that are what its rows come to', async () => {
    const whole = { firstDate: toDay(60), lastDate: toDay(0) }
    await verifyFigures(db, 'the month', [whole, { firstDate: toDay(7), lastDate: toDay(1) }, { ...whole, userId: 3 }])
  })

  test('shows in the survey the ratings that were given', async () => {
    const summary = await ask<{ rating: { average: number; count: number }; asked: number; answered: number }>(
      `/ticketNPS/summary?${period}`,
    )
    const [row] = await sql<{ n: number; mean: number; asked: number }[]>`
      select count(*)::int as n, avg(rate)::float8 as mean,
        (select count(*)::int from ticket_figure where kind = 'survey') as asked from rating`
    expect(summary.rating.count).toBe(row?.n ?? -1)
    expect(summary.rating.average).toBeCloseTo(row?.mean ?? -1, 1)
    expect([summary.asked, summary.answered]).toEqual([row?.asked ?? -1, row?.n ?? -1])
  })

  test('gives protocols the day they were given on as the beginning of their number', async () => {
    const wrong = await sql`
      select protocolo from protocol where left(protocolo, 8) <> to_char(created_at at time zone ${TIMEZONE}, 'YYYYMMDD')`
    expect(wrong.length).toBe(0)
    const noticed = await count(sql<{ n: number }[]>`
      select count(*)::int as n from protocol p where exists (
        select 1 from message m where m.ticket_id = p.ticket_id and m.from_me and position(p.protocolo in m.body) > 0)`)
    expect(noticed).toBeGreaterThan(10)
  })

  test('counts recipients of sends as their rows do', async () => {
    const { envios } = await ask<{ envios: { id: number; enviados: number; falhas: number }[] }>('/envioMassa')
    expect(envios.length).toBeGreaterThan(0)
    for (const { id, enviados, falhas } of envios) {
      const [row] = await sql<{ handed: number; failed: number }[]>`
        select (count(*) filter (where m.state in ('sent', 'delivered', 'read', 'failed')))::int as handed,
          (count(*) filter (where m.state = 'failed'))::int as failed
        from send_recipient r join message m on m.id = r.message_id where r.send_id = ${id}`
      expect([id, enviados, falhas]).toEqual([id, row?.handed ?? -1, row?.failed ?? -1])
    }
  })

  test('says in sends who was not reached, and keeps one that is yet to come', async () => {
    const failed = await sql<{ name: string }[]>`
      select distinct c.name from send_recipient r join message m on m.id = r.message_id join contact c on c.id = r.contact_id
      where m.state = 'failed' order by c.name`
    expect(failed.map(({ name }) => name)).toEqual(MONTH.silent.flatMap(one => (one.isGone ? one.name : [])))
    const { agendamentos } = await ask<{ agendamentos: { recurrence: string; id: number }[] }>('/agendamento')
    const once = agendamentos.find(({ recurrence }) => recurrence === 'once')
    const [row] = await sql<
      { isAhead: boolean }[]
    >`select send_on > now() as "isAhead" from schedule where id = ${once?.id ?? 0}`
    expect(row?.isAhead).toBe(true)
  })

  test('has contacts that never wrote: they were sent something, and nobody waited, was served or answered', async () => {
    const names = MONTH.silent.map(({ name }) => name)
    const rows = await sql<{ name: string; wrote: boolean; figures: number; answers: number }[]>`
      select c.name, exists (select 1 from message m where m.contact_id = c.id and not m.from_me) as wrote,
        (select count(*) from ticket_figure f join ticket t on t.id = f.ticket_id
          where t.contact_id = c.id and f.kind in ('wait', 'service', 'survey'))::int as figures,
        (select count(*) from ticket_answer a join ticket t on t.id = a.ticket_id where t.contact_id = c.id)::int as answers
      from contact c where c.name = any(${names}) order by c.name`
    expect([...rows]).toEqual(names.toSorted().map(name => ({ name, wrote: false, figures: 0, answers: 0 })))
    const byContact = JSON.stringify(await ask(`/ticketCliente?${period}`))
    expect(names.filter(name => byContact.includes(name))).toEqual([])
  })

  test('promises answers, keeps most of them, and somebody waits too long right now', async () => {
    const level = await ask<{ first: Share; later: Share; late: number; queues: readonly object[] }>(
      `/dashboard/service-level?${period}`,
    )
    const [row] = await sql<{ first: number; firstInTime: number; later: number; laterInTime: number }[]>`
      select count(*) filter (where kind = 'first')::int as first, count(*) filter (where kind = 'first' and at <= due_at)::int as "firstInTime",
        count(*) filter (where kind = 'later')::int as later, count(*) filter (where kind = 'later' and at <= due_at)::int as "laterInTime"
      from ticket_answer`
    expect(level.first).toEqual({ inTime: row?.firstInTime ?? -1, total: row?.first ?? -1 })
    expect(level.later).toEqual({ inTime: row?.laterInTime ?? -1, total: row?.later ?? -1 })
    expect(level.first.total).toBeGreaterThan(500)
    expect(level.first.inTime / level.first.total).toBeWithin(0.4, 0.95)
    expect(level.queues.length).toBe(4)
    expect(level.late).toBeGreaterThan(0)
  })

  test('has one person with far more than the others, and a log of people at their desks', async () => {
    const loads = await sql<{ name: string; n: number }[]>`
      select u.name, count(*)::int as n from ticket_figure f join "user" u on u.id = f.user_id where f.kind = 'wait' group by u.name order by n desc`
    expect(loads[0]?.name).toBe('Bruna Alves')
    expect(loads[0]?.n ?? 0).toBeGreaterThan(1.5 * (loads[1]?.n ?? 0))
    const sources = await sql<{ source: string }[]>`select distinct source from log_entry where user_id is not null`
    expect(sources.map(({ source }) => source).toSorted()).toEqual(['phone', 'web'])
  })

  test('leaves no list of the administrator empty', async () => {
    const lists = [
      ['/tickets?status=open&showAll=true', 'tickets'],
      ['/tickets?status=pending&showAll=true', 'tickets'],
      ['/tickets?status=paused&showAll=true', 'tickets'],
      ['/tickets?status=closed&showAll=true', 'tickets'],
      ...[['/contacts', 'contacts'] as const, ['/protocolos', 'protocolos'] as const, ['/log', 'logs'] as const],
      ...[['/agendamento', 'agendamentos'] as const, ['/envioMassa', 'envios'] as const],
      [`/ticketNPS?${period}`, 'entries'],
    ] as const
    for (const [path, name] of lists) {
      const answer = await ask<Record<string, readonly unknown[]>>(path)
      expect([path, Object.keys(answer).includes(name), (answer[name]?.length ?? 0) > 0]).toEqual([path, true, true])
    }
    for (const path of [
      '/quickAnswers',
      '/tag',
      '/pergunta',
      '/chats',
      '/queue',
      '/whatsapp',
      '/users',
      '/tickets?status=bot',
    ])
      expect([path, await countRows(1, path)]).toEqual([path, expect.any(Number)])
  })

  test('has something for each report', async () => {
    const [contact] = await sql<{ id: number }[]>`select contact_id as id from ticket order by id limit 1`
    const body = { startDate: toDay(60), endDate: toDay(0), contactId: contact?.id }
    for (const kind of ['ticket', 'contact', 'queue', 'user', 'message']) {
      const { rows } = await desk.call<{ rows: number }>(1, `POST /report/${kind}?preview=true`, body)
      expect([kind, rows > 0]).toEqual([kind, true])
    }
  })

  test('leaves nobody at an empty desk: each of the team has conversations, quick answers and colleagues’ words', async () => {
    const people = await sql<{ id: number; profile: string }[]>`select id, profile from "user" where active order by id`
    expect(people.length).toBe(5)
    for (const { id, profile } of people)
      for (const path of ['/tickets?status=open', '/tickets?status=closed', '/quickAnswers', '/chats', '/contacts'])
        expect([profile, id, path, await countRows(id, path)]).toEqual([profile, id, path, expect.any(Number)])
  })

  test('has nobody with two live conversations, and files that are there', async () => {
    const twice = await sql`
      select contact_id from ticket where status <> 'closed' group by contact_id, whatsapp_id having count(*) > 1`
    expect(twice.length).toBe(0)
    const files = await sql<{ id: string }[]>`select id from media`
    expect(files.filter(({ id }) => !existsSync(getMediaPath(dataDir, id)))).toEqual([])
    expect(files.length).toBeGreaterThan(10)
  })

  test('is kept by the second start, which only gives new passwords', async () => {
    const before = await count(sql<{ n: number }[]>`select count(*)::int as n from message`)
    const again = await seed()
    expect(await count(sql<{ n: number }[]>`select count(*)::int as n from message`)).toBe(before)
    expect(again.map(({ email }) => email)).toEqual(accounts.map(({ email }) => email))
    expect(again.length).toBe(5)
  })
})
