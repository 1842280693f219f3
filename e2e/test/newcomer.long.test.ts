// Somebody who has never seen the product and reads nothing, by mouse alone: from the first sign-in over the shop's phone, which reads the
// code on the screen, to the first customer who is answered. What each screen offers is where they go on: it says so in words, and stands
// in what is seen without scrolling. Counted is what a hand does: a click takes a second, a letter a fifth of one, finding what
// comes next three.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { launchBrowser } from '../src/browser.ts'
import { type DeskSession, openDesk } from '../src/desk.ts'
import { waitUntil } from '../src/steps.ts'
import { startTestSystem, type TestSystem } from '../src/world.ts'

let browser: Browser
let world: TestSystem
let desk: DeskSession
let clicks = 0
let letters = 0
let fields = 0

beforeAll(async () => {
  ;[browser, world] = await Promise.all([launchBrowser(), startTestSystem({ empty: true })])
  desk = await openDesk(browser)
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await world?.stop()
})

test('a newcomer connects the phone and answers the first customer in half a minute of clicks and letters', async () => {
  const { page, context } = desk
  const [, email = '', password = ''] = /First sign-in: (\S+) · (\S+)/.exec(world.server.output) ?? []
  await page.goto(`${world.url}/login`)
  await write(page, email)
  await click(page.getByLabel('Senha', { exact: true }))
  // It comes from where the server was started.
  await page.keyboard.insertText(password)
  await click(page.getByRole('button', { name: 'Entrar' }))
  await page.getByRole('heading', { name: /escolha sua senha/ }).waitFor()
  await write(page, 'Minha-Senha-1')
  await click(page.getByLabel(/^Repita a nova senha/))
  await write(page, 'Minha-Senha-1')
  await clickFilled(page)
  await page.getByRole('dialog', { name: 'Como os clientes vão conhecer você?' }).waitFor()
  await write(page, 'José')
  await clickFilled(page)

  await page.getByRole('heading', { name: 'Primeiros passos' }).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await clickFilled(page)
  await page.getByRole('dialog', { name: 'Adicionar conexão' }).waitFor()
  await write(page, 'Loja')
  await clickFilled(page)
  await page.locator('[data-qr]').waitFor()

  // Beside the screen lie the phones.
  const phones = await context.newPage()
  await phones.goto(`${world.url}/simulator`)
  await click(phones.getByRole('button', { name: 'Ler o código' }).first())
  await page.bringToFront()
  await page.getByRole('dialog', { name: /^Quem atende/ }).waitFor()
  await clickFilled(page)
  await page.getByText('Tudo em dia.').waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await phones.bringToFront()
  await click(phones.getByLabel('Mensagem de Dona Lúcia'))
  await write(phones, 'Bom dia')
  await phones.keyboard.press('Enter')

  await page.bringToFront()
  // A badge stands beside it.
  await click(page.getByRole('link', { name: /Conversas.*1/ }))
  await click(page.getByRole('button', { name: 'Atender a próxima' }))
  await page.getByPlaceholder('Escreva uma mensagem').waitFor()
  await write(page, 'Bom dia! Tudo bem?')
  await page.keyboard.press('Enter')
  await phones.getByRole('region', { name: 'Telefone de Dona Lúcia' }).getByText('Bom dia! Tudo bem?').waitFor()
  expect(clicks).toBeLessThanOrEqual(12)
  expect(clicks + letters / 5).toBeLessThanOrEqual(30)
  expect(fields).toBeLessThanOrEqual(7)
  expect((clicks + fields) * 3 + clicks + letters / 5).toBeLessThanOrEqual(120)
  expect(desk.complaints).toEqual([])
}, 120_000)

async function click(target: Locator): Promise<void> {
  clicks++
  const words = await readVisibleWords(target)
  expect([words, words !== '' && (await isInSight(target))]).toEqual([words, true])
  await target.click()
}

/** On it, beside it or, of a field that nobody has written in yet, in it. */
function readVisibleWords(target: Locator): Promise<string> {
  return target.evaluate(element => {
    if (!(element instanceof HTMLElement)) return ''
    const own = element.textContent
    const labels =
      element instanceof HTMLInputElement ? [...(element.labels ?? [])].map(label => label.textContent) : []
    return [own, ...labels, element.getAttribute('placeholder') ?? ''].join(' ').replace(/\s+/g, ' ').trim()
  })
}

/** Whole, where nobody has scrolled, and with nothing over it. */
function isInSight(target: Locator): Promise<boolean> {
  return target.evaluate(element => {
    const { top, left, bottom, right } = element.getBoundingClientRect()
    const isInside = top >= 0 && left >= 0 && bottom <= window.innerHeight && right <= window.innerWidth
    const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
    return isInside && above !== null && (element.contains(above) || above.contains(element))
  })
}

/** What is filled in with colour is what comes next; there is one of it in what lies on top. */
async function clickFilled(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  const top = (await dialog.count()) > 0 ? dialog.last() : page.getByRole('main')
  const filled = top.locator('.b-button.is-primary')
  expect(await filled.count()).toBe(1)
  await click(filled)
}

/** Where the cursor stands by itself. */
async function write(page: Page, text: string): Promise<void> {
  await waitUntil('the cursor stands in a field', () =>
    page.evaluate(() => document.activeElement?.matches('input, textarea, [contenteditable]') === true),
  )
  letters += text.length
  fields++
  await page.keyboard.type(text)
}
