// The session and the frame as people meet them: working hours, somebody let out, a token that ran out, the menu and its widths
// (spec 1 §2, §4).
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import postgres, { type Sql } from 'postgres'
import { launchBrowser } from '../src/browser.ts'
import { type DeskSession, openDesk, signIn } from '../src/desk.ts'
import { signInAdministrator, waitUntil } from '../src/steps.ts'
import { startTestSystem, type TestSystem } from '../src/world.ts'

let browser: Browser
let world: TestSystem
let sql: Sql
let admin: Awaited<ReturnType<typeof signInAdministrator>>

beforeAll(async () => {
  ;[browser, world] = await Promise.all([launchBrowser(), startTestSystem({ here: true })])
  sql = postgres(world.databaseUrl, { max: 1, onnotice: () => {} })
  admin = await signInAdministrator(world)
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await sql?.end()
  await world?.stop()
})

describe('spec 1 §2: who may go where', () => {
  test('a stranger is sent to /login, and after it to where the link pointed', async () => {
    const desk = await openDesk(browser)
    const { page } = desk
    await page.goto(`${world.url}/quickAnswers?busca=frete#lista`)
    await page.waitForURL('**/login')
    await page.getByText('v7.1.1').waitFor()
    const password = page.getByLabel('Senha', { exact: true })
    await password.fill('segredo')
    expect(await password.getAttribute('type')).toBe('password')
    await page.getByRole('button', { name: 'Mostrar senha' }).click()
    expect(await password.getAttribute('type')).toBe('text')
    await enter(page, 'user')
    await page.waitForURL(/\/quickAnswers/)
    await page.getByText('Login efetuado com sucesso!').waitFor()
    expect(page.url()).toBe(`${world.url}/quickAnswers?busca=frete#lista`)
    await desk.close()
  })

  test('after a log-out the next person begins with the conversations, not where the last one was', async () => {
    const desk = await signIn(browser, world, { as: 'admin' })
    const { page } = desk
    await menu(page).getByRole('link', { name: 'Conexões' }).click()
    await page.waitForURL('**/connections')
    await leave(page)
    await enter(page, 'user')
    await page.waitForURL('**/tickets')
    await page.getByText('Login efetuado com sucesso!').waitFor()
    expect(await page.getByText('Você não tem permissão para acessar essa página').count()).toBe(0)
    await desk.close()
  })

  test('who signs out without a line is out in this browser, and at the server as soon as that answers', async () => {
    const desk = await signIn(browser, world, { as: 'user' })
    const { page } = desk
    const session = async () => (await page.context().cookies(`${world.url}/auth`)).map(({ name }) => name)
    let line: 'cut' | 'there' = 'cut'
    await page.route('**/auth/logout', route => (line === 'cut' ? route.abort() : route.continue()))
    await leave(page)
    await page.evaluate(() => localStorage.setItem('balcao.token', 'x'))
    await page.goto(`${world.url}/tickets`)
    await page.waitForURL('**/login')
    expect(await session()).toContain('balcao_refresh')
    line = 'there'
    await page.evaluate(() => void window.dispatchEvent(new Event('online')))
    await waitUntil('the session is over', async () => !(await session()).includes('balcao_refresh'))
    await enter(page, 'gerente')
    await page.waitForURL('**/tickets')
    await desk.close()
  })

  test('on the same page the next person neither finds nor sends what the one before wrote', async () => {
    const desk = await signIn(browser, world, { as: 'admin' })
    const { page } = desk
    const field = page.getByPlaceholder('Escreva uma mensagem')
    const waiting = page.getByText('Esta mensagem espera pela Marina')
    const posts: string[] = []
    let line: 'cut' | 'there' = 'cut'
    await page.route('**/messages/*', route => {
      if (route.request().method() !== 'POST') return route.continue()
      posts.push(line)
      return line === 'cut' ? route.abort() : route.continue()
    })
    await page.getByRole('option').first().click()
    await field.fill('Esta mensagem espera pela Marina')
    await page.keyboard.press('Enter')
    await waiting.last().waitFor()
    await field.fill('Rascunho da Marina')
    const conversation = page.url()
    await leave(page)
    // Not before: what waits is tried again now and then, and would go out while its writer leaves.
    line = 'there'
    expect(await keptDrafts(page)).toEqual([])
    posts.length = 0
    await enter(page, 'gerente')
    await page.waitForURL('**/tickets')
    await page.getByText('Ao vivo').waitFor({ state: 'attached' })
    await go(page, conversation)
    await field.waitFor()
    expect([await field.inputValue(), await waiting.count(), posts]).toEqual(['', 0, []])
    await field.fill('Rascunho do gerente')
    await leave(page)
    await enter(page, 'admin')
    await page.waitForURL('**/tickets')
    await go(page, conversation)
    await waitUntil('what waited goes out', () => posts.length === 1)
    expect([await field.inputValue(), await keptDrafts(page)]).toEqual(['', []])
    await desk.close()
  })

  test('of a message on its way while its writer leaves in another tab it is said that it was not sent, and it goes out when they come back', async () => {
    const desk = await signIn(browser, world, { as: 'admin' })
    const { page } = desk
    // There before it is written: a page that opens later tries what waits in this browser, too.
    const other = await page.context().newPage()
    await other.goto(`${world.url}/tickets`)
    await other.getByRole('option').first().waitFor()
    const { promise: left, resolve: release } = Promise.withResolvers<void>()
    const answers: number[] = []
    page.on('response', answer => {
      if (answer.request().method() === 'POST' && answer.url().includes('/messages/')) answers.push(answer.status())
    })
    await page.route('**/messages/*', async route => {
      if (route.request().method() === 'POST') await left
      await route.continue()
    })
    await page.getByRole('option').first().click()
    const asked = page.waitForRequest(request => request.method() === 'POST' && request.url().includes('/messages/'))
    await page.getByPlaceholder('Escreva uma mensagem').fill('Já está a caminho')
    await page.keyboard.press('Enter')
    await asked
    const conversation = page.url()
    const goodbye = other.waitForResponse('**/auth/logout')
    await leave(other)
    await goodbye
    await page.waitForURL('**/login')
    release()
    await page.getByText('Uma mensagem sua não foi enviada.').waitFor()
    expect(answers).toEqual([401])
    await enter(page, 'admin')
    await page.waitForURL('**/tickets')
    await go(page, conversation)
    await waitUntil('what was on its way goes out', () => answers.some(status => status < 300))
    expect(await page.getByText('Uma mensagem sua não foi enviada.').count()).toBe(0)
    await desk.close()
  })

  test('somebody signed in who opens /login is sent on; a page of administrators is refused with the words of the specification', async () => {
    const desk = await signIn(browser, world, { as: 'user' })
    const { page } = desk
    await page.goto(`${world.url}/login`)
    await page.waitForURL('**/tickets')
    await page.goto(`${world.url}/connections`)
    await page.getByText('Você não tem permissão para acessar essa página').waitFor()
    await page.waitForURL('**/tickets')
    expect(await menu(page).getByRole('link', { name: 'Conexões' }).count()).toBe(0)
    await desk.close()
  })
})

describe('spec 1 §4: authentication', () => {
  test('a token that ran out is renewed once and the call made again, unseen', async () => {
    const desk = await signIn(browser, world, { as: 'user' })
    const { page } = desk
    const renewals: string[] = []
    page.on('request', request => {
      if (request.url().endsWith('/auth/refresh_token')) renewals.push(request.url())
    })
    // The server would say so after 15 minutes; here its next answer does.
    let refused = 0
    await page.route('**/tickets/counts*', async route => {
      if (refused++ > 0) return route.continue()
      await route.fulfill({ status: 403, json: { error: 'ERR_TOKEN_EXPIRED', message: 'x' } })
    })
    await page.getByRole('tab', { name: /Pausados/ }).click()
    await page.evaluate(() => dispatchEvent(new Event('offline')))
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await admin('POST', '/tickets', await newTicket())
    await waitUntil('it was renewed', () => renewals.length > 0 && refused > 1)
    expect(renewals).toHaveLength(1)
    expect(page.url()).toEndWith('/tickets')
    await desk.close()
  })

  test('somebody who is let out sees why, is logged out, and does not come in again', async () => {
    const desk = await signIn(browser, world, { as: 'user' })
    const [bruna] = await sql<{ id: number }[]>`select id from "user" where name = 'Bruna Alves'`
    await admin('PUT', `/users/${bruna?.id}`, { active: false })
    await desk.page.waitForURL('**/login')
    const words = desk.page.getByText('Seu usuário foi desativado. Acesso temporariamente bloqueado.')
    await words.first().waitFor()
    expect(await desk.page.evaluate(() => localStorage.getItem('balcao.token'))).toBeNull()
    await enter(desk.page, 'user')
    await words.first().waitFor()
    expect(desk.page.url()).toEndWith('/login')
    await admin('PUT', `/users/${bruna?.id}`, { active: true })
    await desk.close()
  })

  test('somebody who was let out while the page slept, or was closed, sees why too', async () => {
    const [slept, closed] = [await signIn(browser, world, { as: 'user' }), await signIn(browser, world, { as: 'user' })]
    const [bruna] = await sql<{ id: number }[]>`select id from "user" where name = 'Bruna Alves'`
    await slept.page.context().setOffline(true)
    await closed.page.goto('about:blank')
    await admin('PUT', `/users/${bruna?.id}`, { active: false })
    await slept.page.context().setOffline(false)
    await closed.page.goto(`${world.url}/tickets`)
    for (const { page } of [slept, closed]) {
      await page.waitForURL('**/login')
      await page.getByText('Seu usuário foi desativado. Acesso temporariamente bloqueado.').first().waitFor()
    }
    await admin('PUT', `/users/${bruna?.id}`, { active: true })
    for (const one of [slept, closed]) await one.close()
  })

  test('outside of the working hours opening a ticket tells so and logs out; administrators are not limited', async () => {
    const desk = await signIn(browser, world, { as: 'user' })
    const chief = await signIn(browser, world, { as: 'admin' })
    await desk.page.getByRole('tab', { name: /Pendentes/ }).click()
    const row = desk.page.getByRole('option', { name: /Padaria Estrela/ })
    await row.waitFor()
    await sql`update "user" set weekdays = false, saturday = false, sunday = false where name in ('Bruna Alves', 'Marina Souza')`
    // The page may be told of it before the click, and its rows be gone.
    const clicked = row.click({ timeout: 5000 }).catch(() => undefined)
    await desk.page.waitForURL('**/login')
    await desk.page.getByText('Você está fora do seu horário de trabalho. Acesso bloqueado.').first().waitFor()
    await clicked
    await chief.page.getByRole('tab', { name: /Pendentes/ }).click()
    await chief.page.getByRole('option', { name: /Padaria Estrela/ }).click()
    await chief.page.getByRole('region', { name: 'Mensagens' }).getByText('Acabou a farinha').first().waitFor()
    await sql`update "user" set weekdays = true, saturday = true, sunday = true where name in ('Bruna Alves', 'Marina Souza')`
    for (const one of [desk, chief]) await one.close()
  })
})

describe('spec 1 §4: outside of the working hours', () => {
  test('who only writes is let out too, told why, and finds what was typed on coming back', async () => {
    const desk = await signIn(browser, world, { as: 'user' })
    const { page } = desk
    const [bruna] = await sql<{ id: number }[]>`select id from "user" where name = 'Bruna Alves'`
    const setWorking = (works: boolean) =>
      admin('PUT', `/users/${bruna?.id}`, { weekdays: works, saturday: works, sunday: works })
    const composer = page.getByPlaceholder('Escreva uma mensagem')
    await admin('POST', '/tickets', await newTicket())
    await page.getByRole('option').first().click()
    await composer.fill('O boleto vence na sexta, dona')
    await setWorking(false)
    await page.waitForURL('**/login')
    await page.getByText('Você está fora do seu horário de trabalho. Acesso bloqueado.').first().waitFor()
    await setWorking(true)
    await enter(page, 'user')
    await page.getByRole('option').first().click()
    await waitUntil('it is there', async () => (await composer.inputValue()) === 'O boleto vence na sexta, dona')
    await composer.fill('')
    await desk.close()
  })

  test('a conversation that lay ready in the page logs out too when it is opened', async () => {
    const desk = await signIn(browser, world, { as: 'user' })
    const { page } = desk
    const rows = page.getByRole('option')
    const messages = page.getByRole('region', { name: 'Mensagens' })
    await page.getByRole('tab', { name: /Pendentes/ }).click()
    await rows.nth(1).waitFor()
    const opens = async (at: number) => {
      await rows.nth(at).click()
      await waitUntil('it is the open one', async () => (await rows.nth(at).getAttribute('aria-selected')) === 'true')
      await messages.waitFor()
    }
    // The last row first: then nothing is fetched ahead when it is opened again.
    const last = (await rows.count()) - 1
    await opens(last)
    await opens(last - 1)
    await sql`update "user" set weekdays = false, saturday = false, sunday = false where name = 'Bruna Alves'`
    // The page may be told of it before the click, and its rows be gone.
    const clicked = rows
      .nth(last)
      .click({ timeout: 5000 })
      .catch(() => undefined)
    await page.waitForURL('**/login')
    await page.getByText('Você está fora do seu horário de trabalho. Acesso bloqueado.').first().waitFor()
    await clicked
    await sql`update "user" set weekdays = true, saturday = true, sunday = true where name = 'Bruna Alves'`
    await desk.close()
  })
})

test('a page that is loaded again while its session is renewed does not lose it', async () => {
  let delay = 0
  let renewals = 0
  const slow = Bun.serve({
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const headers = new Headers(request.headers)
      headers.set('host', new URL(world.url).host)
      for (const name of ['origin', 'referer']) headers.delete(name)
      const answer = await fetch(`${world.url}${pathname}${search}`, {
        method: request.method,
        headers,
        body: request.body,
        decompress: false,
      })
      if (pathname === '/auth/refresh_token') {
        renewals += 1
        await Bun.sleep(delay)
      }
      return answer
    },
  })
  const desk = await openDesk(browser)
  const { page } = desk
  await page.goto(`${slow.url}login`)
  await enter(page, 'user')
  await page.waitForURL('**/tickets')
  delay = 1000
  const before = renewals
  await page.reload({ waitUntil: 'commit' })
  await waitUntil('the renewal is on its way', () => renewals > before)
  await page.reload()
  await page.getByRole('tab', { name: /Pausados/ }).waitFor()
  expect([new URL(page.url()).pathname, renewals]).toEqual(['/tickets', before + 2])
  await desk.close()
  await slow.stop(true)
})

describe('spec 1 §2: the frame', () => {
  let desk: DeskSession
  let page: Page

  test('the connections carry an alarm 2 s after the list is known, not before', async () => {
    desk = await openDesk(browser)
    page = desk.page
    await page.clock.install()
    await enter(page, 'admin')
    const link = menu(page).getByRole('link', { name: 'Conexões' })
    await link.waitFor()
    const alarm = link.getByText('!')
    expect(await alarm.count()).toBe(0)
    await page.clock.runFor(2100)
    await alarm.waitFor()
  })

  test('the drawer is 240 px wide, and below 600 px there is a bar at the bottom instead', async () => {
    await page.getByRole('button', { name: 'Abrir o menu' }).click()
    expect((await menu(page).boundingBox())?.width).toBe(240)
    await page.setViewportSize({ width: 600, height: 800 })
    expect((await menu(page).boundingBox())?.height ?? 0).toBeGreaterThan(300)
    await page.setViewportSize({ width: 599, height: 800 })
    await waitUntil('it is a bar', async () => ((await menu(page).boundingBox())?.height ?? 999) < 100)
    expect((await menu(page).boundingBox())?.width).toBe(599)
    await page.getByRole('button', { name: /^Quem espera/ }).waitFor()
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  test('there is no "Faturas" without an address, and no notes without a file', async () => {
    expect(await page.getByRole('button', { name: 'Faturas' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Sua conta' }).click()
    await page.getByRole('menuitem', { name: 'Meu perfil' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Novidades' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    expect(desk.complaints).toEqual([])
    await desk.close()
  })
})

function menu(page: Page) {
  return page.getByRole('navigation', { name: 'Menu' })
}

async function enter(page: Page, profile: string): Promise<void> {
  const account = world.accounts.find(one => one.profile === profile)
  if (!page.url().endsWith('/login')) await page.goto(`${world.url}/login`)
  await page.getByLabel('E-mail').fill(account?.email ?? '')
  await page.getByLabel('Senha', { exact: true }).fill(account?.password ?? '')
  await page.keyboard.press('Enter')
}

async function leave(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sua conta' }).click()
  await page.getByRole('menuitem', { name: 'Sair' }).click()
  await page.waitForURL('**/login')
}

/** Under which keys this browser keeps what was half written, whoever wrote it. */
function keptDrafts(page: Page): Promise<string[]> {
  return page.evaluate(() => Object.keys(localStorage).filter(key => /^balcao\.(draft|held)/.test(key)))
}

/** As a link of the page does, without a reload. */
async function go(page: Page, url: string): Promise<void> {
  await page.evaluate(path => {
    history.pushState({}, '', path)
    dispatchEvent(new PopStateEvent('popstate'))
  }, new URL(url).pathname)
}

/** A new ticket for a customer who has none, in a queue of the person who watches. */
async function newTicket(): Promise<object> {
  const [contact] = await sql<{ id: number }[]>`
    insert into contact (name, number) values ('Cliente novo', '5531900001111') returning id`
  const [queue] = await sql<{ id: number }[]>`select id from queue where name = 'Suporte'`
  const [connection] = await sql<{ id: number }[]>`select id from whatsapp order by id limit 1`
  const [bruna] = await sql<{ id: number }[]>`select id from "user" where name = 'Bruna Alves'`
  return { contactId: contact?.id, queueId: queue?.id, whatsappId: connection?.id, userId: bruna?.id, status: 'open' }
}
