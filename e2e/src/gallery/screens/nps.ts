// What customers gave.
import type { Screen, ScreenContext } from '../stage.ts'
import { locateButton, makeFailedScreen, mockAnswer, mockCounting } from '../steps.ts'

const LIST = /\/ticketNPS\/?(\?|$)/
const SUMS = /\/ticketNPS\/summary/

export const NPS: readonly Screen[] = [
  {
    name: 'nps',
    steps: async stage => {
      await fillMonths(stage)
      await stage.open('/Nps')
      await waitForRatings(stage)
    },
  },
  {
    name: 'nps-low',
    state: true,
    steps: async stage => {
      await fillMonths(stage)
      await stage.open('/Nps')
      await waitForRatings(stage)
      await stage.page.getByRole('tab', { name: /^Baixas/ }).click()
      await locateButton(stage, 'Conexão').click()
      await stage.page.getByRole('menu').waitFor()
    },
  },
  {
    name: 'nps-empty',
    state: true,
    fresh: true,
    steps: async stage => {
      await mockAnswer(stage, LIST, () => ({ entries: [], count: 0, hasMore: false, nextCursor: null }))
      await mockAnswer(stage, SUMS, () => NOTHING)
      await stage.open('/Nps')
      await stage.page.getByText(/^Ninguém deu nota em /).waitFor()
    },
  },
  {
    name: 'nps-counting',
    state: true,
    fresh: true,
    steps: async stage => {
      await fillMonths(stage)
      await mockCounting(stage, SUMS)
      await stage.open('/Nps')
      await waitForRatings(stage)
      await stage.page.getByText('contados de novo').waitFor()
    },
  },
  {
    name: 'nps-loading',
    state: true,
    fresh: true,
    steps: async stage => {
      await stage.page.route(/\/ticketNPS/, () => undefined)
      await stage.open('/Nps')
      await stage.page.locator('[aria-busy=true]').first().waitFor()
    },
    after: stage => stage.page.unrouteAll({ behavior: 'ignoreErrors' }),
  },
  makeFailedScreen('nps-failed', { calls: /\/ticketNPS/, path: '/Nps', text: 'As notas não carregaram' }),
]

const NOTHING = {
  rating: { average: null, count: 0 },
  rates: [0, 0, 0, 0, 0],
  asked: 0,
  answered: 0,
  waiting: 0,
  trend: [6, 7, 8, 9, 10, 11].map(month => ({
    month: `2026-${String(month).padStart(2, '0')}`,
    average: null,
    count: 0,
  })),
}

/** On phones the rows are a list. */
async function waitForRatings({ page }: ScreenContext): Promise<void> {
  await page.getByText('5 · Ótimo').first().waitFor()
  await page.getByText('Responderam').first().waitFor()
}

/** Half a year of ratings, better from month to month, and surveys of which two thirds were answered: once. */
async function fillMonths({ sql }: ScreenContext): Promise<void> {
  const [known] = await sql`select 1 from rating where asked_at is not null`
  if (known) return
  await sql`
    insert into rating (ticket_id, contact_id, whatsapp_id, queue_id, user_id, rate, at, asked_at)
    select t.id, t.contact_id, t.whatsapp_id, t.queue_id, u.id,
      case when (n * 37) % 100 < 66 - n / 9 then 5 when (n * 37) % 100 < 88 - n / 20 then 4 else 1 + (n * 7) % 3 end, at, at
    from (select n, now() - n * interval '4 hours 7 minutes' as at from generate_series(0, 900) n) given
      join lateral (select * from ticket where not is_group order by id offset (n * 5) % 12 limit 1) t on true
      join (select id, row_number() over (order by id) as nth, count(*) over () as all from "user" where deleted_at is null and id > 1) u
        on u.nth = 1 + (n + n / 3) % u.all`
  await sql`
    insert into figure_change (generation, ticket_id, day, queue_id, user_id, whatsapp_id, asked)
    select (select id from figure_count where state = 'current'), 1, (at at time zone 'America/Sao_Paulo')::date, queue_id, user_id, whatsapp_id, case id % 2 when 0 then 1 else 2 end
    from rating where asked_at is not null`
}
