// What waits makes itself known: bells, the tab, sounds, notifications of the browser, and a device with the tab closed
// (spec 1 §4 "Notifications").
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { signIn as withoutBrowser } from '@balcao/client/session'
import type { CustomerPagePhone } from '@balcao/simulator/page/phones'
import { type PushBrowser, startPushService } from '@balcao/simulator/push/service'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import postgres, { type Sql } from 'postgres'
import { launchBrowser } from '../src/browser.ts'
import { type DeskSession, findAccessibilityIssues, openDesk, signIn } from '../src/desk.ts'
import {
  allowPageNotifications,
  allowWorkerNotifications,
  listWorkerNotifications,
} from '../src/notification-centre.ts'
import { findAccount, isFocused, signInAdministrator, waitUntil } from '../src/steps.ts'
import { allowNextSound, countTones, readTones } from '../src/tones.ts'
import { startTestSystem, type TestSystem } from '../src/world.ts'

const service = await startPushService()
let browser: Browser
let world: TestSystem
let sql: Sql
let admin: Awaited<ReturnType<typeof signInAdministrator>>

beforeAll(async () => {
  const env = { PUSH_ORIGINS: service.url }
  ;[browser, world] = await Promise.all([launchBrowser(), startTestSystem({ here: true, env })])
  sql = postgres(world.databaseUrl, { max: 1, onnotice: () => {} })
  admin = await signInAdministrator(world)
  const [row] = await sql<{ id: number }[]>`select id from whatsapp where name = 'Oficial São José'`
  await admin('POST', `/whatsappsession/${row?.id}`)
  await waitUntil('the official number is connected', async () => {
    const [now] = await sql<{ status: string }[]>`select status from whatsapp where id = ${row?.id ?? 0}`
    return now?.status === 'CONNECTED'
  })
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await sql?.end()
  await world?.stop()
  await service.stop()
})

describe('the bells', () => {
  let desk: DeskSession
  let page: Page

  test('show how many wait, and the popover lists them with name, words and time', async () => {
    desk = await signIn(browser, world, { as: 'user' })
    page = desk.page
    page.setDefaultTimeout(15_000)
    await bell(page).click()
    const popover = page.getByRole('dialog', { name: 'Quem espera' })
    await popover.getByRole('button', { name: /Lanchonete do Neco.*Localização.*2 não lidas/ }).waitFor()
    await popover.getByRole('button', { name: /Padaria Estrela.*consegue\?.*3 não lidas/ }).waitFor()
    expect(await popover.getByText('Seu Sebastião').count()).toBe(0)
    const rows = popover.locator('.s-bell-row')
    await waitUntil('as many as its number', async () => (await rows.count()) === (await readCount(page)))
    expect((await popover.boundingBox())?.height).toBeLessThanOrEqual(350)
    expect(await findAccessibilityIssues(page)).toEqual([])
  })

  test('are worked with the keyboard alone: arrows, Enter opens the ticket, Escape closes', async () => {
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Quem espera' }).waitFor({ state: 'detached' })
    await waitUntil('the bell has the focus again', () => isFocused(bell(page)))
    await page.keyboard.press('Enter')
    await page.locator('.s-bell-row').first().waitFor()
    await waitUntil('the panel has the keys', () =>
      page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null),
    )
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowDown')
    const second = page.locator('.s-bell-row').nth(1)
    await waitUntil('the second row has the focus', () => isFocused(second))
    const name = (await second.locator('strong').textContent()) ?? ''
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/tickets\/\d+$/)
    await page.getByRole('heading', { name }).first().waitFor()
    await page.getByRole('dialog', { name: 'Quem espera' }).waitFor({ state: 'detached' })
  })

  test('say that nobody waits, and show an internal message that opens its chat and is gone when read', async () => {
    await chats(page).click()
    const popover = page.getByRole('dialog', { name: 'Mensagens internas' })
    await popover.getByText('Nenhuma mensagem interna.').waitFor()
    await page.keyboard.press('Escape')
    const chatId = await chatFromAdmin('Bruna Alves')
    await admin('POST', `/chats/messages/${chatId}`, { body: 'Bruna, *vem cá*' })
    await page.getByRole('button', { name: 'Mensagens internas: 1 esperando' }).click()
    await popover.getByRole('button', { name: /Bruna, vem cá/ }).click()
    await page.waitForURL(`**/tickets/0/${chatId}`)
    await page.getByRole('button', { name: 'Mensagens internas', exact: true }).waitFor()
  })

  test('stand in the title and over the icon of the tab, and go when nothing waits any more', async () => {
    const waiting = await readCount(page)
    await waitUntil('the title says so', async () => (await page.title()) === `(${waiting}) Balcão`)
    expect(await icon(page)).toStartWith('data:image/png')
    const ids = await sql<{ id: number }[]>`select id from ticket where status = 'pending'`
    const queue = await sql<{ id: number }[]>`select id from queue where name = 'Financeiro'`
    for (const { id } of ids) await admin('PUT', `/tickets/${id}`, { queueId: queue[0]?.id, userId: null })
    await waitUntil('nothing is said', async () => (await page.title()) === 'Balcão')
    expect(await icon(page)).toStartWith('data:image/svg')
    await bell(page).click()
    await page.getByText('Ninguém esperando.').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await page.keyboard.press('Escape')
  })

  test('take a changed setting without reload', async () => {
    const desk = await signIn(browser, world, { as: 'gerente' })
    await waitUntil('the bell has counted', async () => (await readCount(desk.page)) > 0)
    const before = await readCount(desk.page)
    await admin('PUT', '/settings/notificateAllTickets', { value: 'enabled' })
    await sql`update ticket set unread_messages = 1 where user_id is not null and status = 'open' and not is_group`
    await waitUntil('it counts more', async () => (await readCount(desk.page)) > before)
    await admin('PUT', '/settings/notificateAllTickets', { value: 'disabled' })
    await waitUntil('it counts less again', async () => (await readCount(desk.page)) <= before + 1)
    await desk.close()
    expect(desk.complaints).toEqual([])
  })

  test('nothing complained', async () => {
    expect(desk.complaints).toEqual([])
    await desk.close()
  })
})

describe('a sound', () => {
  test('is played once in several tabs, as the setting says, and not for the conversation one looks at', async () => {
    await admin('PUT', '/settings/sound', { value: 'blub' })
    const desk = await openDesk(browser)
    await desk.context.addInitScript(countTones)
    await enter(desk.page, 'user')
    const other = await desk.context.newPage()
    await other.goto(`${world.url}/tickets`)
    await other.getByText('Ao vivo').waitFor({ state: 'attached' })
    await other.getByRole('heading', { name: 'Conversas' }).click()
    const pages = [desk.page, other]

    await write('Mercearia do Zé', 'Vocês abrem no feriado?')
    await waitUntil('two bubbles were played', async () => (await readTones(pages)).length === 2)
    await write('Mercearia do Zé', 'Alô?')
    for (const page of pages) {
      await page.getByRole('tab', { name: /Pendentes/ }).click()
      await locateRow(page, 'Mercearia do Zé').getByText('Alô?', { exact: true }).waitFor()
    }
    expect((await readTones(pages)).length).toBeLessThanOrEqual(4)

    await locateRow(desk.page, 'Mercearia do Zé').click()
    await desk.page.getByRole('region', { name: 'Mensagens' }).getByText('Alô?').first().waitFor()
    const played = await readTones(pages)
    await allowNextSound(pages)
    await write('Mercearia do Zé', 'Tem alguém aí?')
    await desk.page.getByRole('region', { name: 'Mensagens' }).getByText('Tem alguém aí?').first().waitFor()
    await admin('PUT', '/settings/sound', { value: 'default' })
    const chatId = await chatFromAdmin('Bruna Alves')
    await admin('POST', `/chats/messages/${chatId}`, { body: 'E agora?' })
    await waitUntil('the bell of the desk was played, and nothing else', async () => {
      const now = await readTones(pages)
      return now.length === played.length + 3 && now.includes(1318.5)
    })
    await desk.close()
  })

  test('is played for the answer of a customer to a paused conversation, whose tab counts it and whose row says it', async () => {
    await admin('PUT', '/settings/sound', { value: 'blub' })
    const desk = await openDesk(browser)
    await desk.context.addInitScript(countTones)
    await enter(desk.page, 'user')
    const { page } = desk
    await write('Mercearia do Zé', 'Vou ao banco')
    const live = () => sql`select t.id from ticket t join contact c on c.id = t.contact_id
      where c.name = 'Mercearia do Zé' and t.status <> 'closed' and t.last_message = 'Vou ao banco'`
    await waitUntil('the conversation is there', async () => (await live()).length === 1)
    await sql`update ticket set status = 'paused', pause_tag = 'Banco', unread_messages = 0, version = version + 1,
      user_id = (select id from "user" where name = 'Bruna Alves')
      where contact_id in (select id from contact where name = 'Mercearia do Zé') and status <> 'closed'`
    await page.reload()
    await page.getByText('Ao vivo').waitFor({ state: 'attached' })
    await page.getByRole('heading', { name: 'Conversas' }).click()
    await allowNextSound([page])
    const tab = page.getByRole('tab', { name: /Pausados/ })
    expect(await tab.getByText(/em que o cliente respondeu/).count()).toBe(0)
    await write('Mercearia do Zé', 'Voltei do banco, pode seguir?')
    await waitUntil('two bubbles were played', async () => (await readTones([page])).length === 2)
    await tab.getByText('1 em que o cliente respondeu').waitFor({ state: 'attached' })
    await waitUntil('the bell counts it', async () => (await readCount(page)) > 0)
    await tab.click()
    const row = locateRow(page, 'Mercearia do Zé.*1 não lida')
    await row.getByText('Voltei do banco, pode seguir?', { exact: true }).waitFor()
    await desk.close()
  })
})

describe('notifications of the device', () => {
  let device: PushBrowser
  let desk: DeskSession

  test('a browser without them says so', async () => {
    const bare = await openDesk(browser)
    await bare.context.addInitScript(() => Reflect.deleteProperty(window, 'Notification'))
    await enter(bare.page, 'gerente')
    await openDevice(bare.page)
    await bare.page.getByText('Seu navegador não suporta notificações').first().waitFor()
    await bare.close()
  })

  test('are begun in a prompt that explains them, with a new sign-in', async () => {
    device = await service.device()
    desk = await openDesk(browser)
    const { page, context } = desk
    page.setDefaultTimeout(15_000)
    await context.grantPermissions(['notifications'])
    await context.addInitScript(allowPageNotifications)
    await context.addInitScript(pushServiceOfTheTest, device.subscription)
    await context.addInitScript(tabThatCanBeHidden)
    await enter(page, 'gerente')
    await openDevice(page)
    expect(await findAccessibilityIssues(page)).toEqual([])
    await page.getByText('Ao ativar, você sai e entra de novo').waitFor()
    await page.getByRole('button', { name: 'Ativar e entrar de novo' }).click()
    await page.waitForURL('**/login')
    await page.getByText('Avisos ativados').waitFor()
    await enter(page, 'gerente')
    await waitUntil('the device is registered', async () => (await sql`select 1 from push_subscription`).length === 1)
    await openDevice(page)
    await page.getByText('Este aparelho avisa você').waitFor()
    await page.keyboard.press('Escape')
  })

  test('with the tab hidden the push service gets it, the service worker shows it, and a press opens the conversation', async () => {
    const { page, context } = desk
    await page.evaluate(() => dispatchEvent(new CustomEvent('test-hide')))
    await waitUntil('the server knows that nobody looks', async () => (await countPages('Rafael Costa')) === 0)
    const chatId = await chatFromAdmin('Rafael Costa')
    await admin('POST', `/chats/messages/${chatId}`, { body: 'Segredo: 10% de desconto' })
    await waitUntil('it was pushed', () => device.messages.length > 0)
    const text = device.messages.at(-1)?.text ?? ''
    expect(text).toContain('Marina Souza')
    expect(text).not.toContain('Segredo')

    await pushIntoWorker(context, page, text)
    await waitUntil('it is shown', async () => (await listWorkerNotifications(context)).length === 1)
    expect(await listWorkerNotifications(context)).toEqual([
      { title: 'Marina Souza', body: 'Mensagem interna', tag: `chat-${chatId}` },
    ])
    const [worker] = context.serviceWorkers()
    await worker?.evaluate(async () => {
      const scope = globalThis as unknown as { registration: ServiceWorkerRegistration }
      const [notification] = await scope.registration.getNotifications()
      dispatchEvent(Object.assign(new Event('notificationclick'), { notification, waitUntil: () => undefined }))
    })
    await page.waitForURL(`**/tickets/0/${chatId}`)
    await waitUntil('it is closed', async () => (await listWorkerNotifications(context)).length === 0)
  })

  test('with the tab in sight nothing is pushed', async () => {
    const { page } = desk
    await page.evaluate(() => dispatchEvent(new CustomEvent('test-show')))
    await page.goto(`${world.url}/tickets`)
    await waitUntil('the server knows that somebody looks', async () => (await countPages('Rafael Costa')) > 0)
    const before = device.messages.length
    const chatId = await chatFromAdmin('Rafael Costa')
    await admin('POST', `/chats/messages/${chatId}`, { body: 'Viu?' })
    await page.getByRole('button', { name: /Mensagens internas: \d/ }).waitFor()
    await waitUntilDecided()
    expect(device.messages.length).toBe(before)
    await page.evaluate(() => dispatchEvent(new CustomEvent('test-hide')))
    await waitUntil('nobody looks', async () => (await countPages('Rafael Costa')) === 0)
    await admin('POST', `/chats/messages/${chatId}`, { body: 'E agora?' })
    await waitUntil('the next one is pushed', () => device.messages.length > before)
    expect(device.messages.length).toBe(before + 1)
  })

  test('end with the session', async () => {
    const { page } = desk
    await page.evaluate(() => dispatchEvent(new CustomEvent('test-show')))
    await page.getByRole('button', { name: 'Sua conta' }).click()
    await page.getByRole('menuitem', { name: 'Sair' }).click()
    await page.waitForURL('**/login')
    await waitUntil('the session is over', async () => (await countPages('Rafael Costa')) === 0)
    const before = device.messages.length
    const chatId = await chatFromAdmin('Rafael Costa')
    await admin('POST', `/chats/messages/${chatId}`, { body: 'Tchau' })
    await waitUntilDecided()
    expect(device.messages.length).toBe(before)
    await desk.close()
  })
})

test('the desk can be installed as an app', async () => {
  const { page, close } = await openDesk(browser)
  await page.goto(`${world.url}/login`)
  const href = await page.locator('link[rel=manifest]').getAttribute('href')
  const answer = await page.request.get(`${world.url}${href}`)
  expect(answer.headers()['content-type']).toContain('manifest+json')
  const manifest: { name: string; display: string; icons: { src: string; sizes: string }[] } = await answer.json()
  expect(manifest).toMatchObject({ name: 'Balcão · Distribuidora São José', display: 'standalone' })
  for (const { src } of manifest.icons)
    expect((await page.request.get(world.url + src)).headers()['content-type']).toBe('image/png')
  const worker = await page.request.get(`${world.url}/sw.js`)
  expect(worker.headers()['cache-control']).toBe('no-cache')
  expect(await worker.text()).not.toContain('"fetch"')
  await close()
})

function bell(page: Page) {
  return page.getByRole('button', { name: /^Quem espera/ })
}
function chats(page: Page) {
  return page.getByRole('button', { name: /^Mensagens internas/ })
}

async function readCount(page: Page): Promise<number> {
  return Number(/(\d+)/.exec((await bell(page).getAttribute('aria-label')) ?? '')?.[1] ?? 0)
}

async function icon(page: Page): Promise<string> {
  return (await page.locator('link[rel=icon]').getAttribute('href')) ?? ''
}

function locateRow(page: Page, name: string) {
  return page.getByRole('option', { name: new RegExp(name) }).first()
}

async function enter(page: Page, profile: string): Promise<void> {
  const account = world.accounts.find(one => one.profile === profile)
  if (!page.url().endsWith('/login')) await page.goto(`${world.url}/login`)
  await page.getByLabel('E-mail').fill(account?.email ?? '')
  await page.getByLabel('Senha', { exact: true }).fill(account?.password ?? '')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/tickets')
  await page.getByText('Ao vivo').waitFor({ state: 'attached' })
}

async function openDevice(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sua conta' }).click()
  await page.getByRole('menuitem', { name: 'Avisos neste aparelho' }).click()
  await page.getByRole('dialog', { name: 'Avisos neste aparelho' }).waitFor()
}

async function write(name: string, text: string): Promise<void> {
  const phone = world.simulator.find(name) as CustomerPagePhone
  const { cloud } = world.simulator
  if (cloud) await phone.cloud.send(cloud.business, { type: 'text', text })
}

/** How many tabs the server believes this person sees. */
async function countPages(name: string): Promise<number> {
  return (await sql`select 1 from open_page p join "user" u on u.id = p.user_id where u.name = ${name}`).length
}

/** Until it is decided who is told of what was written so far: somebody who is away has been told of what came after it. */
async function waitUntilDecided(): Promise<void> {
  const other = await service.device()
  const { api } = await withoutBrowser(world.url, findAccount(world, 'user'))
  await api('POST /push/register', { body: { subscription: other.subscription } })
  const chatId = await chatFromAdmin('Bruna Alves')
  await admin('POST', `/chats/messages/${chatId}`, { body: 'Oi' })
  await waitUntil('somebody else is told', () => other.messages.length > 0)
}

async function chatFromAdmin(name: string): Promise<number> {
  const [row] = await sql<{ id: number }[]>`select id from "user" where name = ${name}`
  const chat = (await admin('POST', '/chats', { callingUserId: row?.id })) as { id: number }
  return chat.id
}

/** In the page: the browser's maker has no push service here, ours stands in. */
function pushServiceOfTheTest({ endpoint, keys }: PushBrowser['subscription']) {
  const subscription = (key: unknown) => ({
    endpoint,
    options: { applicationServerKey: key },
    toJSON: () => ({ endpoint, keys }),
    unsubscribe: async () => true,
  })
  let made: unknown = null
  Object.assign(PushManager.prototype, {
    getSubscription: async () => made,
    subscribe: async (options: { applicationServerKey: Uint8Array }) => {
      made = subscription(options.applicationServerKey.buffer)
      return made
    },
  })
}

/** In the page: a headless tab is always in sight; this one hides when it is told to. */
function tabThatCanBeHidden() {
  let hidden = false
  Object.defineProperty(document, 'visibilityState', { get: () => (hidden ? 'hidden' : 'visible') })
  Object.defineProperty(document, 'hasFocus', { value: () => !hidden })
  const turn = (to: boolean) => () => {
    hidden = to
    document.dispatchEvent(new Event('visibilitychange'))
  }
  addEventListener('test-hide', turn(true))
  addEventListener('test-show', turn(false))
}

/** Hands a message to the real service worker, as the browser does when its push service calls. */
async function pushIntoWorker(context: BrowserContext, page: Page, data: string): Promise<void> {
  const tools = await context.newCDPSession(page)
  const found = Promise.withResolvers<string>()
  tools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const [registration] = registrations
    if (registration) found.resolve(registration.registrationId)
  })
  await tools.send('ServiceWorker.enable')
  const registrationId = await found.promise
  await allowWorkerNotifications(context)
  // For the worker, too, the tab is in sight: what the browser says of it cannot be changed from a page.
  await context.serviceWorkers()[0]?.evaluate(() => {
    const scope = globalThis as unknown as { clients: { matchAll: (options: object) => Promise<object[]> } }
    const all = scope.clients.matchAll.bind(scope.clients)
    scope.clients.matchAll = async options =>
      (await all(options))
        .map(tab =>
          Object.assign(Object.create(tab), {
            postMessage: (message: object) => (tab as { postMessage(m: object): void }).postMessage(message),
            focus: async () => undefined,
          }),
        )
        .map(tab => Object.defineProperty(tab, 'visibilityState', { value: 'hidden' }))
        .map(tab => Object.defineProperty(tab, 'focused', { value: false }))
  })
  await tools.send('ServiceWorker.deliverPushMessage', { origin: world.url, registrationId, data })
}
