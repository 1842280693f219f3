// What a screen asks first is asked while its code is on its way, and what it shows is drawn from that answer.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../src/browser.ts'
import { signIn, visit } from '../src/desk.ts'
import { waitUntil } from '../src/steps.ts'
import { startTestSystem, type TestSystem } from '../src/world.ts'

let browser: Browser
let world: TestSystem

beforeAll(async () => {
  ;[browser, world] = await Promise.all([
    launchBrowser(),
    startTestSystem({ here: true, settings: { allowAgendador: true } }),
  ])
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await world?.stop()
})

interface Screen {
  readonly path: string
  readonly chunk: string
  readonly title: string
  readonly requests: readonly string[]
}

const SCREENS: readonly Screen[] = [
  { path: '/connections', chunk: 'connections', title: 'Conexões', requests: ['/whatsapp'] },
  { path: '/users', chunk: 'users', title: 'Usuários', requests: ['/users'] },
  { path: '/Queues', chunk: 'queues', title: 'Filas', requests: ['/queue'] },
  { path: '/Settings', chunk: 'settings', title: 'Configurações', requests: ['/settings'] },
  { path: '/log', chunk: 'log', title: 'Registro', requests: ['/log'] },
  { path: '/contacts', chunk: 'contacts', title: 'Contatos', requests: ['/contacts'] },
  { path: '/agendamentos', chunk: 'schedules', title: 'Agendamentos', requests: ['/agendamento'] },
  { path: '/envios', chunk: 'sends', title: 'Envios', requests: ['/envioMassa'] },
  { path: '/quickAnswers', chunk: 'quick-answers', title: 'Respostas rápidas', requests: ['/quickAnswers'] },
  { path: '/protocolos', chunk: 'protocols', title: 'Protocolos', requests: ['/protocolos'] },
  { path: '/ticketsBot', chunk: 'bot-tickets', title: 'Atendidos pelo robô', requests: ['/ticket2'] },
  { path: '/perguntas', chunk: 'questions', title: 'Perguntas e respostas', requests: ['/pergunta'] },
  { path: '/tags', chunk: 'tags', title: 'Tags', requests: ['/tag'] },
  {
    path: '/',
    chunk: 'dashboard',
    title: 'Painel',
    requests: [
      '/dashboard/cards',
      '/dashboard/service-level',
      '/dashboard/stats',
      '/dashboard/stats',
      '/dashboard/users',
      '/ticketCliente',
      '/ticketColaborador',
      '/ticketQueue',
    ],
  },
  {
    path: '/service-level',
    chunk: 'service-level',
    title: 'Prazos de resposta',
    requests: ['/dashboard/service-level'],
  },
  { path: '/Nps', chunk: 'nps', title: 'NPS', requests: ['/ticketNPS', '/ticketNPS/summary', '/ticketNPS/summary'] },
]

test('every screen asks the server before its code has come, and asks nothing else in place of that', async () => {
  const desk = await signIn(browser, world)
  const { page } = desk
  page.setDefaultTimeout(20_000)
  let seen: string[] = []
  page.on('request', request => {
    const { origin, pathname, search } = new URL(request.url())
    const isCall = request.resourceType() === 'fetch' && origin === world.url && request.method() === 'GET'
    if (isCall) seen.push(pathname + search)
  })
  for (const screen of SCREENS) {
    const first: string[] = []
    seen = first
    // The code is held until all is asked that shall not wait for it.
    await page.route(`**/assets/${screen.chunk}.*.js`, async route => {
      await waitUntil(`${screen.path} asks ahead`, async () =>
        screen.requests.every(path => count(first, path) >= count(screen.requests, path)),
      )
      seen = []
      await route.continue()
    })
    await visit(page, screen.path)
    await page.getByRole('heading', { name: screen.title, exact: true, level: 1 }).waitFor()
    await page.locator('[data-remote] .b-skeleton').first().waitFor({ state: 'detached' })
    const others = seen.filter(call => screen.requests.includes(toPath(call)) && !first.includes(call))
    // Of mass sends the numbers beside its tabs are counted a little later.
    expect([screen.path, others.filter(call => call !== '/envioMassa?limit=1')]).toEqual([screen.path, []])
  }
  expect(desk.complaints).toEqual([])
  await desk.close()
})

test('a check-up is made once for a page that is loaded, though the live line comes while it is under way', async () => {
  const { page, close } = await signIn(browser, world)
  page.setDefaultTimeout(20_000)
  let requests = 0
  await page.route('**/doctor', async route => {
    if (route.request().resourceType() !== 'fetch') return route.continue()
    requests += 1
    await page.getByText('Ao vivo').waitFor({ state: 'attached' })
    await route.continue()
  })
  await page.goto(`${world.url}/doctor`)
  await page.getByRole('heading', { name: 'Para a loja' }).waitFor()
  expect(requests).toBe(1)
  await close()
})

function count(calls: readonly string[], path: string): number {
  return calls.filter(call => toPath(call) === path).length
}

function toPath(call: string): string {
  return call.replace(/\?.*/, '')
}
