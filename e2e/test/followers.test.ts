// A colleague is asked into a conversation: sees whose it is, comments, and leaves; the other page hears of it.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import postgres, { type Sql } from 'postgres'
import { launchBrowser } from '../src/browser.ts'
import { type DeskSession, findAccessibilityIssues, signIn } from '../src/desk.ts'
import { waitUntil } from '../src/steps.ts'
import { startTestSystem, type TestSystem } from '../src/world.ts'

let browser: Browser
let world: TestSystem
let sql: Sql
let owner: DeskSession
let colleague: DeskSession

beforeAll(async () => {
  ;[browser, world] = await Promise.all([launchBrowser(), startTestSystem({ here: true })])
  sql = postgres(world.databaseUrl, { max: 1, onnotice: () => {} })
  owner = await signIn(browser, world)
  colleague = await signIn(browser, world, { as: 'user' })
  for (const { page } of [owner, colleague]) page.setDefaultTimeout(30_000)
}, 180_000)

afterAll(async () => {
  await owner?.close()
  await colleague?.close()
  await sql?.end()
  await browser?.close()
  await world?.stop()
})

test('asked in by name, comments, and leaves', async () => {
  const [ticket] = await sql<{ id: number; name: string }[]>`
    with chosen as (update ticket set status = 'open', user_id = (select id from "user" where profile = 'admin' order by id limit 1)
      where id = (select min(t.id) from ticket t where t.status = 'pending') returning id)
    select chosen.id, u.name from chosen, "user" u where u.profile = 'user' order by u.id limit 1`
  const { id, name } = ticket ?? { id: 0, name: '' }
  await owner.page.goto(`${world.url}/tickets/${id}`)
  await owner.page.getByRole('button', { name: 'Transferir' }).waitFor()
  await owner.page.keyboard.press('Escape')
  await owner.page.keyboard.press('c')
  await owner.page.locator('.b-select', { has: owner.page.getByLabel('Pessoa') }).click()
  await owner.page.getByRole('option', { name }).click()
  await owner.page.getByRole('button', { name: 'Chamar', exact: true }).click()
  await owner.page.getByRole('button', { name: `Acompanham: ${name}` }).waitFor()
  await colleague.page.goto(`${world.url}/tickets/${id}`)
  await colleague.page.getByText('Você acompanha.').waitFor()
  expect(await findAccessibilityIssues(colleague.page)).toEqual([])
  await colleague.page.getByRole('button', { name: 'Sair do acompanhamento' }).click()
  await waitUntil('nobody follows', async () => (await sql`select 1 from ticket_follower`).length === 0)
  await owner.page.getByRole('button', { name: `Acompanham: ${name}` }).waitFor({ state: 'detached' })
}, 120_000)
