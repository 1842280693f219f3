// The manager's figures (decisions-2 §12, §23) against the slow way: every number once more, ticket by ticket, with the contract's calendar.
import { beforeAll, describe, expect, test } from 'bun:test'
import { getCalendar } from '@balcao/contract'
import { refreshCalendar } from '../src/insight/figures/calendar.ts'
import { splitIntoSpans } from '../src/insight/figures/contacts.ts'
import { foldFigures } from '../src/insight/figures/days.ts'
import { countMessages } from '../src/insight/figures/messages.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { clearSettingsCache, readSettings } from '../src/policy/settings/read.ts'
import { startDeskServer } from './desk-server.ts'
import { makeRandomDesk, type RandomDesk } from './random-world.ts'
import { countRounds } from './rounds.ts'
import { createSeededRandom } from './seeded-random.ts'
import { loadTicketLives } from './slow-figures.ts'
import { type FigureCheckOptions, verifyFigures } from './verify-figures.ts'

const SEED = Number(process.env.SEED ?? 20_261_123)
const TICKETS = Number(process.env.TICKETS ?? countRounds({ all: 2000, few: 200 }))
const [FROM, UNTIL] = [new Date('2026-01-01T12:00:00Z'), new Date('2026-11-20T15:00:00Z')]

const { db, as } = await startDeskServer()
const sql = getSql(db)
const random = createSeededRandom(SEED)
let world: RandomDesk

async function set(values: Readonly<Record<string, string>>): Promise<void> {
  for (const [key, value] of Object.entries(values))
    await sql`insert into setting (key, value) values (${key}, ${value}) on conflict (key) do update set value = excluded.value`
  clearSettingsCache(db)
}

/** Round months and years, parts of them, one day, a hundred years, and days that are to come; of all, of one queue, person, and both. */
function everything(): FigureCheckOptions[] {
  const periods = [
    ['2026-01-01', '2026-12-31'],
    ['2026-02-01', '2026-02-28'],
    ['2026-03-10', '2026-06-02'],
    ['2026-04-01', '2026-09-30'],
    ['2026-11-01', '2026-11-20'],
    ['2026-11-19', '2026-11-19'],
    ['1950-01-01', '2049-12-31'],
    ['2126-01-01', '2226-01-01'],
  ] as const
  const { queues, people } = world
  return periods.flatMap(([firstDate, lastDate]) =>
    [{}, { queueId: queues[0] }, { userId: people[2] }, { queueId: queues[1], userId: people[3] }].map(chosen => ({
      firstDate,
      lastDate,
      ...chosen,
    })),
  )
}

beforeAll(async () => {
  // The calendar of the year in which it all happens, whatever year it is.
  await sql`delete from figure_calendar`
  await refreshCalendar(db, FROM)
})

describe('decisions-2 §12, §23: every figure equals the slow way', () => {
  test(`over ${TICKETS} random tickets, as they are written, while days are folded and the calendar changes (SEED=${SEED})`, async () => {
    const changes: Record<number, Record<string, string>> = {
      [Math.round(TICKETS * 0.3)]: {
        horarioAbertura: '09:00',
        horarioAlmoco: '12:00',
        horarioFimAlmoco: '13:30',
        saturday: 'enabled',
      },
      [Math.round(TICKETS * 0.6)]: { timezone: 'America/Manaus' },
    }
    world = await makeRandomDesk(db, random, {
      tickets: TICKETS,
      from: FROM,
      until: UNTIL,
      async meanwhile(made) {
        if (made % Math.round(TICKETS / 7) === 0) await foldFigures(db)
        const change = changes[made]
        if (!change) return
        await set(change)
        await refreshCalendar(db, UNTIL)
      },
    })
    expect(world.diary.size).toBeGreaterThan(TICKETS * 0.8)
    await verifyFigures(db, 'as written', everything())
    await foldFigures(db)
    await countMessages(db, new Date())
    await verifyFigures(db, 'folded', everything())
    const [left] = await sql<{ n: number }[]>`select count(*)::int as n from figure_change`
    expect(left?.n).toBe(0)
  })

  test('the periods that are counted are what was done', async () => {
    for (const { id, periods } of await loadTicketLives(db))
      expect({ id, periods }).toEqual({ id, periods: [...(world.diary.get(id) ?? [])] })
  })

  test('with night shifts, lunch, holidays of one’s own and time zones with summer time', async () => {
    const worlds: Record<string, string>[] = [
      {
        timezone: 'America/Sao_Paulo',
        horarioAbertura: '22:00',
        horarioFechamento: '06:00',
        horarioAlmoco: '02:00',
        horarioFimAlmoco: '03:00',
      },
      {
        timezone: 'America/New_York',
        horarioAbertura: '08:00',
        horarioFechamento: '18:00',
        horarioAlmoco: '12:00',
        horarioFimAlmoco: '13:30',
        saturday: 'disabled',
      },
      {
        timezone: 'Australia/Lord_Howe',
        optionalHolidays: 'enabled',
        holidayDates: JSON.stringify([
          { date: '03-19', name: 'Padroeiro', open: false },
          { date: '2026-09-07', name: 'Independência', open: true },
        ]),
      },
      {
        timezone: 'Asia/Kolkata',
        holidays: 'enabled',
        sunday: 'enabled',
        horarioAbertura: '00:00',
        horarioFechamento: '00:00',
      },
    ]
    for (const settings of worlds) {
      await set(settings)
      await refreshCalendar(db, UNTIL)
      await verifyFigures(db, JSON.stringify(settings), everything())
    }
  })

  test('after people have worked on it: accepted, passed on, closed, deleted', async () => {
    await refreshCalendar(db, new Date())
    const marina = await as('Marina')
    const all = await loadTicketLives(db)
    for (const [n, { id, queue }] of all
      .filter(life => life.status === 'pending')
      .slice(0, 15)
      .entries()) {
      const put = (body: object) => marina.call('PUT', `/tickets/${id}`, body)
      expect((await put({ status: 'open', queueId: queue ?? world.queues[0] })).status).toBe(200)
      if (n % 2) await foldFigures(db)
      if (n % 3) expect((await put({ status: 'closed' })).status).toBe(200)
      else expect((await put({ queueId: world.queues[2] })).status).toBe(200)
    }
    for (const { id } of all.slice(0, 5)) await sql`delete from ticket where id = ${id}`
    await verifyFigures(db, 'worked on', [...everything(), thisYear()])
    await foldFigures(db)
    await verifyFigures(db, 'worked on and folded', [...everything(), thisYear()])
  })

  test('after contacts were merged, parted and deleted, and queues and people have gone', async () => {
    await sql`update "user" set del_contact = true where id = ${world.people[0] ?? 0}`
    const marina = await as('Marina')
    const call = async (method: string, path: string, body?: unknown) => {
      const answer = await marina.call<{ merge?: { id: number } }>(method, path, body)
      expect({ path, status: answer.status, body: answer.status < 300 ? null : answer.body }).toEqual({
        path,
        status: answer.status,
        body: null,
      })
      return answer.body
    }
    const lives = await loadTicketLives(db)
    const persons = [...new Set(lives.filter(life => !life.isGroup).map(life => life.contact))]
    const merges: number[] = []
    for (let n = 0; n < 12; n += 2) {
      const { merge } = await call('POST', `/contacts/${persons[n]}/merge`, { contactId: persons[n + 1] })
      merges.push(merge?.id ?? 0)
      if (n === 4) await foldFigures(db)
    }
    await verifyFigures(db, 'merged', [...everything(), thisYear()])
    for (const id of merges.slice(0, 3)) await call('DELETE', `/contacts/merges/${id}`)
    for (const id of persons.slice(20, 24)) await call('DELETE', `/contacts/${id}`)
    await verifyFigures(db, 'parted and deleted', [...everything(), thisYear()])
    await foldFigures(db)
    await call('DELETE', `/users/${world.people[3]}`)
    const [, , support = 0] = world.queues
    await sql`update ticket set status = 'closed', closed_at = now() where queue_id = ${support} and status <> 'closed'`
    await call('DELETE', `/queue/${support}`)
    await verifyFigures(db, 'gone', [...everything(), { ...thisYear(), queueId: support }, thisYear()])
    await foldFigures(db)
    await verifyFigures(db, 'gone and folded', [...everything(), { ...thisYear(), queueId: support }, thisYear()])
  })

  test('messages that come late, and old ones that go, are counted', async () => {
    const [one] = await sql<{ ticket_id: number; contact_id: number; whatsapp_id: number }[]>`
      select ticket_id, contact_id, whatsapp_id from message order by id limit 1`
    if (!one) throw new Error('Nobody has said anything')
    for (const at of ['2026-03-15T10:00:00Z', '2026-11-19T02:59:59Z', new Date().toISOString()])
      await sql`
        insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, state)
        select ${one.ticket_id}, ${one.contact_id}, ${one.whatsapp_id}, max(seq) + 1, ${at}, false, 'De antes', 'received' from message where ticket_id = ${one.ticket_id}`
    await verifyFigures(db, 'late', [...everything(), thisYear()])
    await sql`delete from message where id % 7 = 0`
    await verifyFigures(db, 'deleted', [...everything(), thisYear()])
    await countMessages(db, new Date())
    await verifyFigures(db, 'deleted and counted', [...everything(), thisYear()])
    const [twice] = await sql<
      { n: number }[]
    >`select count(*)::int - count(distinct quarter)::int as n from figure_message`
    expect(twice?.n).toBe(0)
    expect(await sql`select day, n from figure_message_day order by day`).toEqual(
      await sql`select (quarter at time zone 'UTC')::date as day, sum(n)::int as n from figure_message group by 1 order by 1`,
    )
  })
})

/** With today, whatever year it is. */
function thisYear(): FigureCheckOptions {
  return { firstDate: '2026-01-01', lastDate: `${new Date().getUTCFullYear() + 1}-12-31` }
}

describe('decisions-2 §12: the calendar in SQL', () => {
  test('counts as the contract does, at random instants of many years', async () => {
    const calendar = getCalendar(await readSettings(db))
    const instants = Array.from({ length: 400 }, () =>
      new Date(Date.parse('2026-01-01T00:00:00Z') + random.upTo(640 * 86_400) * 1000 + random.upTo(1000)).toISOString(),
    )
    const rows = await sql<{ at: string; work: number }[]>`
      select at, work_at(at::timestamptz)::float8 as work from unnest(${instants}::text[]) moment(at)`
    const [row] = await sql<{ epoch: string }[]>`select epoch from figure_calendar`
    for (const { at, work } of rows)
      expect(work / 1000).toBeCloseTo(calendar.workingSeconds(new Date(row?.epoch ?? ''), new Date(at)), 2)
  })
})

describe('the sums that a period is made of', () => {
  const folded = { first: '2025-11-10', last: '2026-11-20' }
  const texts = (first: string, last: string, chosen = {}) =>
    splitIntoSpans({ first, last }, chosen, folded).map(({ span, from, to }) => `${span} ${from} ${to}`)

  test('are years and months where nothing is missing of them', () => {
    expect(texts('2026-11-01', '2026-11-30')).toEqual(['month 2026-11-01 2026-11-01'])
    expect(texts('2026-11-01', '2026-11-20')).toEqual(['month 2026-11-01 2026-11-01'])
    expect(texts('2026-11-01', '2026-11-19')).toEqual(['day 2026-11-01 2026-11-19'])
    expect(texts('2025-01-01', '2026-12-31')).toEqual(['year 2025-01-01 2026-01-01'])
    expect(texts('1900-01-01', '2099-12-31')).toEqual(['year 2025-01-01 2026-01-01'])
    expect(texts('2025-12-30', '2026-03-02')).toEqual([
      'day 2025-12-30 2025-12-31',
      'month 2026-01-01 2026-02-01',
      'day 2026-03-01 2026-03-02',
    ])
    expect(texts('2026-01-01', '2026-12-31', { queueId: 1 })).toEqual(['month of queue 2026-01-01 2026-11-01'])
    expect(texts('2026-02-01', '2026-02-28', { userId: 1 })).toEqual(['month of user 2026-02-01 2026-02-01'])
    expect(texts('2026-02-01', '2026-02-28', { queueId: 1, userId: 1 })).toEqual(['day 2026-02-01 2026-02-28'])
    expect(texts('2027-01-01', '2027-12-31')).toEqual([])
  })

  test('cover each folded day of a period once, and none besides', () => {
    const dayAt = (n: number) => new Date(Date.parse('2025-10-01') + n * 86_400_000).toISOString().slice(0, 10)
    for (let n = 0; n < 300; n++) {
      const from = random.upTo(450)
      const [first, last] = [dayAt(from), dayAt(from + random.upTo(random.pick([3, 40, 400])))]
      const chosen = random.pick([{}, { queueId: 1 }, { userId: 1 }, { queueId: 1, userId: 1 }])
      const covered: string[] = []
      for (const { span, from, to } of splitIntoSpans({ first, last }, chosen, folded))
        for (let day = 0; day < 800; day++) {
          const text = dayAt(day)
          const begins =
            span === 'day' ? text : span === 'year' ? `${text.slice(0, 4)}-01-01` : `${text.slice(0, 7)}-01`
          if (begins >= from && begins <= to && text >= folded.first && text <= folded.last) covered.push(text)
        }
      const wanted = Array.from({ length: 800 }, (_, day) => dayAt(day)).filter(
        text => text >= first && text <= last && text >= folded.first && text <= folded.last,
      )
      expect({ first, last, chosen, covered }).toEqual({ first, last, chosen, covered: wanted })
    }
  })
})
