// Searching at the desk: the tab with its filters, a message found long ago, and the window inside a conversation.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import postgres from 'postgres'
import { launchBrowser } from '../src/browser.ts'
import { type DeskSession, findAccessibilityIssues, signIn } from '../src/desk.ts'
import { pressShortcut } from '../src/steps.ts'
import { startTestSystem, type TestSystem } from '../src/world.ts'

let browser: Browser
let world: TestSystem
let desk: DeskSession

beforeAll(async () => {
  ;[browser, world] = await Promise.all([launchBrowser(), startTestSystem({ here: true })])
  const sql = postgres(world.databaseUrl, { max: 1, onnotice: () => {} })
  await sql`
    insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, state, read)
    select t.id, t.contact_id, t.whatsapp_id, 1000 - n, now() - interval '3 days' - n * interval '7 minutes', false,
      case when n = 300 then 'O comprovante do frete de março, código abacate-77' else 'linha antiga ' || n end, 'received', true
    from ticket t join contact c on c.id = t.contact_id, generate_series(1, 400) n
    where c.name = 'Padaria Estrela' and t.status <> 'closed'`
  await sql.end()
  desk = await signIn(browser, world)
  desk.page.setDefaultTimeout(30_000)
}, 120_000)

afterAll(async () => {
  await desk?.close()
  await browser?.close()
  await world?.stop()
})

describe('spec 1 §2: the tab Search', () => {
  test('needs three characters, and finds conversations by name and messages by their words', async () => {
    const { page } = desk
    await page.getByLabel('Nome, número ou mensagem').pressSequentially('pa')
    await page.getByText('Escreva pelo menos 3 letras').waitFor()
    expect(await page.getByRole('tab', { name: 'Buscar' }).getAttribute('aria-selected')).toBe('true')
    await page.keyboard.type('daria')
    const found = page.getByRole('listbox', { name: 'Resultados da busca' })
    await found
      .getByRole('group', { name: 'Conversas' })
      .getByRole('option', { name: /Padaria Estrela/ })
      .waitFor()
    await found.getByRole('group', { name: 'Mensagens' }).locator('mark', { hasText: 'Padaria' }).first().waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
  })

  test('its filters fold away, and narrow what is found', async () => {
    const { page } = desk
    await page.getByRole('button', { name: /^Filtros/ }).click()
    await page.getByLabel('Contato', { exact: true }).fill('ninguém assim')
    await page.getByText('Nada com “padaria”').waitFor()
    await page.locator('.f-bar').getByText('Limpar').click()
    await page
      .getByRole('option', { name: /Padaria Estrela/ })
      .first()
      .waitFor()
    await page.getByRole('button', { name: /^Filtros/ }).click()
    await page.getByLabel('Contato', { exact: true }).waitFor({ state: 'detached' })
  })

  test('a message leads into its conversation, however long ago it was, and blinks there; the keyboard is enough', async () => {
    const { page } = desk
    await page.getByLabel('Nome, número ou mensagem').fill('ABACATE marco')
    const found = page.getByRole('listbox', { name: 'Resultados da busca' })
    await found.getByRole('option', { name: /comprovante/ }).waitFor()
    await found.press('ArrowDown')
    await found.press('Enter')
    await page.locator('.is-blinking').getByText('abacate-77').waitFor()
    expect(await page.getByText('linha antiga 1', { exact: true }).count()).toBe(0)
  })

  test('from there one scrolls to older and to newer messages, down to the newest', async () => {
    const { page } = desk
    const messages = page.getByRole('region', { name: 'Mensagens' })
    await messages.getByText('linha antiga 310', { exact: true }).scrollIntoViewIfNeeded()
    await page.locator('.c-scroll').evaluate(box => box.scrollTo(0, box.scrollHeight))
    await messages.getByText('linha antiga 250', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Ir para a última mensagem' }).click()
    await page.getByRole('button', { name: 'Ir para a última mensagem' }).waitFor({ state: 'detached' })
    await messages.getByText('linha antiga 250', { exact: true }).waitFor({ state: 'detached' })
  })
})

describe('spec 1 §2: the dialog that searches messages within the ticket', () => {
  test('opens with a key, finds, says when nothing was found, and jumps', async () => {
    const { page } = desk
    await page.locator('.c-header').click({ position: { x: 4, y: 4 } })
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
    await pressShortcut(page, 'f')
    const dialog = page.getByRole('dialog', { name: 'Buscar nesta conversa' })
    await dialog.getByLabel('Texto da mensagem').fill('xyzxyz')
    await dialog.getByText('Nenhuma mensagem foi encontrada').waitFor()
    await dialog.getByLabel('Texto da mensagem').fill('codigo frete')
    await dialog.getByRole('button', { name: /abacate-77/ }).click()
    await page.locator('.is-blinking').getByText('abacate-77').waitFor()
    // Nothing came meanwhile: the way down does not say that something is new.
    await page.getByRole('button', { name: 'Ir para a última mensagem', exact: true }).waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
  })

  test('is moved with the pointer and with arrows, and shut with Escape', async () => {
    const { page } = desk
    const dialog = page.getByRole('dialog', { name: 'Buscar nesta conversa' })
    const left = async () => (await dialog.boundingBox())?.x ?? 0
    const before = await left()
    const title = await dialog.getByRole('heading').boundingBox()
    await page.mouse.move((title?.x ?? 0) + 20, (title?.y ?? 0) + 10)
    await page.mouse.down()
    await page.mouse.move((title?.x ?? 0) - 180, (title?.y ?? 0) + 40)
    await page.mouse.up()
    expect(await left()).toBe(before - 200)
    await dialog.getByRole('button', { name: 'Mover a janela de busca com as setas' }).press('ArrowRight')
    expect(await left()).toBe(before - 184)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(desk.complaints).toEqual([])
  })
})
