// Every call of the dashboard and of NPS for the month that runs, at ten thousand and a million tickets. Called as the routes call them, in this
// process; both sizes are asked in turn.
import { loadDashboardCards } from '@balcao/backend/insight/dashboard/cards'
import { countOpenedByContact, countOpenedByPerson, countOpenedByQueue } from '@balcao/backend/insight/dashboard/opened'
import { listPersonTickets, loadDashboardPeople } from '@balcao/backend/insight/dashboard/people'
import { loadDashboardStats } from '@balcao/backend/insight/dashboard/stats'
import { refreshCalendar } from '@balcao/backend/insight/figures/calendar'
import { countMessages } from '@balcao/backend/insight/figures/messages'
import { listRatings } from '@balcao/backend/insight/ratings/list'
import { loadRatingSummary } from '@balcao/backend/insight/ratings/summary'
import type { Db } from '@balcao/backend/platform/database/client'
import { type Benchmark, type Figure, readNumberOption } from './benchmark.ts'
import { compare, type ListQuestion } from './lists.ts'
import { openSeededDatabase, SECONDS_APART, type SeededDatabase } from './seeded.ts'

const ZONE = 'America/Sao_Paulo'
/** So many tickets fill the months that are asked for; who has fewer has them over the same time, so that a month has as many days in both. */
const FULL = 1_000_000

export const dashboard: Benchmark = {
  name: 'dashboard',
  about: 'every call of the dashboard and of NPS for the current month at 10,000 and 1,000,000 tickets, in process',
  async run(options) {
    const times = readNumberOption(options, 'times', 200)
    const small = await withFigures(readNumberOption(options, 'small', 10_000))
    const large = await withFigures(readNumberOption(options, 'large', 1_000_000))
    try {
      const figures: Figure[] = []
      for (const question of QUESTIONS)
        figures.push(...(await compare(question, small, large, times, { p95: 100, ratio: 1.5 })))
      return figures
    } finally {
      await small.close()
      await large.close()
    }
  },
}

type Query = {
  readonly firstDate: string
  readonly lastDate: string
  readonly queueId?: number
  readonly userId?: number
  readonly low?: string
}
type Call = (db: Db, query: Query, zone: string, now: Date) => Promise<unknown>

const QUESTIONS: readonly ListQuestion[] = [
  ask('counters, times and hours', loadDashboardStats),
  ask('the same of one queue', loadDashboardStats, n => ({ queueId: 1 + (n % 10) })),
  ask('the same of one person', loadDashboardStats, n => ({ userId: 1 + (n % 30) })),
  ask('cards', loadDashboardCards),
  ask('people', loadDashboardPeople),
  ask('by queue', countOpenedByQueue),
  ask('by person', countOpenedByPerson),
  ask('by contact', countOpenedByContact),
  ask('by contact, of one queue', countOpenedByContact, n => ({ queueId: 1 + (n % 10) })),
  ask('by contact, of one person', countOpenedByContact, n => ({ userId: 1 + (n % 30) })),
  ask('NPS: mean, bands, who answered, six months', loadRatingSummary),
  ask('NPS: the same of one person', loadRatingSummary, n => ({ userId: 1 + (n % 30) })),
  ask('NPS: the newest ratings', listRatings),
  ask('NPS: low ones alone', listRatings, () => ({ low: 'true' })),
  ask('NPS: low ones of one person', listRatings, n => ({ low: 'true', userId: 1 + (n % 30) })),
  ask('NPS: of one queue', listRatings, n => ({ queueId: 1 + (n % 10) })),
  // The first fifty, which is what the dialog asks for; a person has more in both companies.
  {
    label: 'tickets of one person',
    on:
      async ({ db }) =>
      n =>
        listPersonTickets(db, 2 + (n % 29), {}),
  },
]

function ask(label: string, call: Call, chosen: (n: number) => Partial<Query> = () => ({})): ListQuestion {
  const now = new Date()
  const month = now.toISOString().slice(0, 8)
  const query = { firstDate: `${month}01`, lastDate: now.toISOString().slice(0, 10) }
  return {
    label,
    on:
      async ({ db }) =>
      n =>
        call(db, { ...query, ...chosen(n) }, ZONE, now),
  }
}

/** The kept databases are written past the triggers: their days are counted once, and have times and ratings as a company has. */
async function withFigures(tickets: number): Promise<SeededDatabase> {
  const world = await openSeededDatabase(tickets, Math.max(SECONDS_APART, (SECONDS_APART * FULL) / tickets))
  const { db } = world
  const sql = db.$client
  const [known] = await sql`select 1 from figure_day where waits > 0 limit 1`
  if (!known) {
    await sql.begin(async tx => {
      await tx`set local session_replication_role = replica`
      await tx`truncate rating`
      await tx`
        insert into rating (ticket_id, contact_id, whatsapp_id, queue_id, user_id, rate, at)
        select id, contact_id, whatsapp_id, queue_id, user_id, 1 + id % 5, closed_at from ticket where status = 'closed' and id % 5 = 0`
    })
    await sql`delete from figure_calendar`
    await refreshCalendar(db, new Date())
    await sql`
      insert into ticket_span (ticket_id, status, queue_id, user_id, begun_at, begun_work)
      select id, status, queue_id, user_id, created_at, work_at(created_at) from ticket t
      where status <> 'closed' and not exists (select 1 from ticket_span s where s.ticket_id = t.id)`
    await sql`
      update figure_day set waits = opened, wait_ms = opened * 200000, services = closed, service_ms = closed::bigint * 800000`
    await sql`vacuum (analyze)`
  }
  // As on a desk on which somebody has just written.
  const [newest] = await sql<{ at: string }[]>`select max(at) as at from message`
  await countMessages(db, new Date(newest?.at ?? Date.now()))
  return world
}
