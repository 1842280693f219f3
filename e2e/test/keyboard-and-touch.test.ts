// The whole path without a mouse: by the keyboard alone on a desk, by fingers alone on a phone.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { launchBrowser } from '../src/browser.ts'
import { openDesk } from '../src/desk.ts'
import { until } from '../src/steps.ts'
import { startWorld, type World } from '../src/world.ts'

let browser: Browser
let world: World

beforeAll(async () => {
  const postgresUrl = process.env.TEST_PG
  ;[browser, world] = await Promise.all([launchBrowser(), startWorld(postgresUrl ? { postgresUrl } : {})])
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await world?.stop()
})

test('with the keyboard alone: sign in, open a waiting conversation, accept, answer, resolve, reopen', async () => {
  const desk = await openDesk(browser)
  const { page } = desk
  page.setDefaultTimeout(10_000)
  const { keyboard } = page
  await page.goto(`${world.url}/login`)
  await page.getByLabel('E-mail').waitFor()
  await tabTo(page, page.getByLabel('E-mail'))
  await keyboard.type(account().email)
  await tabTo(page, page.getByLabel('Senha', { exact: true }))
  await keyboard.type(account().password)
  await keyboard.press('Enter')
  await page.waitForURL('**/tickets')
  await openTab(page, /Pendentes/)

  await nextUntil(page, 'Padaria Estrela')
  await keyboard.press('a')
  const queues = page.getByRole('dialog').getByRole('radio')
  await until('the first queue has the focus', () => isFocused(queues.first()))
  await keyboard.press('1')
  await until('it is chosen', () => queues.first().isChecked())
  await keyboard.press('Enter')
  const composer = page.getByPlaceholder('Escreva uma mensagem')
  await until('the composer is ready to write in', () => isFocused(composer))
  await keyboard.type('Bom dia! Já vejo para vocês.')
  await keyboard.press('Enter')
  await messages(page).getByText('Bom dia! Já vejo para vocês.').waitFor()

  await keyboard.press('Escape')
  await until('the keys are shortcuts again', async () => !(await isFocused(composer)))
  await keyboard.press('e')
  await page.getByText('Ticket finalizado!').waitFor()

  await openTab(page, /Fechad/)
  await nextUntil(page, 'Padaria Estrela')
  await tabTo(page, page.getByRole('button', { name: 'Reabrir' }).first())
  await keyboard.press('Enter')
  await composer.waitFor()
  await messages(page)
    .getByText(/reabriu o atendimento/)
    .waitFor()
  expect(desk.complaints).toEqual([])
  await desk.close()
}, 60_000)

test('with fingers on a phone: sign in, open a waiting conversation, accept, answer, resolve, reopen', async () => {
  const desk = await openDesk(browser, { width: 390, height: 844, touch: true })
  const { page } = desk
  page.setDefaultTimeout(10_000)
  await page.goto(`${world.url}/login`)
  await page.getByLabel('E-mail').tap()
  await page.keyboard.type(account().email)
  await page.getByLabel('Senha', { exact: true }).tap()
  await page.keyboard.type(account().password)
  await page.getByRole('button', { name: 'Entrar', exact: true }).tap()
  await page.waitForURL('**/tickets')

  await page.getByRole('tab', { name: /Pendentes/ }).tap()
  await page.getByRole('option', { name: /Seu Sebastião/ }).tap()
  await page.getByRole('button', { name: 'Aceitar' }).first().tap()
  const composer = page.getByPlaceholder('Escreva uma mensagem')
  await composer.tap()
  await page.keyboard.type('Bom dia, seu Sebastião!')
  await page.getByRole('button', { name: 'Enviar', exact: true }).tap()
  await messages(page).getByText('Bom dia, seu Sebastião!').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)

  await page
    .getByRole('button', { name: /Resolver/ })
    .first()
    .tap()
  await page.getByText('Ticket finalizado!').waitFor()
  await page
    .getByRole('button', { name: /Voltar/ })
    .first()
    .tap()
  await page.getByRole('tab', { name: /Fechad/ }).tap()
  await page.getByRole('option', { name: /Seu Sebastião/ }).tap()
  await page.getByRole('button', { name: 'Reabrir' }).first().tap()
  await messages(page)
    .getByText(/reabriu o atendimento/)
    .waitFor()
  expect(desk.complaints).toEqual([])
  await desk.close()
}, 60_000)

function account() {
  const found = world.accounts.find(one => one.profile === 'admin')
  if (!found) throw new Error('The world has no administrator')
  return found
}

function messages(page: Page): Locator {
  return page.getByRole('region', { name: 'Mensagens' })
}

/** Goes on with Tab until this has the focus, as a person without a mouse does. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (await isFocused(target)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never reached ${target}`)
}

function isFocused(target: Locator): Promise<boolean> {
  return target.evaluateAll(found => found.some(one => one === document.activeElement))
}

/** The tabs are one stop; arrows go among them. */
async function openTab(page: Page, name: RegExp): Promise<void> {
  const tab = page.getByRole('tab', { name })
  const row = page.getByRole('tablist').filter({ has: tab })
  await tabTo(page, row.getByRole('tab'))
  for (let presses = 0; presses < 6 && (await tab.getAttribute('aria-selected')) !== 'true'; presses++)
    await page.keyboard.press('ArrowRight')
  expect(await tab.getAttribute('aria-selected')).toBe('true')
}

/** J opens the next conversation of the list. */
async function nextUntil(page: Page, name: string): Promise<void> {
  await page
    .getByRole('option', { name: new RegExp(name) })
    .first()
    .waitFor()
  const chosen = page.getByRole('option', { name: new RegExp(name), selected: true })
  for (let presses = 0; presses < 12; presses++) {
    if ((await chosen.count()) > 0) return page.getByRole('region', { name, exact: true }).waitFor()
    const before = page.url()
    await page.keyboard.press('j')
    await until('the next one is open', () => page.url() !== before, 5000)
    await page.locator('[role=option][aria-selected=true]').waitFor()
  }
  throw new Error(`J never reached ${name}`)
}
