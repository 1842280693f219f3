// A company sets itself up in the browser from the first start, of which nobody but the owner's one-time password is known: queues, people
// by sheet, a connection whose greeting has a menu, and the first conversation, which comes to the person of the queue that the customer
// chose (spec 2 §2, §4, §5; decisions §2). Then somebody is deactivated in the middle of it (decisions §3).
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { removeWorkingHours } from '@balcao/backend/app/seed/always-open'
import type { CompanyPagePhone, CustomerPagePhone } from '@balcao/simulator/page/phones'
import type { Browser, Locator, Page } from 'playwright-core'
import postgres from 'postgres'
import { launchBrowser } from '../src/browser.ts'
import { type DeskSession, findAccessibilityIssues, openDesk } from '../src/desk.ts'
import { createKeyboardHand } from '../src/hands.ts'
import { acceptTicket, chooseSeveral, listTextsOnPhone, pairOnScreen, sendText, waitUntil } from '../src/steps.ts'
import { startTestSystem, type TestSystem } from '../src/world.ts'

let browser: Browser
let world: TestSystem
let owner: DeskSession
let page: Page
/** A person of a queue, and the one who takes over. */
let ana: DeskSession
let celia: DeskSession
let company: CompanyPagePhone
let lucia: CustomerPagePhone

beforeAll(async () => {
  ;[browser, world] = await Promise.all([launchBrowser(), startTestSystem({ empty: true })])
  company = world.simulator.find('Celular da empresa') as CompanyPagePhone
  lucia = world.simulator.find('Dona Lúcia') as CustomerPagePhone
  // The company of these tests never closes; a new one has the usual hours.
  const sql = postgres(world.databaseUrl, { max: 1, onnotice: () => {} })
  await sql`delete from setting`
  await sql.end()
  owner = await openDesk(browser)
  page = owner.page
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await world?.stop()
})

const OWN = 'Minha-Senha-1'
const SHEET = `nome;email;senha;perfil;filas;ativo;inicio;fim
Ana Prado;ana@saojose.example;;atendente;Cobrança;sim;00:00;23:59
Beto Lima;beto@saojose.example;Retirada-25;atendente;Retirada;sim;08:00;18:00
Célia Dias;celia@saojose.example;Retirada-25;atendente;Cobrança, Retirada;sim;00:00;23:59
Davi Reis;davi@saojose.example;Retirada-25;gerente;Retirada;sim;08:00;18:00
Eva Nunes;eva@saojose.example;Retirada-25;atendente;;não;08:00;18:00
Errado;sem-arroba;Retirada-25;atendente;;sim;24:00;18:00
`

test('the owner signs in with the password of the first start, chooses an own one and says who customers will read', async () => {
  const [, email = '', password = ''] = /First sign-in: (\S+) · (\S+)/.exec(world.server.output) ?? []
  await enter(page, email, password)
  await chooseOwn(page)
  const introduction = page.getByRole('dialog', { name: 'Como os clientes vão conhecer você?' })
  await introduction.waitFor()
  expect(await introduction.getByRole('button', { name: 'Escolher foto' }).isVisible()).toBe(true)
  expect(await findAccessibilityIssues(page)).toEqual([])
  // The name has the focus; Enter saves.
  await page.keyboard.type('José Moura')
  await page.keyboard.press('Enter')
  await introduction.waitFor({ state: 'detached' })
  await page.getByText('José Moura').first().waitFor()
  await page.reload()
  await page.getByText('José Moura').first().waitFor()
  expect(await introduction.count()).toBe(0)
})

test('the first steps are where an empty company begins, and each leads to its place', async () => {
  await page.getByRole('heading', { name: 'Primeiros passos' }).waitFor()
  await page.getByText('0 de 6 prontos').waitFor()
  expect(await page.locator('[aria-current=step]').textContent()).toContain('Conecte o número da loja')
  expect(await findAccessibilityIssues(page)).toEqual([])
  // What a trade begins with is thrown away again as long as nobody uses it.
  await page.getByRole('button', { name: 'Clínica' }).click()
  await page.getByText('1 de 6 prontos').waitFor()
  await page.getByRole('button', { name: 'Jogar fora o que não uso' }).click()
  await page.getByText('0 de 6 prontos').waitFor()
  await page.getByRole('button', { name: 'Clínica' }).waitFor()
})

test('hours that are right are said to be by one press beside them, by keyboard, and the way back is there', async () => {
  await page.getByRole('link', { name: 'Conferir o horário' }).click()
  const way = page.getByRole('status').filter({ hasText: 'Primeiros passos: Confira o horário.' })
  await way.waitFor()
  expect(await page.getByLabel('Abre às').inputValue()).toBe('08:00')
  expect(await way.getByRole('link', { name: 'Voltar aos primeiros passos' }).getAttribute('href')).toBe('/first-steps')
  expect(await findAccessibilityIssues(page)).toEqual([])
  await way.getByRole('button', { name: 'O horário está certo' }).press('Enter')
  await page.getByRole('status').filter({ hasText: 'A seguir: Conecte o número da loja.' }).waitFor()
  await waitUntil('the keyboard goes on from the way on', () =>
    page.evaluate(() => document.activeElement?.getAttribute('href') === '/connections#add'),
  )
  expect(await findAccessibilityIssues(page)).toEqual([])
  await page.getByRole('link', { name: 'Voltar aos primeiros passos' }).click()
  await page.getByText('1 de 6 prontos').waitFor()
  await removeWorkingHours(world.databaseUrl)
})

test('the menu stands there with its words, the first steps at its foot, until somebody closes it', async () => {
  const menu = page.getByRole('navigation', { name: 'Menu' })
  const widen = async () => (await menu.boundingBox())?.width
  expect(await widen()).toBe(240)
  expect(await menu.locator('.s-rail-foot').getByRole('link').allTextContents()).toEqual(['Primeiros passos'])
  expect(await menu.locator('.s-rail-items').getByRole('link', { name: 'Primeiros passos' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Recolher o menu' }).click()
  for (const path of ['/tickets', '/first-steps']) {
    await page.goto(world.url + path)
    await menu.waitFor()
    expect(await widen()).toBe(64)
  }
  await page.getByText('1 de 6 prontos').waitFor()
  await page.getByRole('button', { name: 'Abrir o menu' }).click()
})

test('each step says how long it takes and leads to its place', async () => {
  const steps = page.getByRole('list', { name: 'Primeiros passos' }).getByRole('listitem')
  const rows = await steps.evaluateAll(all =>
    all.map(one => [
      /\d+ min/.exec(one.textContent ?? '')?.[0],
      ...[...one.querySelectorAll('a')].map(link => link.getAttribute('href')),
    ]),
  )
  expect(rows).toEqual([
    ['2 min', '/connections#add'],
    ['1 min', '/Queues#add'],
    ['2 min', '/users#add'],
    ['1 min', '/connections'],
    // It is done: nothing is said of how long it takes.
    [undefined, '/Settings'],
    ['1 min', '/tickets'],
  ])
})

/** The way on that the page of a step shows once that is done. */
async function findWayOn(words: string): Promise<[string | null, string | null]> {
  const way = page.getByRole('status').filter({ hasText: `A seguir: ${words}.` })
  await way.waitFor()
  const [next, back] = [way.locator('.b-button'), way.getByRole('link', { name: 'Voltar aos primeiros passos' })]
  return [await next.getAttribute('href'), await back.getAttribute('href')]
}

test('queues are made, each with a colour nobody has, and the page leads to the next step', async () => {
  await page.getByRole('link', { name: 'Criar filas' }).click()
  await page.getByText('Nenhuma fila ainda').waitFor()
  for (const name of ['Cobrança', 'Retirada']) {
    // The link has opened the first one, and does not stand in the address any more.
    if (name === 'Retirada') await page.getByRole('button', { name: 'Adicionar fila' }).first().click()
    // The name has the focus; Enter saves.
    await page.getByRole('dialog', { name: 'Adicionar fila' }).waitFor()
    expect(page.url()).toBe(`${world.url}/Queues`)
    await page.keyboard.type(name)
    await page.keyboard.press('Enter')
    await page.getByRole('row', { name: new RegExp(name) }).waitFor()
  }
  const colors = await page.getByRole('row').getByText(/^#/).allTextContents()
  expect([colors.length, new Set(colors).size]).toEqual([2, 2])
  expect(await findWayOn('Conecte o número da loja')).toEqual(['/connections#add', '/first-steps'])
  expect(await findAccessibilityIssues(page)).toEqual([])
})

test('five people come by sheet, after a look that names the wrong row', async () => {
  await page.getByRole('link', { name: 'Usuários' }).click()
  await page.getByRole('button', { name: 'Planilhas' }).click()
  await page.getByRole('menuitem', { name: 'Importar usuários' }).click()
  const dialog = page.getByRole('dialog', { name: 'Importar usuários' })
  await dialog.getByRole('button', { name: 'Importar usuários' }).click()
  await page.getByText('Insira um arquivo para importar').waitFor()
  const file = { name: 'equipe.csv', mimeType: 'text/csv', buffer: Buffer.from(SHEET) }
  await dialog.locator('input[type=file]').setInputFiles(file)
  await dialog
    .getByText(/^Linha 7/)
    .first()
    .waitFor()
  expect(await findAccessibilityIssues(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Importar 5 usuários' }).click()
  await page.getByText('Usuários importados com sucesso!').waitFor()
})

test('one of them signs in with the one-time password, which was shown once', async () => {
  const shown = page.getByRole('dialog', { name: 'Senha provisória' })
  const password = await shown
    .getByRole('listitem')
    .filter({ hasText: 'Ana Prado' })
    .locator('bdi.font-mono')
    .textContent()
  // It goes by no slip of the hand: it was neither copied nor written down.
  for (const _ of [1, 2]) await page.keyboard.press('Escape')
  await shown.getByText('A senha não foi copiada e não aparece de novo.').waitFor()
  await shown.getByRole('button', { name: 'Já anotei' }).click()
  await page
    .getByRole('row', { name: /Eva Nunes/ })
    .getByText('Inativo')
    .waitFor()

  ana = await openDesk(browser)
  await enter(ana.page, 'ana@saojose.example', password ?? '')
  await chooseOwn(ana.page)
  // Pages of administrators are none of hers (spec 2 §6).
  for (const path of ['/users', '/Queues']) {
    await ana.page.goto(world.url + path)
    await ana.page.getByText('Você não tem permissão para acessar essa página').waitFor()
    await ana.page.waitForURL('**/tickets')
  }
})

test('a connection is paired by the code on the screen, and asked next for its queues and, with two, a greeting', async () => {
  await page.getByRole('link', { name: 'Conexões' }).click()
  await page.getByText('Nenhuma conexão ainda').waitFor()
  await page.getByRole('button', { name: 'Adicionar conexão' }).first().click()
  const form = page.getByRole('dialog', { name: 'Adicionar conexão' })
  await form.waitFor()
  await page.keyboard.type('Loja Centro')
  // What most shops have is chosen; the official number stands beside it, the other ways behind a button.
  expect(await form.getByRole('radio', { name: /Celular da loja.*recomendado/ }).isChecked()).toBe(true)
  expect(await form.getByRole('radio').count()).toBe(2)
  await form.getByRole('button', { name: 'Continuar' }).click()
  await pairOnScreen(page, 'Loja Centro', company)
  const greeting = page.getByRole('dialog', { name: 'Quem atende “Loja Centro”' })
  await chooseSeveral(greeting.locator('.p-multiselect'), ['Cobrança', 'Retirada'])
  await greeting.getByRole('button', { name: 'Concluir' }).click()
  await greeting.getByText('Com mais de uma fila, escreva a saudação que apresenta as filas.').waitFor()
  // It has the focus.
  await page.keyboard.type('Olá, {{name}}! Com quem você quer falar?')
  await greeting.getByText(/^Experimente/).waitFor()
  expect(await findAccessibilityIssues(page)).toEqual([])
  await greeting.getByRole('button', { name: 'Concluir' }).click()
  await greeting.waitFor({ state: 'detached' })
  expect(await findWayOn('Mande uma mensagem para a loja')).toEqual(['/tickets', '/first-steps'])
  expect(await findAccessibilityIssues(page)).toEqual([])
})

test('the greeting lists the queues once the setting is on, and says what it does before', async () => {
  await page.getByRole('link', { name: 'Configurações' }).click()
  const keys = createKeyboardHand(page)
  await keys.write(page.getByRole('searchbox', { name: 'Buscar ajuste' }), 'menu')
  const setting = page.getByRole('switch', { name: 'Saudação lista as filas' })
  await setting.press('Space')
  await page.getByText(/^Salvo às \d\d:\d\d$/).waitFor()
  expect(await findAccessibilityIssues(page)).toEqual([])
})

test('who writes gets the menu, answers with a number, and stands in that queue before its person', async () => {
  await ana.page.getByRole('tab', { name: /Pendentes/ }).click()
  const heard = () => listTextsOnPhone(lucia, company)
  await lucia.whatsapp.send(company.whatsapp, { type: 'text', text: 'Bom dia' })
  await waitUntil('the menu is there', () =>
    heard().some(text => /Olá, Dona Lúcia.*\n1 - Cobrança\n2 - Retirada/s.test(text)),
  )
  await lucia.whatsapp.send(company.whatsapp, { type: 'text', text: '1' })
  const row = ana.page.getByRole('option', { name: /Dona Lúcia.*fila Cobrança/ })
  await row.waitFor()
  await row.click()
  await acceptTicket(ana.page, 'Cobrança')
  await sendText(ana.page, 'Já vejo o seu boleto')
  await waitUntil('she has the answer', () => heard().some(text => text.includes('Já vejo o seu boleto')))
})

test('who is deactivated in the middle of a conversation is told at once, and the substitute has it', async () => {
  celia = await openDesk(browser)
  await enter(celia.page, 'celia@saojose.example', 'Retirada-25')
  await celia.page.getByText('Ao vivo').waitFor({ state: 'attached' })
  await ana.page.getByPlaceholder('Escreva uma mensagem').fill('Só um instante, por favor')

  await page.getByRole('link', { name: 'Usuários' }).click()
  await page.getByRole('button', { name: 'Editar Ana Prado' }).click()
  const form = page.getByRole('dialog', { name: 'Ana Prado' })
  await form.getByText('atendimento em andamento', { exact: false }).first().waitFor()
  await form.getByText('Só dá para adicionar uma substituição com o usuário inativo.').waitFor()
  await form.getByRole('switch', { name: /Ativo/ }).click()
  await form.getByRole('button', { name: 'Adicionar substituição' }).click()
  const row = form.getByRole('list', { name: 'Quem substitui' }).getByRole('listitem')
  await choose(row, 0, 'Cobrança')
  await choose(row, 1, 'Beto')
  await form.getByText('não pertence à essa fila', { exact: false }).waitFor()
  await choose(row, 1, 'Célia')
  await form.getByRole('button', { name: 'Salvar' }).click()
  const question = page.getByRole('dialog', { name: 'Desativar Ana Prado?' })
  await question.getByText('1 de Cobrança vai para Célia Dias').waitFor()
  expect(await findAccessibilityIssues(page)).toEqual([])
  await question.getByRole('button', { name: 'Desativar' }).click()

  await ana.page.waitForURL('**/login')
  await ana.page.getByText('Seu usuário foi desativado. Acesso temporariamente bloqueado.').waitFor()
  await form.waitFor({ state: 'detached' })
  await page
    .getByRole('row', { name: /Ana Prado/ })
    .getByText('Inativo')
    .waitFor()
  await celia.page.getByRole('tab', { name: /Abertos/ }).click()
  await celia.page.getByRole('option', { name: /Dona Lúcia/ }).waitFor()
})

test('the first steps have ticked themselves off', async () => {
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Primeiros passos' }).click()
  await page.getByText('Tudo pronto: a loja está atendendo.').waitFor()
  expect(await page.getByText('Feito').count()).toBe(6)
})

test('nothing complained', () => {
  expect([owner, celia].flatMap(({ complaints }) => complaints)).toEqual([])
})

/** One of the lists of a row. */
async function choose(row: Locator, at: number, option: string): Promise<void> {
  await row.locator('.p-dropdown').nth(at).click()
  const wanted = row.page().locator('.p-dropdown-item', { hasText: option })
  await wanted.click()
  await wanted.waitFor({ state: 'detached' })
}

async function enter(at: Page, email: string, password: string): Promise<void> {
  await at.goto(`${world.url}/login`)
  await at.getByLabel('E-mail').fill(email)
  await at.getByLabel('Senha', { exact: true }).fill(password)
  await at.keyboard.press('Enter')
}

/** Instead of the one-time password. */
async function chooseOwn(at: Page): Promise<void> {
  await at.getByRole('heading', { name: /escolha sua senha/ }).waitFor()
  // What was typed a moment ago is not asked for again.
  expect(await at.locator('input[name=currentPassword]').count()).toBe(0)
  // Each rule turns as it is kept.
  const met = at.getByRole('list', { name: 'A senha precisa de' }).getByRole('img', { name: 'Cumprida:' })
  expect(await met.count()).toBe(0)
  await at.locator('input[name=password]').fill(OWN.slice(0, 3))
  await waitUntil('capital and small letters are kept', async () => (await met.count()) === 2)
  for (const name of ['password', 'confirmation']) await at.locator(`input[name=${name}]`).fill(OWN)
  await waitUntil('every rule is kept', async () => (await met.count()) === 5)
  await at.keyboard.press('Enter')
  await at.getByText('Ao vivo').waitFor({ state: 'attached' })
}
