// Two server processes on one database: one runs the connection, the other serves agents. When one is killed the other goes on.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { CompanyPagePhone, CustomerPagePhone } from '@balcao/simulator/page/phones'
import type { Browser, Page } from 'playwright-core'
import postgres from 'postgres'
import { launchBrowser } from '../src/browser.ts'
import { type DeskSession, signIn } from '../src/desk.ts'
import type { ServerProcess } from '../src/server-process.ts'
import { acceptTicket, pairPhone, sendText, signInAdministrator, waitUntil } from '../src/steps.ts'
import { startTestSystem, type TestSystem } from '../src/world.ts'

/** More events than a page of what was missed has, so that catching up can be seen; those of a conversation are the last of them. */
const MISSED = { tags: 500, messages: 20 }
/** Nothing is promised of how long that takes: a slow machine may. */
const WITHIN_MS = 60_000

let browser: Browser
let world: TestSystem
let second: ServerProcess
let desk: DeskSession
let page: Page
let sql: postgres.Sql
let company: CompanyPagePhone
let lucia: CustomerPagePhone
let connectionId = 0

beforeAll(async () => {
  ;[browser, world] = await Promise.all([launchBrowser(), startTestSystem()])
  sql = postgres(world.databaseUrl, { max: 2, onnotice: () => {} })
  company = world.simulator.find('Celular da empresa') as CompanyPagePhone
  lucia = world.simulator.find('Rafael Lima') as CustomerPagePhone
  connectionId = await pairPhone(world, sql, 'Loja Centro', company)
  second = await world.secondServer()
  desk = await signIn(browser, world, { url: second.url })
  page = desk.page
  page.setDefaultTimeout(15_000)
}, 120_000)

afterAll(async () => {
  await desk?.close()
  await browser?.close()
  await sql?.end()
  await world?.stop()
})

test('who is signed in on the one server sees at once what comes in through the other, and answers through it', async () => {
  await sendFromCustomer('Bom dia, aqui é o Rafael')
  await page.getByRole('tab', { name: /Pendentes/ }).click()
  await page.getByRole('option', { name: /Rafael Lima/ }).click()
  await messages().getByText('Bom dia, aqui é o Rafael', { exact: true }).waitFor()
  await acceptTicket(page, 'Comercial')
  await sendText(page, 'Pois não, Rafael?')
  await waitUntil('the phone shows the answer', () => countOnPhone('Pois não, Rafael?') === 1)
})

test('the owner is killed: within 5 s the other runs the connection, and messages flow both ways, each once', async () => {
  const before = await epoch()
  await world.server.kill()
  const killed = performance.now()
  await sendFromCustomer('Alguém aí?')
  await waitUntil('the other runs the connection', async () => (await epoch()) > before, 5000)
  expect(performance.now() - killed).toBeLessThan(5000)
  await messages().getByText('Alguém aí?', { exact: true }).waitFor()
  await sendText(page, 'Sim, estamos aqui')
  await waitUntil('the phone shows the answer', () => countOnPhone('Sim, estamos aqui') === 1)
  await waitUntil(
    'it is sent',
    async () => (await number(sql`select count(*)::int as n from outbox where state <> 'done'`)) === 0,
  )
  expect(countOnPhone('Pois não, Rafael?')).toBe(1)
  expect(countOnPhone('Sim, estamos aqui')).toBe(1)
  expect(await countStored('Alguém aí?')).toBe(1)
  await expect(messages().getByText('Alguém aí?', { exact: true }).count()).resolves.toBe(1)
  expect(desk.complaints).toEqual([])
})

test('the server of a browser dies and comes back: it is offline, catches up, is live; what was written meanwhile goes out once', async () => {
  await world.killAndRestart()
  const other = await signIn(browser, world, {})
  const newest = `enquanto isso ${MISSED.messages}`
  try {
    other.page.setDefaultTimeout(15_000)
    await other.page.goto(page.url().replace(second.url, world.url))
    const shown = other.page.getByRole('region', { name: 'Mensagens' })
    await shown.getByText('Sim, estamos aqui').waitFor()
    await other.page.getByText('Ao vivo').waitFor({ state: 'attached' })
    const states = await watchConnection(other.page)
    await world.server.kill()
    await waitUntil('it shows that there is no line', async () => (await states()).includes('offline'))
    await sendText(other.page, 'Escrito sem conexão')
    const call = await signInAdministrator(world, second.url)
    for (let n = 1; n <= MISSED.tags; n++) await call('POST', '/tag', { name: `Tag ${n}`, color: '#0b6e4f' })
    for (let n = 1; n <= MISSED.messages; n++) await sendFromCustomer(`enquanto isso ${n}`)
    await waitUntil('the other server has them', async () => (await countStored(newest)) === 1, WITHIN_MS)
    await world.killAndRestart()
    await shown.getByText(newest, { exact: true }).waitFor({ timeout: WITHIN_MS })
    await waitUntil('it is live again', async () => (await states()).at(-1) === 'live', WITHIN_MS)
    await waitUntil('it goes out', () => countOnPhone('Escrito sem conexão') === 1, WITHIN_MS)
    await shown.getByText('Escrito sem conexão').waitFor()
    await waitUntil(
      'it is sent',
      async () => (await number(sql`select count(*)::int as n from outbox where state <> 'done'`)) === 0,
      WITHIN_MS,
    )
    expect(countOnPhone('Escrito sem conexão')).toBe(1)
    expect(await shown.getByText('Escrito sem conexão').count()).toBe(1)
    expect(await states()).toEqual(['live', 'offline', 'catching-up', 'live'])
    for (const n of [MISSED.messages - 1, MISSED.messages])
      expect(await shown.getByText(`enquanto isso ${n}`, { exact: true }).count()).toBe(1)
  } finally {
    await other.close()
  }
})

function messages() {
  return page.getByRole('region', { name: 'Mensagens' })
}

function sendFromCustomer(text: string): Promise<unknown> {
  return lucia.whatsapp.send(company.whatsapp, { type: 'text', text })
}

/** How often a text stands on the customer's phone. */
function countOnPhone(text: string): number {
  return lucia.whatsapp.chat(company.whatsapp).filter(message => JSON.stringify(message.content).includes(text)).length
}

function countStored(text: string): Promise<number> {
  return number(sql`select count(*)::int as n from message where body = ${text}`)
}

async function epoch(): Promise<number> {
  const [row] = await sql<{ epoch: string }[]>`select epoch from whatsapp where id = ${connectionId}`
  return Number(row?.epoch)
}

async function number(rows: PromiseLike<readonly { n?: number }[]>): Promise<number> {
  return (await rows)[0]?.n ?? 0
}

/** Every state of the connection the page shows, from now on. */
async function watchConnection(watched: Page): Promise<() => Promise<string[]>> {
  await watched.evaluate(() => {
    const state = () => /is-([\w-]+)/.exec(document.querySelector('.s-live')?.className ?? '')?.[1]
    const seen = [state()]
    Object.assign(window, { seenConnection: seen })
    const noteState = () => state() !== seen.at(-1) && seen.push(state())
    new MutationObserver(noteState).observe(document.body, {
      attributes: true,
      subtree: true,
      attributeFilter: ['class'],
    })
  })
  return () => watched.evaluate(() => Reflect.get(window, 'seenConnection'))
}
