// What people do in several browser tests, in one call each.
import type { Profile } from '@balcao/contract'
import type { CompanyPagePhone, CustomerPagePhone } from '@balcao/simulator/page/phones'
import type { Locator, Page } from 'playwright-core'
import type { Sql } from 'postgres'
import type { TestSystem } from './world.ts'

/** How somebody of a profile signs in. */
export function findAccount(world: TestSystem, profile: Profile): TestSystem['accounts'][number] {
  const account = world.accounts.find(one => one.profile === profile)
  if (!account) throw new Error(`Nobody here is ${profile}`)
  return account
}

/** Signs in as the administrator over HTTP; the answer makes calls with that session. */
export async function signInAdministrator(
  world: TestSystem,
  url = world.url,
): Promise<(method: string, path: string, body?: object) => Promise<unknown>> {
  const account = findAccount(world, 'admin')
  const call = async (method: string, path: string, body?: object, token = '') => {
    const answer = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.status === 204 ? null : answer.json()
  }
  const { token } = (await call('POST', '/auth/login', account)) as { token: string }
  return (method, path, body) => call(method, path, body, token)
}

/** Chooses in a list of several, or takes back. */
export async function chooseSeveral(field: Locator, names: readonly string[]): Promise<void> {
  await field.click()
  await toggleOptions(field.page(), names)
}

/** The same in the list that is open, which then closes. */
export async function toggleOptions(page: Page, names: readonly string[]): Promise<void> {
  for (const name of names) await page.getByRole('option', { name, exact: true }).click()
  await page.keyboard.press('Escape')
  await page.locator('.p-multiselect-panel').waitFor({ state: 'detached' })
}

/** Set-up, not what is measured: a slow machine takes its time. */
const PAIRED_WITHIN_MS = 60_000

/** Pairs a connection of the demo with a phone without a browser; the connection's id. */
export async function pairPhone(world: TestSystem, sql: Sql, name: string, phone: CompanyPagePhone): Promise<number> {
  const [row] = await sql<{ id: number }[]>`select id from whatsapp where name = ${name}`
  const id = row?.id ?? 0
  const call = await signInAdministrator(world)
  await call('POST', `/whatsappsession/${id}`)
  const now = async () =>
    (await sql<{ qrcode: string | null; status: string }[]>`select qrcode, status from whatsapp where id = ${id}`)[0]
  await waitUntil('a code is shown', async () => Boolean((await now())?.qrcode), PAIRED_WITHIN_MS)
  await phone.whatsapp.scan(async () => (await now())?.qrcode ?? '')
  await waitUntil(
    'it is connected',
    async () => (await now())?.status === 'CONNECTED' && phone.devices().some(device => device.online),
    PAIRED_WITHIN_MS,
  )
  return id
}

/** Reads the code of a new connection on the screen with the phone, and waits until it stands there as connected. */
export async function pairOnScreen(page: Page, name: string, phone: CompanyPagePhone): Promise<void> {
  const card = page.getByRole('listitem').filter({ hasText: name })
  await card.waitFor()
  const code = page.locator('[data-qr]')
  if (!(await code.isVisible())) await card.getByRole('button', { name: /QR code/ }).click()
  await code.waitFor()
  await phone.whatsapp.scan(async () => (await code.getAttribute('data-qr')) ?? '')
  await card.getByText('Conectada').waitFor()
  await code.waitFor({ state: 'detached' })
}

/** The second step of a new connection, which comes once the phone is linked, as it stands. */
export async function leaveGreeting(page: Page): Promise<void> {
  const form = page.getByRole('dialog', { name: /^Quem atende/ })
  await form.getByRole('button', { name: 'Concluir' }).click()
  await form.waitFor({ state: 'detached' })
}

/** Accepts the open ticket, in this queue if it is asked. */
export async function acceptTicket(page: Page, queue: string): Promise<void> {
  await page.getByRole('button', { name: 'Aceitar' }).first().click()
  const queues = page.getByRole('dialog')
  const composer = page.getByPlaceholder('Escreva uma mensagem')
  await Promise.race([queues.waitFor(), composer.waitFor()])
  if (await queues.isVisible()) {
    await queues.getByText(queue).click()
    await queues.getByRole('button', { name: /Iniciar atendimento/ }).click()
  }
  await composer.waitFor()
}

/** Writes in the open conversation and waits until it stands there. */
export async function sendText(page: Page, text: string): Promise<void> {
  await page.getByPlaceholder('Escreva uma mensagem').fill(text)
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Mensagens' }).getByText(text).waitFor()
}

/** What stands in the open conversation. */
export function locateMessages(page: Page): Locator {
  return page.getByRole('region', { name: 'Mensagens' })
}

/** The texts on a customer's phone in the chat with a company, those of both sides. */
export function listTextsOnPhone(phone: CustomerPagePhone, company: CompanyPagePhone): string[] {
  return phone.whatsapp
    .chat(company.whatsapp)
    .flatMap(({ content }) => (content?.type === 'text' ? [content.text] : []))
}

/** The files there. */
export function listFilesOnPhone(phone: CustomerPagePhone, company: CompanyPagePhone) {
  return phone.whatsapp
    .chat(company.whatsapp)
    .flatMap(({ content }) => (content && 'media' in content ? [content] : []))
}

/** Goes on with Tab until this has the focus, as a person without a mouse does; in a list that has arrows for it, with those. */
export async function tabToTarget(page: Page, target: Locator, key: 'Tab' | 'ArrowDown' = 'Tab'): Promise<void> {
  await target.first().waitFor()
  for (let presses = 0; presses < 60; presses++) {
    if (await isFocused(target)) return
    await page.keyboard.press(key)
  }
  throw new Error(`${key} never reached ${target} from ${await page.locator(':focus').allTextContents()}`)
}

export function isFocused(target: Locator): Promise<boolean> {
  return target.evaluateAll(found => found.some(one => one === document.activeElement))
}

/** The tabs are one stop; arrows go among them. */
export async function openTab(page: Page, name: RegExp): Promise<void> {
  const tab = page.getByRole('tab', { name })
  const row = page.getByRole('tablist').filter({ has: tab })
  await tabToTarget(page, row.getByRole('tab'))
  for (let presses = 0; presses < 6; presses++) {
    if ((await tab.getAttribute('aria-selected')) === 'true') return
    await page.keyboard.press('ArrowRight')
  }
  throw new Error(`The arrow never reached the tab ${name}`)
}

/** J opens the next conversation of the list, until this one is open. */
export async function openNextUntil(page: Page, name: string): Promise<void> {
  await page
    .getByRole('option', { name: new RegExp(name) })
    .first()
    .waitFor()
  const chosen = page.getByRole('option', { name: new RegExp(name), selected: true })
  for (let presses = 0; presses < 12; presses++) {
    if ((await chosen.count()) > 0) return page.getByRole('region', { name, exact: true }).waitFor()
    const before = page.url()
    await pressShortcut(page, 'j')
    await waitUntil('the next one is open', () => page.url() !== before, 5000)
    await page.locator('[role=option][aria-selected=true]').waitFor()
  }
  throw new Error(`J never reached ${name}`)
}

/** A single letter of the page: while one comes, what is typed is held for its field, and acts on nothing. */
export async function pressShortcut(page: Page, key: string): Promise<void> {
  await page.locator('body > textarea.b-only-read').waitFor({ state: 'detached' })
  await page.keyboard.press(key)
}

/** Asks again until it is so; fails with what was waited for. */
export async function waitUntil(
  label: string,
  isSo: () => Promise<boolean> | boolean,
  withinMs = 20_000,
): Promise<void> {
  for (const end = Date.now() + withinMs; Date.now() < end; await Bun.sleep(20)) if (await isSo()) return
  throw new Error(`Waited ${withinMs} ms in vain: ${label}`)
}
