// Every number of every report against the slow way (decisions-2 §12, §23): read back from its sheet, and counted by hand from the rows.
import { describe, expect, test } from 'bun:test'
import { refreshCalendar } from '../src/insight/figures/calendar.ts'
import { foldFigures } from '../src/insight/figures/days.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { clearSettingsCache } from '../src/policy/settings/read.ts'
import { type SignedInPerson, startDeskServer } from './desk-server.ts'
import { flattenTags, readPdf } from './pdf-reader.ts'
import { makeRandomDesk } from './random-world.ts'
import { toDrawnRows } from './report-drawn.ts'
import { createReportClient } from './report-files.ts'
import { takeRounds } from './rounds.ts'
import { createSeededRandom } from './seeded-random.ts'
import { computeSlowReports } from './slow-reports.ts'

const SEED = Number(process.env.SEED ?? 20_261_123)
const TICKETS = Number(process.env.TICKETS ?? 300)
const [FROM, UNTIL] = [new Date('2026-01-01T12:00:00Z'), new Date('2026-11-20T15:00:00Z')]

const server = await startDeskServer()
const { db } = server
const sql = getSql(db)
const { sheets, made, fileOf } = createReportClient(server)

async function set(values: Readonly<Record<string, string>>): Promise<void> {
  for (const [key, value] of Object.entries(values))
    await sql`insert into setting (key, value) values (${key}, ${value}) on conflict (key) do update set value = excluded.value`
  clearSettingsCache(db)
}

await sql`delete from figure_calendar`
await refreshCalendar(db, FROM)
const world = await makeRandomDesk(db, createSeededRandom(SEED), { tickets: TICKETS, from: FROM, until: UNTIL })
await sql`delete from queue where id = ${world.queues[2] ?? 0} and not exists (select 1 from ticket where queue_id = ${world.queues[2] ?? 0} and status <> 'closed')`
await sql`update "user" set active = false, deleted_at = now() where name = 'Helena'`
const marina = await server.as('Marina')
const tiago = await server.as('Tiago')

describe(`decisions-2 §12, §23: every number of the reports equals the slow way (SEED=${SEED})`, () => {
  const compare = async (body: object, person: SignedInPerson, caller: 'admin' | 'gerente') => {
    const slow = await computeSlowReports(
      db,
      { ...WHOLE, ...body },
      caller === 'admin' ? null : { id: idOf('Tiago'), queues: world.queues.slice(0, 2) },
    )
    for (const report of ['ticket', 'contact', 'queue', 'user'] as const) {
      const read = await sheets(report, { ...WHOLE, ...body }, person)
      expect({ report, asked: body, who: caller, ...slow.readable(read) }).toEqual({
        report,
        asked: body,
        who: caller,
        ...slow.expected(report),
      })
    }
  }
  const WHOLE = { startDate: '2026-01-01', endDate: '2026-12-31' }
  const idOf = (name: string) =>
    world.people[['Marina', 'Tiago', 'Rafael', 'Bruna', 'Carlos', 'Helena'].indexOf(name)] ?? 0

  test('of a year and of a month, for all, one queue, person, contact and status', async () => {
    await compare({}, marina, 'admin')
    await foldFigures(db)
    await compare({ startDate: '2026-03-10', endDate: '2026-06-02' }, marina, 'admin')
    const choices = [
      { queueId: world.queues[0] },
      { userId: idOf('Helena') },
      { queueId: world.queues[1], userId: idOf('Rafael') },
      { status: 'closed' },
      { status: 'open', queueId: world.queues[0] },
      { contactId: world.contacts[1] },
    ]
    for (const chosen of takeRounds(choices, 2)) await compare(chosen, marina, 'admin')
  })

  test('a PDF has the rows of its sheet, cell by cell', async () => {
    for (const report of ['ticket', 'contact', 'queue', 'user'] as const) {
      const [rows = []] = Object.values(await sheets(report, WHOLE, marina))
      const expected = toDrawnRows(report, rows)
      const { pages } = await readPdf(await fileOf(await made(report, { ...WHOLE, format: 'pdf' }, marina)))
      const drawn = pages
        .flatMap(({ tree }) => flattenTags(tree).filter(({ role }) => role === 'TR'))
        .map(({ children }) => children.filter(({ role }) => role === 'TD').map(({ text }) => text.replace(/\s/g, '')))
        // Of a table that goes on every page has all rows, those of others without words.
        .filter(cells => cells.length === expected[0]?.length && cells.some(text => text !== ''))
        // Who still waits has waited a little longer in what is made later.
        .map(cells => (cells[3]?.startsWith('Aguardando') ? cells.with(7, 'waits') : cells))
      expect(rows.length).toBeGreaterThan(3)
      expect({ report, drawn }).toEqual({ report, drawn: expected })
    }
  })

  test('a manager has the own queues alone, and under the hierarchy nothing of other managers and administrators', async () => {
    await compare({}, tiago, 'gerente')
    await set({ hierarchy: 'enabled' })
    await compare({}, tiago, 'gerente')
    await compare({ status: 'closed', startDate: '2026-02-01' }, tiago, 'gerente')
    await set({ hierarchy: 'disabled' })
  })

  test('with night shifts, lunch and holidays, in other time zones', async () => {
    const worlds: Record<string, string>[] = [
      { horarioAbertura: '22:00', horarioFechamento: '06:00', saturday: 'enabled', timezone: 'Asia/Kolkata' },
      {
        ...{ horarioAbertura: '08:00', horarioFechamento: '18:00', horarioAlmoco: '12:00', horarioFimAlmoco: '13:30' },
        ...{ timezone: 'America/New_York', optionalHolidays: 'enabled' },
      },
    ]
    for (const values of takeRounds(worlds, 1)) {
      await set(values)
      await refreshCalendar(db, new Date())
      await compare({}, marina, 'admin')
      await compare({ startDate: '2026-11-01', endDate: '2026-11-20', status: 'closed' }, marina, 'admin')
    }
  })
})
