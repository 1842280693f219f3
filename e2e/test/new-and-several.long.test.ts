// A new conversation, the one that is in its way, several at once, and protocols: in the browser, with mouse, keys and fingers.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import postgres from 'postgres'
import { launchBrowser } from '../src/browser.ts'
import { type DeskSession, findAccessibilityIssues, signIn, visit } from '../src/desk.ts'
import { startTestSystem, type TestSystem } from '../src/world.ts'

let browser: Browser
let world: TestSystem
let marina: DeskSession
let bruna: DeskSession
let rafael: DeskSession
let sql: postgres.Sql

beforeAll(async () => {
  ;[browser, world] = await Promise.all([
    launchBrowser(),
    startTestSystem({ here: true, settings: { generateProtocol: true } }),
  ])
  sql = postgres(world.databaseUrl, { max: 1, onnotice: () => {} })
  marina = await signIn(browser, world)
  bruna = await signIn(browser, world, { as: 'user' })
  rafael = await signIn(browser, world, { as: 'gerente' })
  for (const { page } of [marina, bruna, rafael]) page.setDefaultTimeout(20_000)
}, 180_000)

afterAll(async () => {
  await sql?.end()
  await browser?.close()
  await world?.stop()
})

async function openForm(page: Page) {
  await page.getByRole('button', { name: 'Nova conversa' }).first().waitFor()
  await page.locator('body').press('n')
  const form = page.getByRole('dialog', { name: 'Nova conversa' })
  await form.waitFor()
  return form
}

async function choose(page: Page, label: string, option: string) {
  await page.getByRole('dialog').locator('.b-field').filter({ hasText: label }).locator('.p-dropdown').click()
  await page.locator('.p-dropdown-item', { hasText: option }).click()
}

function bar(page: Page) {
  return page.getByRole('region', { name: 'Conversas marcadas' })
}

function row(page: Page, name: string) {
  return page.getByRole('option', { name: new RegExp(name) }).first()
}

async function resetTo(page: Page, tab: RegExp) {
  await visit(page, '/tickets')
  await page.getByRole('tab', { name: tab }).click()
  await page.getByRole('option').first().waitFor()
}

describe('spec 1 §5: a new conversation', () => {
  test('with a known contact: three letters, Enter, a queue; queue and connection say what is missing', async () => {
    const { page } = bruna
    const form = await openForm(page)
    await form.getByRole('button', { name: 'Iniciar conversa' }).click()
    await form.getByText('Escolha um contato').waitFor()
    await form.getByText('Selecione uma fila válida').waitFor()
    const search = form.getByLabel('Nome ou número do contato')
    await search.fill('hotel')
    await form.getByRole('option', { name: /Hotel Mirante/ }).waitFor()
    await search.press('Enter')
    await choose(page, 'Fila', 'Suporte')
    expect(await findAccessibilityIssues(page)).toEqual([])
    await form.getByRole('button', { name: 'Iniciar conversa' }).click()
    await page.getByPlaceholder('Escreva uma mensagem').waitFor()
    await page.getByRole('region', { name: 'Hotel Mirante', exact: true }).waitFor()
    expect(await row(page, 'Hotel Mirante').getAttribute('aria-selected')).toBe('true')
  })

  test('written anew or closed while Enter waits for who is found, it begins with nobody, and letters are keys again', async () => {
    const { page } = rafael
    const form = await openForm(page)
    const search = form.getByLabel('Nome ou número do contato')
    let { promise, resolve } = Promise.withResolvers<void>()
    await page.route(/\/contacts\?/, async route => {
      await promise
      await route.continue()
    })
    await search.fill('hotel')
    await search.press('Enter')
    await search.fill('padaria')
    resolve()
    await form
      .getByRole('option', { name: /Padaria/ })
      .first()
      .waitFor()
    ;({ promise, resolve } = Promise.withResolvers<void>())
    await search.fill('hotel')
    await search.press('Enter')
    await form.getByRole('button', { name: 'Cancelar' }).click()
    await form.waitFor({ state: 'detached' })
    resolve()
    await page.keyboard.press('n')
    await form.waitFor()
    await page.keyboard.press('Escape')
    await page.unrouteAll({ behavior: 'wait' })
  })

  test('on the official API it leads to the templates', async () => {
    const { page } = marina
    const form = await openForm(page)
    await form.getByLabel('Nome ou número do contato').fill('tânia')
    await form.getByRole('option', { name: /Tânia Vasconcelos/ }).click()
    await choose(page, 'Fila', 'Comercial')
    await choose(page, 'Conexão', 'Oficial São José')
    await form.getByRole('button', { name: 'Iniciar conversa' }).click()
    await page.getByRole('region', { name: 'Tânia Vasconcelos', exact: true }).waitFor()
    await page
      .getByRole('dialog')
      .getByText(/modelo/i)
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
  })

  test('the next one has queue and connection of the last, on the next day too', async () => {
    const { page } = marina
    await page.goto(`${world.url}/tickets`)
    const form = await openForm(page)
    for (const [label, last] of [
      ['Fila', 'Comercial'],
      ['Conexão', 'Oficial São José'],
    ] as const)
      await form
        .locator('.b-field')
        .filter({ hasText: label })
        .locator('.p-dropdown-label', { hasText: last })
        .waitFor()
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
  })

  test('with a number nobody has yet: it is checked, the contact is added, the conversation begins', async () => {
    const { page } = marina
    await page.goto(`${world.url}/tickets`)
    const form = await openForm(page)
    await form.getByLabel('Nome ou número do contato').fill('11 98765-4321')
    await form.getByRole('button', { name: 'Conferir no WhatsApp' }).click()
    // No phone is paired here: the question stays open, and is not answered with a guess.
    await form.getByText('Não dá para conferir +55 11 98765-4321 agora.').waitFor()
    await form.getByLabel('Nome do contato').fill('Rafael Lima')
    await form.getByRole('button', { name: 'Adicionar contato' }).click()
    await form.getByRole('button', { name: 'Trocar de contato' }).waitFor()
    await choose(page, 'Fila', 'Comercial')
    await choose(page, 'Conexão', 'Loja Centro')
    await form.getByRole('button', { name: 'Iniciar conversa' }).click()
    await page.getByRole('region', { name: 'Rafael Lima', exact: true }).waitFor()
  })
})

describe('spec 1 §8: somebody already talks to this contact', () => {
  test('who may see that conversation is led there', async () => {
    const { page } = marina
    await page.goto(`${world.url}/tickets`)
    const form = await openForm(page)
    await form.getByLabel('Nome ou número do contato').fill('pizzaria')
    await form.getByRole('option', { name: /Pizzaria Nonna/ }).click()
    await choose(page, 'Fila', 'Comercial')
    await choose(page, 'Conexão', 'Loja Centro')
    await form.getByRole('button', { name: 'Iniciar conversa' }).click()
    const dialog = page.getByRole('dialog', { name: 'Já existe uma conversa em aberto para este contato' })
    await dialog.getByText('Rafael Costa').waitFor()
    await dialog.getByText('Comercial').waitFor()
    await dialog.getByRole('button', { name: 'Abrir conversa' }).click()
    await page.getByRole('region', { name: 'Pizzaria Nonna', exact: true }).waitFor()
  })

  test('who may not asks for it; its person is told and hands it over', async () => {
    const { page } = bruna
    // The connections arrive when the form is there already: the one that is proposed comes with them.
    const reached = Promise.withResolvers<void>()
    await page.route(/\/whatsapp(\?|$)/, async route => {
      await reached.promise
      await route.continue()
    })
    await page.goto(`${world.url}/tickets`)
    const form = await openForm(page)
    const connections = page.waitForResponse(/\/whatsapp(\?|$)/)
    reached.resolve()
    await connections
    await form.getByLabel('Nome ou número do contato').fill('pizzaria')
    await form.getByRole('option', { name: /Pizzaria Nonna/ }).click()
    await choose(page, 'Fila', 'Suporte')
    await form.getByRole('button', { name: 'Iniciar conversa' }).click()
    const dialog = page.getByRole('dialog', { name: /Já existe uma conversa/ })
    await dialog.getByText(/Você não vê essa conversa/).waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Pedir a Rafael Costa' }).click()
    await page.getByText('Pedido enviado').waitFor()

    await rafael.page.getByText('Bruna Alves pede esta conversa').waitFor()
    await rafael.page.locator('.b-toast').getByRole('button', { name: 'Transferir' }).click()
    const transfer = rafael.page.getByRole('dialog', { name: 'Transferir conversa' })
    await transfer.locator('.n-chosen', { hasText: 'Bruna Alves' }).waitFor()
    await transfer.getByRole('button', { name: 'Transferir' }).click()
    await rafael.page.getByText('Conversa transferida').waitFor()
    await row(page, 'Pizzaria Nonna').waitFor()
  })
})

describe('spec 1 §4: several conversations at once', () => {
  test('marked with Ctrl and Shift, paused together, and taken back', async () => {
    const { page } = marina
    await resetTo(page, /Abertos/)
    await row(page, 'João Almeida').click({ modifiers: ['Control'] })
    await row(page, 'Beatriz Camargo').click({ modifiers: ['Shift'] })
    await bar(page).getByText('3 marcadas').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await bar(page).getByRole('button', { name: 'Pausar' }).click()
    const pause = page.getByRole('dialog', { name: 'Pausar 3 conversas?' })
    await pause.getByRole('button', { name: 'Pausar' }).click()
    await pause.getByText('Preencha todos os campos para pausar esse atendimento').waitFor()
    await pause.getByRole('button', { name: 'Aguarda cliente' }).click()
    await pause.getByRole('button', { name: 'Pausar' }).click()
    await page.getByText('3 conversas pausadas').waitFor()
    await row(page, 'João Almeida').waitFor({ state: 'detached' })
    await page.locator('.b-toast').getByRole('button', { name: 'Desfazer' }).click()
    await page.getByText('3 conversas como antes').waitFor()
    await row(page, 'João Almeida').waitFor()
    const rows =
      await sql`select 1 from ticket t join contact c on c.id = t.contact_id join "user" u on u.id = t.user_id
      where c.name in ('João Almeida', 'Mercadinho Ribeiro', 'Beatriz Camargo') and t.status = 'open' and u.name = 'Marina Souza'`
    expect(rows.length).toBe(3)
  })

  test('by keyboard alone: X marks, Shift+J goes on, Esc lets go', async () => {
    const { page } = marina
    await resetTo(page, /Abertos/)
    await page.locator('body').press('x')
    await bar(page).getByText('1 marcada').waitFor()
    await page.keyboard.press('Shift+J')
    await bar(page).getByText('2 marcadas').waitFor()
    await page.keyboard.press('Shift+J')
    await bar(page).getByText('3 marcadas').waitFor()
    await page.keyboard.press('Escape')
    await bar(page).waitFor({ state: 'detached' })
  })

  test('what was refused is listed with its reason, the rest is done', async () => {
    const { page } = marina
    await resetTo(page, /Fechad/)
    await page.getByRole('switch', { name: 'Ver todos' }).click()
    await row(page, 'Confeitaria Rosa').click({ modifiers: ['Control'] })
    await page
      .getByRole('option', { name: /Dona Lúcia/ })
      .first()
      .click({ modifiers: ['Control'] })
    await bar(page).getByText('2 marcadas').waitFor()
    await bar(page).getByRole('button', { name: 'Mais ações' }).click()
    await page.getByRole('menuitem', { name: /Apagar conversa/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Apagar conversas' }).click()
    const outcome = page.getByRole('dialog', { name: '1 conversa recusada' })
    await outcome.getByText('1 conversa apagada').waitFor()
    await outcome.getByText('Confeitaria Rosa').waitFor()
    await outcome.getByText('Não é possível deletar esse ticket pois existe um protocolo vinculado a ele').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await outcome.getByRole('button', { name: 'Entendi' }).click()
    await row(page, 'Confeitaria Rosa').waitFor()
    await page.getByRole('switch', { name: 'Ver todos' }).click()
  })

  test('with fingers: a long press marks, taps mark more', async () => {
    const phone = await signIn(browser, world, { as: 'user', width: 390, height: 844, touch: true })
    const { page } = phone
    page.setDefaultTimeout(20_000)
    await page.getByRole('tab', { name: /Pendentes/ }).tap()
    const first = row(page, 'Tânia Vasconcelos')
    await first.waitFor()
    const box = await first.boundingBox()
    const touch = await phone.context.newCDPSession(page)
    const touchPoints = [{ x: (box?.x ?? 0) + 120, y: (box?.y ?? 0) + 30 }]
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
    await bar(page).getByText('1 marcada').waitFor()
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await row(page, 'Lanchonete do Neco').tap()
    await bar(page).getByText('2 marcadas').waitFor()
    await bar(page).getByRole('button', { name: 'Aceitar', exact: true }).tap()
    await page.getByText('2 conversas aceitas').waitFor()
    expect(phone.complaints).toEqual([])
    await phone.close()
  })
})

describe('spec 1 §4: delete', () => {
  test('is refused with a warning when a protocol is linked to the ticket, and asks no further', async () => {
    const { page } = marina
    await resetTo(page, /Fechad/)
    const all = page.getByRole('switch', { name: 'Ver todos' })
    await all.click()
    await row(page, 'Confeitaria Rosa').click()
    await page.getByRole('button', { name: 'Mais ações' }).click()
    await page.getByRole('menuitem', { name: /Apagar conversa/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Apagar conversa' }).click()
    const words = 'Não é possível deletar esse ticket pois existe um protocolo vinculado a ele'
    const notice = page.getByRole('alert').filter({ hasText: words })
    await notice.waitFor()
    expect(await notice.locator('.b-toast-icon').getAttribute('class')).toContain('is-warning')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await findAccessibilityIssues(page)).toEqual([])
    await row(page, 'Confeitaria Rosa').waitFor()
    await all.click()
  })
})

describe('spec 1 §4: resolve with protocol', () => {
  test('asked, it is generated and sent before the ticket closes; the conversation shows it', async () => {
    const { page } = marina
    await resetTo(page, /Abertos/)
    await row(page, 'João Almeida').click()
    await page.getByPlaceholder('Escreva uma mensagem').waitFor()
    await page
      .getByRole('button', { name: /Resolver/ })
      .first()
      .click()
    await page.getByRole('dialog', { name: 'Gerar um protocolo?' }).waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await page.getByRole('button', { name: 'Gerar e resolver' }).click()
    await page.getByText('Protocolo gerado com sucesso!').waitFor()
    await page.getByText('Ticket finalizado!').waitFor()
    const messages = page.getByRole('region', { name: 'Mensagens' })
    await messages.getByText(/gerou o protocolo \d{14}/).waitFor()
    await messages.getByText(/O protocolo deste atendimento é/).waitFor()
    const [row1] = await sql<{ n: number }[]>`select count(*)::int as n from protocol`
    expect(row1?.n).toBe(2)
  })
})

test('nothing complained on the way', () => {
  // A refusal the person is told of is written to the console by the browser itself.
  const others = [marina, bruna, rafael].flatMap(desk => desk.complaints).filter(text => !/ 40[39] \(/.test(text))
  expect(others).toEqual([])
})
