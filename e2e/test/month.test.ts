// The demo's month: what the pages show of it is what its rows come to, every list has something, and the second start keeps it.
import { beforeAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DemoAccount, seedDemo } from '@balcao/backend/app/seed/seed'
import { getMediaPath } from '@balcao/backend/desk/media/folder'
import { getSql } from '@balcao/backend/platform/database/raw'
import { formatIsoDay, toWallClock } from '@balcao/contract'
import { createTestDatabase } from '../../backend/test/database.ts'
import { verifyFigures } from '../../backend/test/verify-figures.ts'
import { openPastDesk, type PastDesk } from '../src/month/desk.ts'
import { PAST_MONTH } from '../src/month/load.ts'

const DAY = 86_400_000
const TIMEZONE = 'America/Sao_Paulo'

const { db, url, beforeDrop } = await createTestDatabase({ jobs: true })
const sql = getSql(db)
const dataDir = await mkdtemp(join(tmpdir(), 'balcao-month-test-'))
beforeDrop(() => rm(dataDir, { recursive: true, force: true }))

const seed = () =>
  seedDemo(db, {
    ...{ dataDir, past: PAST_MONTH },
    cloud: { phoneNumberId: '5501', wabaId: '9901', token: 'token', number: '+55 31 90000-0001' },
  })
const toDay = (ago: number) => formatIsoDay(toWallClock(new Date(Date.now() - ago * DAY), TIMEZONE))
const period = `firstDate=${toDay(60)}&lastDate=${toDay(0)}`

let desk: PastDesk
let accounts: readonly DemoAccount[]
const ask = <T>(path: string) => desk.call<T>(1, `GET ${path}`)
const count = async (rows: PromiseLike<readonly { n: number }[]>) => (await rows)[0]?.n ?? -1

beforeAll(async () => {
  accounts = await seed()
  desk = await openPastDesk(url, dataDir)
}, 60_000)

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
    const { envios } = await ask<{ envios: { id: number; enviados: number }[] }>('/envioMassa')
    expect(envios.length).toBeGreaterThan(0)
    for (const { id, enviados } of envios)
      expect([id, enviados]).toEqual([
        id,
        await count(sql<{ n: number }[]>`
          select count(*)::int as n from send_recipient r join message m on m.id = r.message_id
          where r.send_id = ${id} and m.state in ('sent', 'delivered', 'read')`),
      ])
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
