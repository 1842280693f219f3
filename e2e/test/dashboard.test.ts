// The manager's day (spec 1 §2 "Dashboard"): who is overloaded, what they serve, live, and nothing of it for an attendant.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../src/browser.ts'
import { type Desk, signIn } from '../src/desk.ts'
import { administrator } from '../src/steps.ts'
import { startWorld, type World } from '../src/world.ts'

let world: World
let browser: Browser
let desk: Desk
let api: Awaited<ReturnType<typeof administrator>>

beforeAll(async () => {
  ;[browser, world] = await Promise.all([
    launchBrowser(),
    startWorld({ ...(process.env.TEST_PG ? { postgresUrl: process.env.TEST_PG } : {}) }),
  ])
  api = await administrator(world)
  desk = await signIn(browser, world, { as: 'admin', width: 1440, height: 900 })
}, 120_000)

afterAll(async () => {
  await desk?.close()
  await browser?.close()
  await world?.stop()
}, 30_000)

describe('spec 1 §2: the dashboard', () => {
  test('shows every counter, and each drawing has its table', async () => {
    const { page } = desk
    await page.goto(`${world.url}/`)
    for (const counter of ['open', 'pending', 'closed', 'tme', 'tma'])
      await page.locator(`[data-counter=${counter}]`).waitFor()
    for (const fact of ['users', 'queues', 'connections', 'schedules', 'contacts', 'groups', 'tickets', 'messages'])
      expect(await page.locator(`[data-fact=${fact}] dd`).textContent()).toMatch(/\d/)
    for (const title of ['Atendimentos por hora', 'Por pessoa', 'Por cliente', 'Por fila'])
      expect(await page.getByRole('table', { name: title, exact: true }).count()).toBe(1)
  }, 60_000)

  test('a manager finds who is overloaded, opens a ticket of that person, and sees the numbers change without a reload', async () => {
    const { page } = desk
    const open = page.locator('[data-counter=open]')
    const before = Number(await open.locator('p').nth(1).textContent())
    const first = page.getByRole('table', { name: 'Pessoas' }).getByRole('row').nth(1)
    await first.getByRole('button', { name: /^Ver conversas de/ }).click()
    const dialog = page.getByRole('dialog')
    const link = dialog.getByRole('link').first()
    const href = await link.getAttribute('href')
    const id = Number(href?.split('/').at(-1))
    await api('PUT', `/tickets/${id}`, { status: 'closed', onlyClose: true })
    await page.waitForFunction(
      was => Number(document.querySelector('[data-counter=open] p:nth-of-type(2)')?.textContent) === was - 1,
      before,
      { timeout: 20_000 },
    )
    await page.keyboard.press('Escape')
    await first.getByRole('button', { name: /^Ver conversas de/ }).click()
    await dialog.locator('a, p').first().waitFor()
    expect(await dialog.locator(`a[href="${href}"]`).count()).toBe(0)
    await page.goto(world.url + href)
    await page.locator('.c-conversation').waitFor()
  }, 60_000)

  test('an attendant gets nothing of it', async () => {
    const attendant = await signIn(browser, world, { as: 'user', width: 1440, height: 900 })
    await attendant.page.goto(`${world.url}/`)
    await attendant.page.waitForURL('**/tickets')
    await attendant.page.getByText('Você não tem permissão para acessar essa página').first().waitFor()
    await attendant.close()
  }, 60_000)
})
