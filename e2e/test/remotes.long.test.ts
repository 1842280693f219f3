// Remotes are deployed one by one: one that is down harms only its own area, and one may live on another origin.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../src/browser.ts'
import { signIn } from '../src/desk.ts'
import { waitUntil } from '../src/steps.ts'
import { startTestSystem, type TestSystem } from '../src/world.ts'

const ROOT = join(import.meta.dir, '../..')
/** What a remote has to come, and what the page waits before it tries again. */
const TEN_SECONDS = 10_500
const REMOTES = ['mfe-tickets', 'mfe-admin', 'mfe-automation', 'mfe-dashboard']
let browser: Browser
let world: TestSystem
let front: string
let elsewhere: ReturnType<typeof Bun.serve> | undefined

beforeAll(async () => {
  front = await mkdtemp(join(tmpdir(), 'balcao-front-'))
  for (const name of ['shell', ...REMOTES])
    await cp(join(ROOT, name, 'dist'), join(front, name, 'dist'), { recursive: true })
  ;[browser, world] = await Promise.all([
    launchBrowser(),
    startTestSystem({ here: true, env: { FRONTEND_ROOT: front } }),
  ])
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await world?.stop()
  await elsewhere?.stop(true)
  await rm(front, { recursive: true, force: true })
})

test('a remote that is taken down shows a retry card in its own area; the rest works; it comes back with a retry', async () => {
  const home = join(front, 'mfe-automation/dist')
  await rename(home, `${home}-away`)
  const desk = await signIn(browser, world)
  const { page } = desk
  page.setDefaultTimeout(15_000)
  await page.getByRole('link', { name: 'Respostas rápidas' }).first().click()
  const card = page.getByRole('alert').filter({ hasText: 'não abriu' })
  await card.waitFor()
  await page
    .getByRole('link', { name: /Conversas/ })
    .first()
    .click()
  await page.getByRole('tab', { name: /Pendentes/ }).waitFor()
  await page.getByRole('link', { name: 'Respostas rápidas' }).first().click()
  await card.waitFor()
  await rename(`${home}-away`, home)
  await card.getByRole('button', { name: 'Abrir de novo' }).click()
  await page.getByText('boleto-prazo').first().waitFor()
  await card.waitFor({ state: 'detached' })
  // The browser itself notes the file that was not there; the page has nothing else to complain about.
  expect(desk.complaints.filter(one => !/404|mfe_automation/.test(one))).toEqual([])
  await desk.close()
})

test('a page that was not loaded says why, offers ways that lead on, and opens by itself when the line is back', async () => {
  const desk = await signIn(browser, world)
  const { page, context } = desk
  page.setDefaultTimeout(20_000)
  // What stands there for such moments has been fetched ahead.
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('lazy-palette')),
  )
  await context.setOffline(true)
  const card = page.getByRole('alert').filter({ hasText: 'não abriu' })
  for (const [link, title] of [
    ['Tags', 'Tags não abriu'],
    ['Filas', 'Filas não abriu'],
  ] as const) {
    await page.getByRole('link', { name: link, exact: true }).first().click()
    await card.filter({ hasText: title }).waitFor()
    await card.getByText('Sem internet. Abre sozinha quando ela voltar.').waitFor()
    await card.getByRole('button', { name: 'Voltar às conversas' }).click()
    await page.getByRole('tab', { name: /Pendentes/ }).waitFor()
  }
  await page.getByRole('link', { name: 'Tags', exact: true }).first().click()
  await card.waitFor()
  await context.setOffline(false)
  await page.getByRole('heading', { name: 'Tags', exact: true }).waitFor()
  await card.waitFor({ state: 'detached' })
  await desk.close()
})

test('a page that is pointed at, reached by the keyboard or found in the palette is fetched before it is pressed, and no other', async () => {
  const desk = await signIn(browser, world)
  const { page } = desk
  page.setDefaultTimeout(20_000)
  expect(await isFetched(page, 'tags')).toBe(false)
  await page.getByRole('link', { name: 'Tags', exact: true }).first().hover()
  await waitUntil('the page of tags is there', () => isFetched(page, 'tags'))
  await page.getByRole('link', { name: 'Filas', exact: true }).first().focus()
  await waitUntil('the page of queues is there', () => isFetched(page, 'queues'))
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Buscar ou executar uma ação' }).fill('privacidade')
  await waitUntil('the page of privacy is there', () => isFetched(page, 'privacy'))
  expect(await isFetched(page, 'users')).toBe(false)
  expect(page.url()).toEndWith('/tickets')
  expect(desk.complaints).toEqual([])
  await desk.close()
})

test('on a phone a page is fetched while the finger is on its name', async () => {
  const desk = await signIn(browser, world, { width: 390, height: 844, touch: true })
  const { page } = desk
  page.setDefaultTimeout(20_000)
  await page.locator('.s-bottom a[href="/contacts"]').dispatchEvent('pointerdown')
  await waitUntil('the page of contacts is there', () => isFetched(page, 'contacts'))
  await page.locator('.s-bottom').getByRole('button', { name: 'Mais' }).click()
  await page.getByRole('menuitem', { name: 'Tags', exact: true }).dispatchEvent('pointerdown')
  await waitUntil('the page of tags is there', () => isFetched(page, 'tags'))
  expect(page.url()).toEndWith('/tickets')
  await desk.close()
})

test('who saves data gets a page when it is opened, and nothing ahead', async () => {
  const { page, context, close } = await signIn(browser, world)
  await context.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))
  await page.reload()
  const requests: string[] = []
  page.on('request', request => void requests.push(new URL(request.url()).pathname))
  await page.getByRole('link', { name: 'Tags', exact: true }).first().hover()
  await page.getByRole('link', { name: 'Filas', exact: true }).first().click()
  await page.getByRole('heading', { name: 'Filas', exact: true }).waitFor()
  expect(requests.filter(path => path.includes('mfe_automation'))).toEqual([])
  expect(requests.filter(path => path.includes('/assets/queues.'))).not.toEqual([])
  await close()
})

test('a slow line and a server that does not answer are told apart, and the conversations never lead to themselves', async () => {
  const desk = await signIn(browser, world)
  const { page } = desk
  // It is tried again every ten seconds of the page's clock, which goes on while a slow machine draws.
  page.setDefaultTimeout(45_000)
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('lazy-palette')),
  )
  await page.clock.install()
  const card = page.getByRole('alert').filter({ hasText: 'não abriu' })
  await page.route('**/mfe/mfe_automation/**', route => route.abort('connectionrefused'))
  await page.getByRole('link', { name: 'Tags', exact: true }).first().click()
  await card.filter({ hasText: 'O servidor não responde.' }).waitFor()
  // Neither the one nor the other needs a press.
  await page.unroute('**/mfe/mfe_automation/**')
  await page.clock.runFor(TEN_SECONDS)
  await page.getByRole('heading', { name: 'Tags', exact: true }).waitFor()
  await page.route('**/mfe/mfe_admin/**', () => undefined)
  const request = page.waitForRequest('**/mfe/mfe_admin/**')
  await page.getByRole('link', { name: 'Filas', exact: true }).first().click()
  await request
  await page.clock.runFor(TEN_SECONDS)
  await card.filter({ hasText: 'A conexão está lenta' }).waitFor()
  await page.unroute('**/mfe/mfe_admin/**')
  await page.clock.runFor(TEN_SECONDS)
  await page.getByRole('heading', { name: 'Filas', exact: true }).waitFor()
  await page.route('**/mfe/mfe_tickets/**', route => route.abort('connectionrefused'))
  await page.goto(`${world.url}/tickets`)
  // A line that comes back opens it by itself.
  await page.getByText('Ao vivo').waitFor({ state: 'attached' })
  await card.filter({ hasText: 'Conversas não abriu' }).waitFor()
  expect(await card.getByRole('button', { name: 'Voltar às conversas' }).count()).toBe(0)
  await page.unroute('**/mfe/mfe_tickets/**')
  await card.getByRole('button', { name: 'Recarregar a página' }).click()
  await page.getByRole('tab', { name: /Pendentes/ }).waitFor()
  await desk.close()
})

test('a page that comes after its time is shown as it comes, without another try', async () => {
  const { page, close } = await signIn(browser, world)
  page.setDefaultTimeout(30_000)
  const held = Promise.withResolvers<void>()
  let requests = 0
  // Another try would get no answer.
  await page.route('**/mfe_dashboard/mf-manifest.json', route => {
    requests += 1
    if (requests === 1) void held.promise.then(() => route.continue())
  })
  await page.getByRole('link', { name: 'NPS', exact: true }).first().click()
  await page.getByRole('alert').filter({ hasText: 'NPS não abriu' }).waitFor()
  held.resolve()
  await page.getByRole('heading', { name: 'NPS', exact: true, level: 1 }).waitFor()
  await close()
})

test('a part that cannot be loaded takes nothing else with it; it comes with another try, or with the new version', async () => {
  const desk = await signIn(browser, world)
  const { page } = desk
  page.setDefaultTimeout(15_000)
  const field = page.getByPlaceholder('Escreva uma mensagem')
  await page.getByRole('option').first().click()
  await field.fill('o que estava escrito')
  await page.route('**/assets/**', route => route.abort())
  await page.getByRole('button', { name: 'Emojis' }).click()
  const failed = page.getByRole('alert').filter({ hasText: 'O servidor não responde.' })
  await failed.waitFor()
  await page.unroute('**/assets/**')
  await failed.getByRole('button', { name: 'Tentar de novo' }).click()
  await page.getByPlaceholder('Procurar emoji').waitFor()
  await page.keyboard.press('Escape')
  // A new release whose server has nothing of this page any more.
  const assets = ['shell', 'mfe-tickets'].map(name => join(front, name, 'dist/assets'))
  for (const folder of assets) await rename(folder, `${folder}-away`)
  await page.getByRole('button', { name: 'Sua conta' }).click()
  await page.getByRole('menuitem', { name: 'Meu perfil' }).click()
  const old = page.getByRole('alert').filter({ hasText: 'Há uma nova versão do Balcão.' })
  try {
    await old.waitFor()
    expect([await field.inputValue(), await page.getByRole('listbox').count()]).toEqual(['o que estava escrito', 1])
  } finally {
    for (const folder of assets) await rename(`${folder}-away`, folder)
  }
  await old.getByRole('button', { name: 'Recarregar' }).click()
  await old.waitFor({ state: 'detached' })
  await page.waitForFunction(words => document.querySelector('textarea')?.value === words, 'o que estava escrito')
  await desk.close()
})

test('a remote may live on another origin: remotes.json says where, nothing is built anew', async () => {
  const moved = join(front, 'mfe-dashboard')
  const away = join(front, 'elsewhere')
  await rename(moved, away)
  elsewhere = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const path = join(away, 'dist', new URL(request.url).pathname)
      const headers = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' }
      return existsSync(path) ? new Response(Bun.file(path), { headers }) : new Response(null, { status: 404, headers })
    },
  })
  const list: { name: string; entry: string }[] = await Bun.file(join(front, 'shell/dist/remotes.json')).json()
  const origin = `http://127.0.0.1:${elsewhere.port}`
  const edited = list.map(one => (one.name === 'mfe_dashboard' ? { ...one, entry: `${origin}/mf-manifest.json` } : one))
  await Bun.write(join(front, 'shell/remotes.json'), JSON.stringify(edited))
  const desk = await signIn(browser, world)
  const requests: string[] = []
  desk.page.on('request', request => requests.push(request.url()))
  desk.page.setDefaultTimeout(15_000)
  await desk.page.goto(`${world.url}/`)
  await desk.page.getByText('Em atendimento').first().waitFor()
  expect(requests.some(one => one.startsWith(`${origin}/assets/`))).toBe(true)
  expect(requests.some(one => one.includes('/mfe/mfe_dashboard/'))).toBe(false)
  expect(desk.complaints).toEqual([])
  await desk.close()
})

function isFetched(page: Page, chunk: string): Promise<boolean> {
  return page.evaluate(
    part => performance.getEntriesByType('resource').some(({ name }) => new URL(name).pathname.includes(part)),
    `/assets/${chunk}.`,
  )
}
