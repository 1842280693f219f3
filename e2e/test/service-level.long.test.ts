// Until when answers are due: the form of a queue, rows that count down, the list by it, and the share on the dashboard.
import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { findAccessibilityIssues, setColorScheme, signIn } from '../src/desk.ts'
import { openTestSystem } from '../src/open-test-system.ts'
import { waitUntil } from '../src/steps.ts'

const { browser, world, sql, desk } = await openTestSystem({ patienceMs: 15_000 })
const SHOTS = process.env.SHOTS

// Always open, whatever the day of the test: laid once the job has laid the company's own hours.
await waitUntil('there is a calendar', async () => (await sql`select 1 from figure_calendar`).length > 0)
await sql`delete from work_span`
await sql`insert into work_span (begins, ends, before) values ('2020-01-01', '2090-01-01', 0)`

test('a queue is given its targets, and they stand in its form again', async () => {
  const { page } = desk
  await page.goto(`${world.url}/queues`)
  await page
    .getByRole('button', { name: /^Editar / })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Primeira resposta em até … min').fill('10')
  await dialog.getByLabel('Cada resposta em até … min').fill('60')
  await shoot(page, 'form')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await dialog.waitFor({ state: 'detached' })
  await waitUntil(
    'it is stored',
    async () => (await sql`select 1 from queue where first_answer_minutes = 10 and answer_minutes = 60`).length === 1,
  )
})

test('rows count down and turn, and the list begins with what is due first', async () => {
  const { page } = desk
  for (const [name, minutesAgo] of [
    ['Adega Norte', 2],
    ['Bazar Sul', 7],
    ['Casa Leste', 18],
  ] as const)
    await waitFor(name, minutesAgo)
  await sql`update queue set first_answer_minutes = 10`
  await page.clock.install({ time: new Date() })
  await page.goto(`${world.url}/tickets`)
  await fact(page, 'Adega Norte', 'is-calm')
    .getByText(/^prazo 8 min$/)
    .waitFor()
  await fact(page, 'Bazar Sul', 'is-near')
    .getByText(/^prazo 3 min$/)
    .waitFor()
  await fact(page, 'Casa Leste', 'is-late')
    .getByText(/^atrasado 8 min$/)
    .waitFor()
  expect(
    await row(page, 'Casa Leste')
      .getAttribute('aria-label')
      .catch(() => null),
  ).toBeNull()
  expect(await row(page, 'Casa Leste').locator('.b-only-read').allTextContents()).toContain(', atrasado 8 min')
  await page.getByRole('button', { name: /^Ordem/ }).click()
  await page
    .getByRole('menuitemradio', { name: 'Prazo da resposta primeiro' })
    .or(page.getByRole('menuitem', { name: 'Prazo da resposta primeiro' }))
    .click()
  await page.getByRole('option').first().getByText('Casa Leste').first().waitFor()
  await shoot(page, 'rows')
  await page.clock.fastForward('04:00')
  await fact(page, 'Adega Norte', 'is-near')
    .getByText(/^prazo 4 min$/)
    .waitFor()
  await fact(page, 'Bazar Sul', 'is-late')
    .getByText(/^atrasado \d min$/)
    .waitFor()
  expect(await findAccessibilityIssues(page)).toEqual([])
})

test('the late ones alone: by key, in list and count, and what turns late comes by itself', async () => {
  const { page } = desk
  const names = () => page.getByRole('option').locator('.t-row-name').allTextContents()
  const assigned = () => page.getByRole('tab', { name: /^Atribuídos/ }).textContent()
  await page.keyboard.press('Shift+L')
  await page.getByRole('button', { name: /^Só atrasadas/, pressed: true }).waitFor()
  await waitUntil('only the late one', async () => (await names()).join() === 'Casa Leste')
  await waitUntil('the count is that of the list', async () => (await assigned()) === 'Atribuídos1')
  expect(await page.getByRole('button', { name: /^Ordem/ }).count()).toBe(0)
  await shoot(page, 'late')
  expect(await findAccessibilityIssues(page)).toEqual([])
  // Nobody touches anything, and no event says it: an instant is over.
  await sql`
    update ticket set answer_due_at = now() - interval '1 minute'
    where contact_id = (select id from contact where name = 'Adega Norte')`
  await page.clock.fastForward('00:31')
  await waitUntil('it turned late', async () => (await names()).join() === 'Casa Leste,Adega Norte')
  await waitUntil('the count too', async () => (await assigned()) === 'Atribuídos2')
  await page.getByRole('tab', { name: /^Pendentes/ }).click()
  await page.getByText('Nada atrasado').waitFor()
  await shoot(page, 'nothing-late')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Só atrasadas')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Só atrasadas/, pressed: false }).waitFor()
})

test('the dashboard says the share and who is late, and leads to them', async () => {
  const page = await desk.context.newPage()
  await sql`
    insert into ticket_answer (ticket_id, queue_id, user_id, kind, due_at, at)
    select t.id, t.queue_id, t.user_id, case when n % 3 = 0 then 'first' else 'later' end, now(), now() + (n % 5 - 3.5) * interval '1 minute'
    from (select * from ticket where user_id is not null order by id limit 1) t, generate_series(1, 30) n`
  await page.goto(`${world.url}/`)
  const panel = page.getByRole('region', { name: 'Prazos de resposta' })
  await panel.getByText(/conversas? atrasadas? agora/).waitFor()
  await panel.getByText('primeiras respostas no prazo').waitFor()
  await panel.scrollIntoViewIfNeeded()
  await shoot(page, 'dashboard')
  expect(await findAccessibilityIssues(page)).toEqual([])
  const link = panel.getByRole('link', { name: /^Ver em atendimento/ })
  const count = Number((await link.textContent())?.replace(/\D/g, ''))
  await link.click()
  await page.getByRole('button', { name: /^Só atrasadas/, pressed: true }).waitFor()
  await page.waitForURL(`${world.url}/tickets`)
  await waitUntil('as many as the panel said', async () => (await page.getByRole('option').count()) === count)
  await page.close()
})

test('a manager has the same of the own queues, and an attendant nothing', async () => {
  const manager = await signIn(browser, world, { as: 'gerente' })
  await manager.page.getByRole('link', { name: 'Prazos' }).first().click()
  const panel = manager.page.getByRole('region', { name: 'Prazos de resposta' })
  await panel.getByText('primeiras respostas no prazo').waitFor()
  const own = await sql<{ name: string }[]>`
    select q.name from user_queue o join "user" u on u.id = o.user_id join queue q on q.id = o.queue_id where u.profile = 'gerente'`
  const names = await panel.getByRole('table').first().getByRole('rowheader').allTextContents()
  expect(names.filter(name => !own.some(queue => queue.name === name))).toEqual([])
  await shoot(manager.page, 'manager')
  expect(await findAccessibilityIssues(manager.page)).toEqual([])
  expect(manager.complaints).toEqual([])
  await manager.close()
  const attendant = await signIn(browser, world, { as: 'user' })
  expect(await attendant.page.getByRole('link', { name: 'Prazos' }).count()).toBe(0)
  await attendant.close()
})

/** A conversation of the administrator whose customer waits since so many minutes. */
async function waitFor(name: string, minutesAgo: number): Promise<void> {
  await sql`
    with who as (insert into contact (name, name_source) values (${name}, 'manual') returning id)
    insert into ticket (contact_id, whatsapp_id, status, queue_id, user_id, last_message, last_message_at, unread_messages)
    select who.id, (select min(id) from whatsapp), 'open', (select id from queue where first_answer_minutes is not null limit 1),
      (select min(id) from "user" where profile = 'admin'), 'Pode ser amanhã?', now() - ${minutesAgo} * interval '1 minute', 1 from who`
  // Half a minute more, so that the minute does not turn while it is looked at.
  await sql`
    update ticket set answer_since = now() - ${minutesAgo} * interval '1 minute' - interval '20 seconds'
    where contact_id = (select id from contact where name = ${name})`
}

function row(page: Page, name: string) {
  return page.getByRole('option').filter({ hasText: name })
}

function fact(page: Page, name: string, kind: string) {
  return row(page, name).locator(`.t-due.${kind}`)
}

async function shoot(page: Page, name: string): Promise<void> {
  if (!SHOTS) return
  for (const width of [1440, 1024, 390])
    for (const scheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 })
      await setColorScheme(page, scheme)
      await page.screenshot({ path: `${SHOTS}/${name}-${width}-${scheme}.png` })
    }
  await page.setViewportSize({ width: 1440, height: 900 })
  await setColorScheme(page, 'light')
}
