// Two people of the team talk to each other in two browsers (spec 1 §2 "Internal chat screen").
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { launchBrowser } from '../src/browser.ts'
import { type DeskSession, findAccessibilityIssues, signIn, visit } from '../src/desk.ts'
import { startTestSystem, type TestSystem } from '../src/world.ts'

let browser: Browser
let world: TestSystem
let bruna: DeskSession
let rafael: DeskSession

beforeAll(async () => {
  ;[browser, world] = await Promise.all([launchBrowser(), startTestSystem({ here: true })])
  bruna = await signIn(browser, world, { as: 'user' })
  rafael = await signIn(browser, world, { as: 'gerente' })
  for (const { page } of [bruna, rafael]) page.setDefaultTimeout(15_000)
}, 120_000)

afterAll(async () => {
  await bruna?.close()
  await rafael?.close()
  await browser?.close()
  await world?.stop()
})

describe('a direct chat', () => {
  test('is opened from the team and written in; the other side sees it counted, without reload', async () => {
    const { page } = bruna
    await internal(page).click()
    await page.getByRole('button', { name: 'Nova conversa interna' }).click()
    const dialog = page.getByRole('dialog', { name: 'Nova conversa interna' })
    await dialog.getByLabel('Procurar na equipe').fill('rafa')
    await dialog.getByRole('button', { name: /Rafael Costa/ }).click()
    await page.waitForURL(/\/tickets\/0\/\d+$/)
    await write(page, 'Rafael, pode liberar o desconto?')
    await unread(rafael.page).waitFor()
    await internal(rafael.page).click()
    await locateRow(rafael.page, 'Bruna Alves').getByText('Rafael, pode liberar o desconto?', { exact: true }).waitFor()
  })

  test('opened, it is read: the badge goes and the sender sees blue ticks', async () => {
    await locateRow(rafael.page, 'Bruna Alves').click()
    await locateMessage(rafael.page, 'Rafael, pode liberar o desconto?').waitFor()
    await unread(rafael.page).waitFor({ state: 'detached' })
    await messages(bruna.page).getByLabel('Lida').first().waitFor()
  })

  test('an answer quotes what it answers', async () => {
    const { page } = rafael
    await chooseFromMenu(page, 'Rafael, pode liberar o desconto?', 'Responder')
    await write(page, 'Liberado, 5%')
    const answer = locateMessage(bruna.page, 'Liberado, 5%')
    await answer.waitFor()
    await locateItem(bruna.page, 'Liberado, 5%').getByText('Rafael, pode liberar o desconto?').waitFor()
  })

  test('an own message is edited, and the other side reads the new words', async () => {
    const { page } = rafael
    await chooseFromMenu(page, 'Liberado, 5%', 'Editar')
    await composer(page).fill('Liberado, 10%')
    await page.keyboard.press('Enter')
    await locateMessage(bruna.page, 'Liberado, 10%').waitFor()
    await locateItem(bruna.page, 'Liberado, 10%').getByText('Editada').waitFor()
    expect(await locateMessage(bruna.page, 'Liberado, 5%').count()).toBe(0)
  })

  test('an own message is deleted for both; those of others offer neither', async () => {
    await write(bruna.page, 'Mensagem por engano')
    await locateMessage(rafael.page, 'Mensagem por engano').waitFor()
    await openMenu(rafael.page, 'Mensagem por engano')
    expect(await rafael.page.getByRole('menuitem', { name: /Editar|Apagar/ }).count()).toBe(0)
    await rafael.page.keyboard.press('Escape')
    await chooseFromMenu(bruna.page, 'Mensagem por engano', 'Apagar')
    await bruna.page.getByRole('dialog').getByRole('button', { name: 'Apagar' }).click()
    for (const { page } of [bruna, rafael]) {
      await locateMessage(page, 'Mensagem por engano').waitFor({ state: 'detached' })
      await messages(page).getByText('Mensagem apagada').waitFor()
    }
  })

  test('a file goes and can be fetched by the other side', async () => {
    await bruna.page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'tabela.txt', mimeType: 'text/plain', buffer: Buffer.from('preços') })
    await write(bruna.page, 'Segue a tabela')
    await messages(rafael.page).getByText('tabela.txt').waitFor()
    const link = messages(rafael.page).locator('a[href^="/media/"]').first()
    const answer = await rafael.page.request.get(`${world.url}${await link.getAttribute('href')}`)
    expect([answer.status(), await answer.text()]).toEqual([200, 'preços'])
  })

  test('a message is found and shown in its place', async () => {
    const { page } = bruna
    await page.getByRole('button', { name: 'Buscar mensagens' }).click()
    await page.getByLabel('Texto da mensagem').fill('nada disso')
    await page.getByText('Nenhuma mensagem foi encontrada').waitFor()
    await page.getByLabel('Texto da mensagem').fill('DESCONTO')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /pode liberar o desconto/ })
      .click()
    await page.locator('.is-blinking').getByText('Rafael, pode liberar o desconto?').waitFor()
    await page.keyboard.press('Escape')
  })

  test('nobody outside sees it in the list', async () => {
    const marina = await signIn(browser, world, { as: 'admin' })
    await visit(marina.page, new URL(bruna.page.url()).pathname)
    await marina.page.getByText('Você não tem permissão para acessar esse chat').waitFor()
    await internal(marina.page).click()
    await locateRow(marina.page, 'Avisos da loja').waitFor()
    expect(await locateRow(marina.page, 'Rafael Costa · Bruna|Bruna Alves').count()).toBe(0)
    await marina.close()
  })
})

describe('a group', () => {
  test('is made with a name and its participants, by keyboard; who is in it reads along', async () => {
    const { page } = rafael
    await page.getByRole('button', { name: 'Nova conversa interna' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Nova conversa interna' })
    await dialog.getByRole('tab', { name: 'Uma pessoa' }).press('ArrowRight')
    await dialog.getByLabel('Nome do grupo').fill('Fechamento')
    await dialog.getByRole('searchbox', { name: 'Procurar na equipe' }).fill('bru')
    await page.keyboard.press('Enter')
    await dialog.getByRole('checkbox', { name: /Bruna Alves/, checked: true }).waitFor()
    await dialog.getByRole('button', { name: 'Criar grupo' }).press('Enter')
    await page.getByRole('heading', { name: 'Fechamento' }).waitFor()
    await write(page, 'Fechamos às 18h')
    await locateRow(bruna.page, 'Fechamento').click()
    await locateMessage(bruna.page, 'Fechamos às 18h').waitFor()
    await locateItem(bruna.page, 'Fechamos às 18h').getByText('Rafael Costa').waitFor()
  })

  test('tells who is writing', async () => {
    await composer(bruna.page).pressSequentially('Co')
    await rafael.page.locator('.c-header').getByText('Bruna digitando…').waitFor()
  })

  test('its participants are edited; oneself cannot be taken out', async () => {
    const { page } = bruna
    await page.getByRole('button', { name: 'Participantes' }).last().click()
    await page.getByRole('button', { name: 'Editar participantes' }).click()
    const dialog = page.getByRole('dialog', { name: 'Editar participantes' })
    expect(await dialog.getByRole('checkbox', { name: /Bruna Alves/ }).isDisabled()).toBe(true)
    await dialog.getByLabel('Nome do grupo').fill('Fechamento do mês')
    await dialog.getByRole('button', { name: 'Salvar' }).click()
    await rafael.page.getByRole('heading', { name: 'Fechamento do mês' }).first().waitFor()
  })

  test('on a phone list and conversation take turns', async () => {
    const phone = await signIn(browser, world, { as: 'user', width: 390, height: 844 })
    await internal(phone.page).click()
    await locateRow(phone.page, 'Fechamento do mês').click()
    await locateMessage(phone.page, 'Fechamos às 18h').waitFor()
    expect(await findAccessibilityIssues(phone.page)).toEqual([])
    await phone.page.getByRole('button', { name: 'Voltar às conversas' }).click()
    await locateRow(phone.page, 'Rafael Costa').waitFor()
    expect(phone.complaints).toEqual([])
    await phone.close()
  })
})

test('nothing complained on the way, and axe finds nothing serious', async () => {
  for (const { page } of [bruna, rafael]) expect(await findAccessibilityIssues(page)).toEqual([])
  expect([...bruna.complaints, ...rafael.complaints]).toEqual([])
})

function internal(page: Page): Locator {
  return page.getByRole('tab', { name: /Interno/ })
}

/** The tab while it says that one message is unread. */
function unread(page: Page): Locator {
  return page.getByRole('tab', { name: /Interno\s*1 / })
}

function locateRow(page: Page, name: string): Locator {
  return page.getByRole('listbox', { name: 'Conversas internas' }).getByRole('option', { name: new RegExp(name) })
}

function messages(page: Page): Locator {
  return page.getByRole('region', { name: 'Mensagens' })
}

/** The words of a message in its own bubble, not where it is quoted. */
function locateMessage(page: Page, text: string): Locator {
  return messages(page).locator(words(page, text))
}

function words(page: Page, text: string): Locator {
  return page.locator('.m-bubble > :not(.m-quoted)').getByText(text, { exact: true })
}

function locateItem(page: Page, text: string): Locator {
  return messages(page)
    .getByRole('listitem')
    .filter({ has: words(page, text) })
}

function composer(page: Page): Locator {
  return page.getByRole('textbox', { name: /Mensagem para/ })
}

async function write(page: Page, text: string): Promise<void> {
  await composer(page).fill(text)
  await page.keyboard.press('Enter')
  await messages(page).getByText(text, { exact: true }).first().waitFor()
}

async function openMenu(page: Page, text: string): Promise<void> {
  const item = messages(page).getByRole('listitem').filter({ hasText: text }).last()
  await item.hover()
  await item.getByRole('button', { name: 'Ações da mensagem' }).click()
}

async function chooseFromMenu(page: Page, text: string, action: string): Promise<void> {
  await openMenu(page, text)
  await page.getByRole('menuitem', { name: new RegExp(action) }).click()
}
