// Two people at two server processes: who is in a conversation, who answers, and the question before both do.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../src/browser.ts'
import { type DeskSession, findAccessibilityIssues, signIn, visit } from '../src/desk.ts'
import type { ServerProcess } from '../src/server-process.ts'
import { acceptTicket, sendText, waitUntil } from '../src/steps.ts'
import { startTestSystem, type TestSystem } from '../src/world.ts'

let browser: Browser
let world: TestSystem
let second: ServerProcess
let admin: DeskSession
let manager: DeskSession

beforeAll(async () => {
  ;[browser, world] = await Promise.all([launchBrowser(), startTestSystem({ here: true })])
  second = await world.secondServer()
  admin = await signIn(browser, world)
  manager = await signIn(browser, world, { as: 'gerente', url: second.url })
  for (const { page } of [admin, manager]) page.setDefaultTimeout(15_000)
}, 120_000)

afterAll(async () => {
  await admin?.close()
  await manager?.close()
  await browser?.close()
  await world?.stop()
})

describe('spec 1 §4 "joinChatBox": who is in a conversation', () => {
  test('stands in the row and in the header, by name, also for screen readers', async () => {
    await open(admin.page, 'Padaria Estrela')
    await open(manager.page, 'Padaria Estrela')
    const name = firstName('admin')
    await manager.page.getByRole('button', { name: `${name} está olhando.` }).waitFor()
    await manager.page.getByRole('option', { name: new RegExp(`Padaria Estrela.*${name} está olhando`) }).waitFor()
    await admin.page.getByRole('button', { name: `${firstName('gerente')} está olhando.` }).waitFor()
  })

  test('ends when that page is closed', async () => {
    const third = await signIn(browser, world, { as: 'user' })
    await open(third.page, 'Padaria Estrela')
    const name = firstName('user')
    await admin.page.getByRole('button', { name: new RegExp(`${name}`) }).waitFor()
    await third.close()
    await admin.page.getByRole('button', { name: `${firstName('gerente')} está olhando.` }).waitFor()
  })
})

describe('a soft claim before two people answer the same customer', () => {
  test('who writes is shown to the other, whose Enter asks once and then sends', async () => {
    await acceptTicket(admin.page, 'Comercial')
    await composer(manager.page).waitFor()
    await composer(admin.page).fill('Bom dia, já vejo o pão')
    await manager.page
      .getByText(`${firstName('admin')} está respondendo.`)
      .first()
      .waitFor()
    await composer(manager.page).fill('Bom dia!')
    await manager.page.keyboard.press('Enter')
    await manager.page.getByText('Enter de novo envia a sua também.').waitFor()
    expect(await composer(manager.page).inputValue()).toBe('Bom dia!')
    await manager.page.keyboard.press('Enter')
    await messages(manager.page).getByText('Bom dia!', { exact: true }).waitFor()
  })

  test('what a colleague answered meanwhile is said, and asked about once', async () => {
    await admin.page.getByText(`${firstName('gerente')} respondeu enquanto você escrevia.`).waitFor()
    const writes = admin.page.getByText(`${firstName('gerente')} está respondendo.`).first()
    await composer(manager.page).fill('E mais')
    await writes.waitFor()
    await composer(admin.page).press('Enter')
    const anyway = admin.page.getByRole('button', { name: 'Enviar assim mesmo' })
    await anyway.waitFor()
    // Who goes on to other things takes no question away.
    await composer(manager.page).fill('')
    await writes.waitFor({ state: 'detached' })
    await anyway.click()
    await messages(admin.page).getByText('Bom dia, já vejo o pão').waitFor()
    // Nobody writes any more: nothing is asked.
    await manager.page
      .getByText(`${firstName('admin')} está respondendo.`)
      .first()
      .waitFor({ state: 'detached' })
    await sendText(manager.page, 'Obrigado!')
  })

  test('an internal comment asks nothing', async () => {
    await composer(admin.page).fill('Um momento')
    await manager.page
      .getByText(`${firstName('admin')} está respondendo.`)
      .first()
      .waitFor()
    await composer(manager.page).fill('-- deixa que eu respondo')
    await manager.page.keyboard.press('Enter')
    await messages(manager.page).getByText('deixa que eu respondo').waitFor()
    await composer(admin.page).fill('')
    await manager.page
      .getByText(`${firstName('admin')} está respondendo.`)
      .first()
      .waitFor({ state: 'detached' })
    expect([...admin.complaints, ...manager.complaints]).toEqual([])
  })
})

describe("a colleague's conversation", () => {
  test('says whose it is where one answers; who answers all the same goes on in the field', async () => {
    const { page } = manager
    await page.getByText(`${fullName('admin')} atende esta conversa.`).waitFor()
    await page
      .locator('.c-header')
      .getByText(`com ${fullName('admin')}`)
      .waitFor()
    const anyway = page.getByRole('button', { name: 'Responder mesmo assim' })
    await anyway.focus()
    await page.keyboard.press('Enter')
    await anyway.waitFor({ state: 'detached' })
    await waitUntil('the field has the focus', () =>
      page.evaluate(() => document.activeElement?.classList.contains('k-field') ?? false),
    )
    expect(await findAccessibilityIssues(page)).toEqual([])
  })

  test("taken over it is one's own, and says so to who had it", async () => {
    await manager.page.getByRole('button', { name: 'Mais ações' }).click()
    await manager.page.getByRole('menuitem', { name: 'Assumir' }).click()
    await admin.page.getByText(`${fullName('gerente')} atende esta conversa.`).waitFor()
    await manager.page.getByPlaceholder('Escreva uma mensagem', { exact: true }).waitFor()
    await admin.page.getByRole('button', { name: 'Assumir', exact: true }).click()
    await manager.page.getByText(`${fullName('admin')} atende esta conversa.`).waitFor()
    await admin.page.getByText(/ atende esta conversa\./).waitFor({ state: 'detached' })
    expect([...admin.complaints, ...manager.complaints]).toEqual([])
  })
})

describe('an internal comment calls a colleague', () => {
  test('by the keys alone: arrows, Enter, and Escape, which leaves the words alone', async () => {
    const { page } = manager
    const field = composer(page)
    const offered = page.getByRole('listbox', { name: 'Chamar um colega' })
    await field.fill('-- veja isto, ')
    await field.pressSequentially('@')
    await offered.waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await page.keyboard.press('Escape')
    await offered.waitFor({ state: 'detached' })
    expect(await field.inputValue()).toBe('-- veja isto, @')
    await field.pressSequentially(firstName('admin').toLowerCase())
    await offered.getByRole('option', { name: fullName('admin') }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await offered.waitFor({ state: 'detached' })
    expect(await field.inputValue()).toBe(`-- veja isto, @${fullName('admin')} `)
  })

  test('who is told wherever they are, and led to the comment by the bell', async () => {
    await visit(admin.page, '/contacts')
    await manager.page.keyboard.press('Enter')
    await messages(manager.page)
      .getByText(`@${fullName('admin')}`)
      .waitFor()
    await admin.page
      .getByText(`${firstName('gerente')} chamou você em um comentário`)
      .first()
      .waitFor()
    await admin.page.getByRole('button', { name: /^Quem espera/ }).click()
    const row = admin.page.locator('.s-bell-row').filter({ hasText: 'chamou você em um comentário' })
    await row.click()
    await admin.page.locator('.is-blinking').getByText('veja isto').waitFor()
    await waitUntil('the address is of the conversation alone', async () => !admin.page.url().includes('message='))
    await admin.page.getByRole('button', { name: /^Quem espera/ }).click()
    await admin.page.getByRole('dialog', { name: 'Quem espera' }).waitFor()
    await row.waitFor({ state: 'detached' })
    await admin.page.keyboard.press('Escape')
    expect([...admin.complaints, ...manager.complaints]).toEqual([])
  })
})

describe('quick answers of a queue, and of one person', () => {
  test('are written as such, and offered to who is in the queue, and to that person alone', async () => {
    const { page } = admin
    await visit(page, '/quickAnswers')
    await page.getByRole('heading', { name: 'Respostas rápidas' }).waitFor()
    for (const [shortcut, scope] of [
      ['zzfila', 'Financeiro'],
      ['zzoutra', 'Entregas'],
      ['zzminha', 'Só para mim'],
    ] as const)
      await addAnswer(page, shortcut, scope)
    expect(await listOffered(manager.page)).toEqual(['/zzfila'])
    await visit(page, new URL(manager.page.url()).pathname)
    expect(await listOffered(page)).toEqual(['/zzfila', '/zzminha', '/zzoutra'])
    expect([...admin.complaints, ...manager.complaints]).toEqual([])
  })
})

describe('users: status online, away, offline', () => {
  test('a colleague who closes the last page is offline within seconds, without a reload here', async () => {
    const third = await signIn(browser, world, { as: 'user' })
    await admin.page.getByRole('tab', { name: /Interno/ }).click()
    await admin.page
      .getByRole('button', { name: /Nova conversa interna/ })
      .first()
      .click()
    const line = admin.page
      .getByRole('dialog')
      .getByRole('listitem')
      .filter({ hasText: firstName('user') })
    await line.getByText('online').waitFor({ state: 'attached' })
    await third.close()
    await line.getByText('offline').waitFor({ state: 'attached', timeout: 30_000 })
  })
})

async function open(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name: /Pendentes/ }).click()
  await page
    .getByRole('option', { name: new RegExp(name) })
    .first()
    .click()
  await page.getByRole('region', { name, exact: true }).waitFor()
  await waitUntil('its messages are there', async () => (await messages(page).count()) > 0)
}

function composer(page: Page) {
  return page.getByRole('textbox', { name: /Mensagem para|Escreva/ })
}

function messages(page: Page) {
  return page.getByRole('region', { name: 'Mensagens' })
}

function fullName(profile: string): string {
  return world.accounts.find(one => one.profile === profile)?.name ?? ''
}

function firstName(profile: string): string {
  return fullName(profile).split(' ')[0] ?? ''
}

async function addAnswer(page: Page, shortcut: string, scope: string): Promise<void> {
  await page.getByRole('button', { name: 'Adicionar' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByRole('textbox', { name: 'Atalho' }).fill(shortcut)
  await form.getByLabel(/^Mensagem/).fill('Um texto')
  await form.locator('.p-dropdown').click()
  await page.locator('.p-dropdown-item', { hasText: scope }).click()
  await form.getByRole('button', { name: 'Adicionar', exact: true }).click()
  await page.getByRole('row', { name: new RegExp(`${shortcut}.*${scope}`) }).waitFor()
}

/** What is offered of those that begin as no other one does. */
async function listOffered(page: Page): Promise<string[]> {
  await composer(page).fill('/zz')
  const codes = page.getByRole('listbox', { name: 'Respostas rápidas' }).locator('code')
  let offered: string[] = []
  await waitUntil('they are offered', async () => {
    offered = await codes.allTextContents()
    return offered.length > 0 && offered.every(code => code.startsWith('/zz'))
  })
  await page.keyboard.press('Escape')
  await composer(page).fill('')
  return offered.sort()
}
