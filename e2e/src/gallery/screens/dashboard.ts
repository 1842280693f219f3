// The manager's figures.
import type { Screen, ScreenContext } from '../stage.ts'
import { makeFailedScreen, mockCounting } from '../steps.ts'

export const DASHBOARD: readonly Screen[] = [
  {
    name: 'dashboard',
    steps: async stage => {
      await fillMonth(stage)
      await stage.open('/')
      await stage.page.locator('[data-counter=open]').waitFor()
    },
  },
  {
    name: 'dashboard-bars',
    state: true,
    fresh: true,
    steps: async stage => {
      await stage.open('/')
      await stage.page.getByRole('button', { name: 'Por pessoa em barras' }).click()
    },
    after: stage => stage.page.evaluate(() => localStorage.removeItem('balcao.dashboard.person')),
  },
  {
    name: 'dashboard-person',
    steps: async stage => {
      await stage.open('/')
      await stage.page
        .getByRole('button', { name: /^Ver conversas de/ })
        .first()
        .click()
      await stage.page.getByRole('dialog').getByRole('link').first().waitFor()
    },
  },
  {
    name: 'dashboard-counting',
    state: true,
    fresh: true,
    steps: async stage => {
      await mockCounting(stage, /\/dashboard\/stats/)
      await stage.open('/')
      await stage.page.getByText('contados de novo').waitFor()
    },
    after: stage => stage.page.unrouteAll({ behavior: 'ignoreErrors' }),
  },
  {
    name: 'service-level',
    as: 'gerente',
    steps: async stage => {
      await promiseAnswers(stage)
      await stage.open('/service-level')
      await stage.page.getByText('primeiras respostas no prazo').waitFor()
    },
    after: stage => stage.sql`update queue set first_answer_minutes = null, answer_minutes = null`,
  },
  {
    name: 'service-level-counting',
    as: 'gerente',
    state: true,
    fresh: true,
    steps: async stage => {
      await promiseAnswers(stage)
      await mockCounting(stage, /\/dashboard\/service-level/)
      await stage.open('/service-level')
      await stage.page.getByText('contados de novo').waitFor()
    },
    after: stage => stage.sql`update queue set first_answer_minutes = null, answer_minutes = null`,
  },
  {
    name: 'service-level-none',
    state: true,
    steps: async stage => {
      await stage.sql`delete from ticket_answer`
      await stage.sql`update queue set first_answer_minutes = null, answer_minutes = null`
      await stage.sql`update ticket set answer_due_at = null where answer_due_at is not null`
      await stage.open('/service-level')
      await stage.page.getByText('Nenhuma fila tem prazo').waitFor()
    },
  },
  makeFailedScreen('dashboard-failed', { calls: /\/dashboard\/stats/, path: '/' }),
]

/** Queues say until when they answer, most answers came in time, and somebody is late now. */
async function promiseAnswers({ sql }: ScreenContext): Promise<void> {
  await sql`update queue set first_answer_minutes = 15, answer_minutes = 60`
  await sql`
    insert into ticket_answer (ticket_id, queue_id, user_id, kind, due_at, at)
    select t.id, q.id, u.id, case when n % 3 = 0 then 'first' else 'later' end, now(), now() + (n % 7 - 5.5) * interval '1 minute'
    from (select min(id) as id from ticket) t, queue q, "user" u, generate_series(1, 9) n where u.id > 1`
}

/** What a month of a company looks like: once, by the sums that the figures are read from. */
async function fillMonth({ sql }: ScreenContext): Promise<void> {
  const [known] =
    await sql`select 1 from figure_change where waits > 0 union all select 1 from figure_day where waits > 0`
  if (known) return
  await sql`
    insert into figure_change (generation, ticket_id, day, hour, contact_id, queue_id, user_id, whatsapp_id, opened, waits, wait_ms, services, service_ms, closed)
    select (select id from figure_count where state = 'current'), n, date_trunc('month', now() at time zone 'America/Sao_Paulo')::date + (n % 24), 8 + (n * n / 3 + n / 7) % 12, null, q.id, u.id, (select min(id) from whatsapp), 1, 1,
      120000 + (n * 7919) % 200000, 1, 600000 + (n * 104729) % 600000, 1
    from generate_series(1, 198) n
      join (select id, row_number() over (order by id) as nth, count(*) over () as all from queue) q on q.nth = 1 + (n * n) % q.all
      join (select id, row_number() over (order by id) as nth, count(*) over () as all from "user" where deleted_at is null) u
        on u.nth = 1 + (n + n / 3) % u.all`
  await sql`
    insert into rating (ticket_id, contact_id, whatsapp_id, queue_id, user_id, rate, at)
    select t.id, t.contact_id, t.whatsapp_id, t.queue_id, coalesce(t.user_id, (select max(id) from "user")),
      case when n % 10 < 6 then 5 when n % 10 < 9 then 4 else 1 + n / 10 % 3 end, now() - n * interval '3 hours'
    from generate_series(1, 60) n join lateral (select * from ticket order by id offset n % 8 limit 1) t on true`
}
