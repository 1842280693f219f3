// Settings take effect at once for everybody affected: pages that stay open, no reload (decisions §5).
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import postgres from 'postgres'
import { launchBrowser } from '../src/browser.ts'
import { type DeskSession, signIn, visit } from '../src/desk.ts'
import { signInAdministrator, waitUntil } from '../src/steps.ts'
import { startTestSystem, type TestSystem } from '../src/world.ts'

let browser: Browser
let world: TestSystem
let admin: DeskSession
let manager: DeskSession
let agent: DeskSession
let lucia = 0
let api: Awaited<ReturnType<typeof signInAdministrator>>
const enabled = new Set<string>()

beforeAll(async () => {
  ;[browser, world] = await Promise.all([launchBrowser(), startTestSystem({ here: true })])
  const sql = postgres(world.databaseUrl, { max: 1, onnotice: () => {} })
  // Dona Lúcia's old conversation was another colleague's, in another queue, on another number.
  const [old] = await sql<{ id: number }[]>`
    update ticket set queue_id = (select id from queue where name = 'Comercial'),
      whatsapp_id = (select id from whatsapp where name = 'Oficial São José')
    where status = 'closed' and contact_id = (select id from contact where name = 'Dona Lúcia Ferreira') returning id`
  await sql`update message set whatsapp_id = (select id from whatsapp where name = 'Oficial São José') where ticket_id = ${old?.id ?? 0}`
  const live = await sql<{ id: number; name: string }[]>`
    select t.id, c.name from ticket t join contact c on c.id = t.contact_id where t.status = 'open'`
  const idOf = (name: string) => live.find(one => one.name === name)?.id ?? 0
  lucia = idOf('Dona Lúcia Ferreira')
  await sql.end()
  api = await signInAdministrator(world)
  await api('PUT', `/tickets/${idOf('Beatriz Camargo')}`, { status: 'closed', onlyClose: true })
  ;[admin, manager, agent] = await Promise.all([
    signIn(browser, world),
    signIn(browser, world, { as: 'gerente' }),
    signIn(browser, world, { as: 'user' }),
  ])
  for (const { page } of [admin, manager, agent]) page.setDefaultTimeout(20_000)
}, 120_000)

afterEach(async () => {
  for (const key of enabled) await disable(key)
})

afterAll(async () => {
  // The browser itself notes what was refused: the manager's conversation, and a picture still on its way when its message left.
  // The page has nothing to complain about.
  const complaints = [admin, manager, agent].flatMap(desk => desk?.complaints ?? [])
  expect(complaints.filter(one => !refused(one))).toEqual([])
  for (const desk of [admin, manager, agent]) await desk?.close()
  await browser?.close()
  await world?.stop()
})

describe('decisions §5: settings of the lists, on pages that stay open', () => {
  test('onlyAdminSeeEmptyQueue: a conversation without a queue leaves the list of who is no administrator, and comes back', async () => {
    const { page } = agent
    await tab(page, 'Pendentes')
    await row(page, 'Padaria Estrela').waitFor()
    await enable('onlyAdminSeeEmptyQueue')
    await row(page, 'Padaria Estrela').waitFor({ state: 'detached' })
    await disable('onlyAdminSeeEmptyQueue')
    await row(page, 'Padaria Estrela').waitFor()
  })

  test('userShowAll: the switch appears, shows colleagues’ conversations, and goes with them', async () => {
    const { page } = agent
    await tab(page, 'Abertos')
    await row(page, 'João Almeida').waitFor({ state: 'detached' })
    await enable('userShowAll')
    await showAll(page).click()
    await row(page, 'João Almeida').waitFor()
    await disable('userShowAll')
    await row(page, 'João Almeida').waitFor({ state: 'detached' })
    await showAll(page).waitFor({ state: 'detached' })
  })

  test('userClosedQueues: colleagues’ closed conversations of the own queues', async () => {
    const { page } = agent
    await enable('userShowAll')
    await tab(page, 'Fechados')
    if (!(await showAll(page).isChecked())) await showAll(page).click()
    await row(page, 'Beatriz Camargo').waitFor({ state: 'detached' })
    await enable('userClosedQueues')
    await row(page, 'Beatriz Camargo').waitFor()
    await disable('userClosedQueues')
    await row(page, 'Beatriz Camargo').waitFor({ state: 'detached' })
  })

  test('without the switch: colleagues’ closed conversations and groups come and go with their settings alone', async () => {
    const { page } = agent
    await disable('userShowAll')
    await showAll(page).waitFor({ state: 'detached' })
    await tab(page, 'Fechados')
    await row(page, 'Beatriz Camargo').waitFor({ state: 'detached' })
    await enable('userClosedQueues')
    await row(page, 'Beatriz Camargo').waitFor()
    await disable('userClosedQueues')
    await row(page, 'Beatriz Camargo').waitFor({ state: 'detached' })
    await tab(page, 'Abertos')
    await tab(page, 'Grupos')
    await row(page, 'Entregas zona norte').waitFor()
    await enable('groupPerUser')
    await row(page, 'Entregas zona norte').waitFor({ state: 'detached' })
    await disable('groupPerUser')
    await row(page, 'Entregas zona norte').waitFor()
  })

  test('groupPerUser: groups of colleagues leave the list', async () => {
    const { page } = agent
    await enable('userShowAll')
    await tab(page, 'Abertos')
    await tab(page, 'Grupos')
    if (!(await showAll(page).isChecked())) await showAll(page).click()
    await row(page, 'Entregas zona norte').waitFor()
    await enable('groupPerUser')
    await row(page, 'Entregas zona norte').waitFor({ state: 'detached' })
    await disable('groupPerUser')
    await row(page, 'Entregas zona norte').waitFor()
  })

  test('hierarchy: a manager no longer sees the conversations of administrators, not even the open one', async () => {
    const { page } = manager
    await visit(page, `/tickets/${lucia}`)
    if (!(await showAll(page).isChecked())) await showAll(page).click()
    await row(page, 'Dona Lúcia Ferreira').waitFor()
    await page.getByRole('region', { name: 'Dona Lúcia Ferreira', exact: true }).waitFor()
    await enable('hierarchy')
    await row(page, 'Dona Lúcia Ferreira').waitFor({ state: 'detached' })
    await page.getByRole('region', { name: 'Dona Lúcia Ferreira', exact: true }).waitFor({ state: 'detached' })
    await disable('hierarchy')
    await row(page, 'Dona Lúcia Ferreira').waitFor()
  })

  test('adminChatInterno: administrators get the switch for all internal chats', async () => {
    const { page } = admin
    await tab(page, 'Interno')
    await showAll(page).waitFor({ state: 'detached' })
    await enable('adminChatInterno')
    await showAll(page).waitFor()
    await disable('adminChatInterno')
    await showAll(page).waitFor({ state: 'detached' })
  })
})

describe('decisions §5: uriIframe', () => {
  test('the panel is offered as soon as there is an address, even in a menu that stands open, and goes with it', async () => {
    const { page } = admin
    await visit(page, `/tickets/${lucia}`)
    await page.getByRole('button', { name: 'Mais ações' }).click()
    await page.getByRole('menu').waitFor()
    const offered = page.getByRole('menuitem', { name: 'Painel de integração' })
    expect(await offered.count()).toBe(0)
    await api('PUT', '/settings/uriIframe', { value: 'https://crm.saojose.example/' })
    await offered.waitFor()
    await api('PUT', '/settings/uriIframe', { value: '' })
    await offered.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
  })
})

describe('decisions §5: what a conversation shows of the past', () => {
  for (const key of ['onlyTicketMsg', 'historyByConnection', 'historyByQueue', 'historyByUser'])
    test(`${key}: older conversations leave the open one at once, and come back`, async () => {
      const { page } = manager
      await visit(page, `/tickets/${lucia}`)
      const old = page.getByRole('region', { name: 'Mensagens' }).getByText('me manda o boleto de outubro')
      await old.waitFor()
      await enable(key)
      await old.waitFor({ state: 'detached' })
      await page.getByRole('region', { name: 'Mensagens' }).getByText('Pode ser até sexta').waitFor()
      await disable(key)
      // They lie above what was just read: one scrolls up to them.
      await page.getByRole('region', { name: 'Mensagens' }).hover()
      await waitUntil('the older ones are back', async () => {
        await page.mouse.wheel(0, -2000)
        return old.isVisible()
      })
    })
})

describe('decisions-2 §18: the page of settings', () => {
  test('a visibility setting is tried first, with names; switched, a colleague’s open list changes', async () => {
    const [{ page: ours }, { page: theirs }] = [admin, agent]
    await visit(theirs, '/tickets')
    await tab(theirs, 'Pendentes')
    await row(theirs, 'Padaria Estrela').waitFor()
    await visit(ours, '/Settings')
    await ours.getByRole('searchbox', { name: 'Buscar ajuste' }).fill('quem vê sem fila')
    const name = 'Conversas sem fila só para administradores'
    await ours.getByRole('switch', { name }).press('Space')
    await ours.getByText(/^Ao ligar: \d+ atendimentos? deixam? de aparecer para \d+ pessoas?$/).waitFor()
    await ours.getByRole('button', { name: 'Ver quem' }).press('Enter')
    await ours.getByText(/^Bruna Alves deixa de ver \d/).waitFor()
    // Nothing is written before.
    expect(await row(theirs, 'Padaria Estrela').isVisible()).toBe(true)
    await ours.getByRole('button', { name: 'Deixar como está' }).click()
    expect(await ours.getByRole('switch', { name }).isChecked()).toBe(false)
    await ours.getByRole('switch', { name }).press('Space')
    await ours.getByRole('button', { name: 'Ligar', exact: true }).press('Enter')
    enabled.add('onlyAdminSeeEmptyQueue')
    await row(theirs, 'Padaria Estrela').waitFor({ state: 'detached' })
    await ours.getByText(/^Salvo às \d\d:\d\d$/).waitFor()
    await ours.getByText(/mudou em .* o padrão é desligado/).waitFor()
  })

  test('shows what another administrator saves; of two texts the later one is told who saved first', async () => {
    const { page } = admin
    await visit(page, '/Settings')
    await page.getByRole('searchbox', { name: 'Buscar ajuste' }).fill('transferência')
    const field = page.getByRole('textbox', { name: 'Mensagem de transferência' })
    await api('PUT', '/settings/mensagemTransfer', { value: 'Você foi para {{queue}}.' })
    await waitUntil('the other text is shown', async () => (await field.inputValue()) === 'Você foi para {{queue}}.')
    await field.fill('Agora é com {{user}}.')
    await api('PUT', '/settings/mensagemTransfer', { value: 'Aguarde {{user}}.' })
    await page.getByRole('button', { name: 'Salvar' }).click()
    await page
      .getByText(/salvou isto às \d\d:\d\d/)
      .first()
      .waitFor()
    expect(await field.inputValue()).toBe('Agora é com {{user}}.')
    await field.fill('')
    await page.getByRole('button', { name: 'Salvar' }).click()
    await page.getByText('Mensagem alterada para a padrão').first().waitFor()
    await waitUntil('the default stands there', async () =>
      (await field.inputValue()).startsWith('Atendimento encaminhado'),
    )
  })

  test('spec 2 §5: lunch with a wrong end is not saved; spec 2 §6: who is no administrator is sent away', async () => {
    const { page } = admin
    await visit(page, '/Settings')
    await page.getByLabel('Almoço de').fill('11:00')
    await page.getByLabel('até', { exact: true }).fill('')
    await page.getByRole('button', { name: 'Salvar' }).click()
    await page.getByText('Horário de final de almoço inválido').waitFor()
    const rows = (await api('GET', '/settings')) as { key: string; value: string }[]
    expect(rows.find(({ key }) => key === 'horarioAlmoco')?.value).toBe('12:00')
    await visit(agent.page, '/Settings')
    await agent.page.getByText('Você não tem permissão para acessar essa página').first().waitFor()
    await agent.page.waitForURL(/\/tickets/)
  })
})

function refused(complaint: string): boolean {
  // Of two who save the same text one is refused.
  if (/status of 409.* \/settings$/.test(complaint)) return true
  return /status of 40[34]/.test(complaint) && (complaint.endsWith(`/${lucia}`) || / \/media\/[^/]+$/.test(complaint))
}

async function enable(key: string): Promise<void> {
  enabled.add(key)
  await api('PUT', `/settings/${key}`, { value: 'enabled' })
}

async function disable(key: string): Promise<void> {
  enabled.delete(key)
  await api('PUT', `/settings/${key}`, { value: 'disabled' })
}

function tab(page: Page, name: string): Promise<void> {
  return page
    .getByRole('tab', { name: new RegExp(name) })
    .first()
    .click()
}

function row(page: Page, name: string) {
  return page.getByRole('option', { name: new RegExp(name) }).first()
}

function showAll(page: Page) {
  return page.getByRole('switch', { name: 'Ver todos' })
}
