// A pause until a time, as its agent sees it: over a night in which the clocks change, over another zone of the company, and over a server
// that is not there when it ends.
import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openTestSystem } from '../src/open-test-system.ts'
import { signInAdministrator } from '../src/steps.ts'

const NAME = 'Adega Norte'
const [NEW_YORK, SAO_PAULO] = ['America/New_York', 'America/Sao_Paulo']
const DAY_MS = 86_400_000
/** The clock of the server looks once a minute. */
const WAKE_MS = 120_000

const { world, sql, page } = await openTestSystem({ world: { here: false }, as: 'admin' })
const call = await signInAdministrator(world)
const [ticket] = await sql<{ id: number }[]>`
  with who as (insert into contact (name, name_source) values (${NAME}, 'manual') returning id)
  insert into ticket (contact_id, whatsapp_id, status, queue_id, user_id, last_message, last_message_at)
  select who.id, (select min(id) from whatsapp), 'open', (select min(id) from queue), (select min(id) from "user" where profile = 'admin'),
    'Pode ser amanhã?', now() from who returning id`
const id = ticket?.id ?? 0
const day = findDayAfterChange(NEW_YORK)
const nine = findNine(day, NEW_YORK)

test('nine o’clock after a night in which the clocks change is nine o’clock of the company', async () => {
  await setZone(NEW_YORK)
  await page.goto(`${world.url}/tickets/${id}`)
  await page.getByPlaceholder('Escreva uma mensagem').waitFor()
  await page.getByRole('button', { name: 'Pausar' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Aguarda estoque' }).click()
  const own = dialog.getByLabel('Ou voltar em')
  await own.fill(`${formatDay(nine, NEW_YORK)} às 9h`)
  await own.press('Enter')
  await findEnd(page.locator('.c-header'), NEW_YORK)
  expect(formatTime(nine, NEW_YORK)).toBe('09:00')
  const [row] = await sql<{ until: Date }[]>`select pause_until as until from ticket where id = ${id}`
  expect(row?.until.toISOString()).toBe(nine.toISOString())
})

test('in another zone of the company it is the same instant, told by its clocks', async () => {
  await setZone(SAO_PAULO)
  await findEnd(page.locator('.c-header'), SAO_PAULO)
  await page.getByRole('tab', { name: /Pausados/ }).click()
  await findEnd(page.getByRole('option', { name: new RegExp(NAME) }), SAO_PAULO)
  expect(formatTime(nine, SAO_PAULO)).not.toBe('09:00')
})

test('a server that starts again knows it, and ends the one whose time came while it was away', async () => {
  await world.killAndRestart()
  await page.reload()
  await page.getByText('Ao vivo').waitFor({ state: 'attached' })
  await page.getByRole('tab', { name: /Pausados/ }).click()
  await findEnd(page.getByRole('option', { name: new RegExp(NAME) }), SAO_PAULO)
  await page.goto(`${world.url}/tickets`)
  await page.getByText('Ao vivo').waitFor({ state: 'attached' })

  // It takes longer to start than that.
  await sql`update ticket set pause_until = now() + interval '500 milliseconds' where id = ${id}`
  await world.killAndRestart()
  const woken = page.getByRole('option', { name: new RegExp(`${NAME}.*1 não lida.*voltou da pausa`) })
  await woken.waitFor({ timeout: WAKE_MS })
  expect(await sql`select status from ticket where id = ${id}`).toMatchObject([{ status: 'open' }])
}, 240_000)

async function setZone(value: string): Promise<void> {
  await call('PUT', '/settings/timezone', { value })
}

/** Where it says when the conversation comes back, by the clocks of a zone. */
async function findEnd(place: ReturnType<Page['locator']>, zone: string): Promise<void> {
  await place
    .getByText(`volta ${formatDay(nine, zone)} ${formatTime(nine, zone)}`)
    .last()
    .waitFor()
}

/** The first day, two days from now at the earliest, that begins in another offset than the day before. */
function findDayAfterChange(zone: string): Date {
  for (let at = Date.now() + 2 * DAY_MS; ; at += DAY_MS)
    if (readOffset(new Date(at), zone) !== readOffset(new Date(at - DAY_MS), zone)) return new Date(at)
}

function findNine(day: Date, zone: string): Date {
  const from = Date.parse(`${day.toISOString().slice(0, 10)}T00:00:00Z`)
  const hours = Array.from({ length: 48 }, (_, hour) => new Date(from + hour * 3_600_000))
  const found = hours.find(hour => formatTime(hour, zone) === '09:00')
  if (!found) throw new Error('no nine o’clock')
  return found
}

function readOffset(at: Date, timeZone: string): string | undefined {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at)
  return parts.find(({ type }) => type === 'timeZoneName')?.value
}

function formatDay(at: Date, timeZone: string): string {
  return at.toLocaleDateString('pt-BR', { timeZone, day: '2-digit', month: '2-digit', year: 'numeric' })
}

function formatTime(at: Date, timeZone: string): string {
  return at.toLocaleTimeString('pt-BR', { timeZone, hour: '2-digit', minute: '2-digit' })
}
