// The whole path without a mouse: by the keyboard alone on a desk, by fingers alone on a phone.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../src/browser.ts'
import { openDesk } from '../src/desk.ts'
import {
  isFocused,
  locateMessages,
  openNextUntil,
  openTab,
  pressShortcut,
  tabToTarget,
  waitUntil,
} from '../src/steps.ts'
import { startTestSystem, type TestSystem } from '../src/world.ts'

let browser: Browser
let world: TestSystem

beforeAll(async () => {
  ;[browser, world] = await Promise.all([launchBrowser(), startTestSystem({ here: true })])
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await world?.stop()
})

test('with the keyboard alone: sign in, open a waiting conversation, accept, answer, resolve, reopen', async () => {
  const desk = await openDesk(browser, { motion: true })
  const { page } = desk
  page.setDefaultTimeout(10_000)
  const { keyboard } = page
  await page.goto(`${world.url}/login`)
  await page.getByLabel('E-mail').waitFor()
  await tabToTarget(page, page.getByLabel('E-mail'))
  await keyboard.type(account().email)
  await tabToTarget(page, page.getByLabel('Senha', { exact: true }))
  await keyboard.type(account().password)
  await keyboard.press('Enter')
  await page.waitForURL('**/tickets')
  await openTab(page, /Pendentes/)

  await openNextUntil(page, 'Padaria Estrela')
  await pressShortcut(page, 'a')
  const queues = page.getByRole('dialog').getByRole('radio')
  await waitUntil('the first queue has the focus', () => isFocused(queues.first()))
  await keyboard.press('1')
  await waitUntil('it is chosen', () => queues.first().isChecked())
  await keyboard.press('Enter')
  const composer = page.getByPlaceholder('Escreva uma mensagem')
  await waitUntil('the composer is ready to write in', () => isFocused(composer))
  await keyboard.type('Bom dia! Já vejo para vocês.')
  await keyboard.press('Enter')
  await locateMessages(page).getByText('Bom dia! Já vejo para vocês.').waitFor()

  await keyboard.press('Escape')
  await waitUntil('the keys are shortcuts again', async () => !(await isFocused(composer)))
  await pressShortcut(page, 'e')
  const question = page.getByRole('dialog', { name: 'Resolver esta conversa?' })
  await waitUntil('the question has the focus', () => isFocused(question.getByRole('button', { name: /^Resolver/ })))
  // Words are no answer: who typed on into nowhere resolves nothing with the Enter behind them.
  await keyboard.type('lisa')
  await keyboard.press('Enter')
  await question.waitFor({ state: 'detached' })
  await composer.waitFor()
  await pressShortcut(page, 'e')
  await waitUntil('the question has the focus again', () =>
    isFocused(question.getByRole('button', { name: /^Resolver/ })),
  )
  await keyboard.press('Enter')
  await page.getByText('Ticket finalizado!').waitFor()

  await openTab(page, /Fechad/)
  await openNextUntil(page, 'Padaria Estrela')
  await tabToTarget(page, page.getByRole('button', { name: 'Reabrir' }).first())
  await keyboard.press('Enter')
  await composer.waitFor()
  await locateMessages(page)
    .getByText(/reabriu o atendimento/)
    .waitFor()
  expect(desk.complaints).toEqual([])
  await desk.close()
})

test('what is typed while a form is on its way acts on nothing and stands in it; the find window takes the focus and leaves with Escape', async () => {
  const desk = await openDesk(browser, { motion: true })
  const { page } = desk
  page.setDefaultTimeout(10_000)
  const { keyboard } = page
  // The code of the form comes when the test lets it, however often it was asked for before.
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  for (const name of await listChunks('newTicket.contactRequired'))
    await page.route(`**/${name}`, async route => {
      await released
      await route.continue()
    })
  await page.goto(`${world.url}/login`)
  await page.getByLabel('E-mail').fill(account().email)
  await page.getByLabel('Senha', { exact: true }).fill(account().password)
  await keyboard.press('Enter')
  await page.waitForURL('**/tickets')
  await page
    .getByRole('option', { name: /Dona Lúcia/ })
    .first()
    .click()
  const composer = page.getByPlaceholder('Escreva uma mensagem')
  await waitUntil('the composer has the focus', () => isFocused(composer))
  await keyboard.press('Escape')
  expect(await isFocused(page.locator('.c-conversation'))).toBe(true)

  await pressShortcut(page, 'n')
  await keyboard.type('elisa p')
  expect([await page.getByRole('dialog').count(), await isFocused(composer)]).toEqual([0, false])
  release()
  const search = page.getByLabel('Nome ou número do contato')
  await waitUntil('the form has the focus', () => isFocused(search))
  await keyboard.type('into')
  expect(await search.inputValue()).toBe('elisa pinto')
  // The first one empties the field.
  await keyboard.press('Escape')
  await keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await pressShortcut(page, 'f')
  await waitUntil('the find window has the focus', () => isFocused(page.getByLabel('Texto da mensagem')))
  await keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await composer.waitFor()
  expect(desk.complaints).toEqual([])
  await desk.close()
})

test('with fingers on a phone: sign in, open a waiting conversation, accept, answer, resolve, reopen', async () => {
  const desk = await openDesk(browser, { width: 390, height: 844, touch: true, motion: true })
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
  await locateMessages(page).getByText('Bom dia, seu Sebastião!').waitFor()
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
  await locateMessages(page)
    .getByText(/reabriu o atendimento/)
    .waitFor()
  expect(desk.complaints).toEqual([])
  await desk.close()
})

function account() {
  const found = world.accounts.find(one => one.profile === 'admin')
  if (!found) throw new Error('The world has no administrator')
  return found
}

/** The built files of conversations that hold these words. */
async function listChunks(words: string): Promise<string[]> {
  const folder = join(import.meta.dir, '../../mfe-tickets/dist/assets')
  const found: string[] = []
  for await (const name of new Glob('*.js').scan(folder))
    if ((await Bun.file(join(folder, name)).text()).includes(words)) found.push(name)
  expect(found).not.toEqual([])
  return found
}
