// What stands beside the conversation: the contact with its fields, files and history, who is in a group, and messages for later.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { CompanyPagePhone } from '@balcao/simulator/page/phones'
import type { Browser, Locator, Page } from 'playwright-core'
import postgres, { type Sql } from 'postgres'
import { launchBrowser } from '../src/browser.ts'
import { type DeskSession, findAccessibilityIssues, signIn } from '../src/desk.ts'
import { pairPhone, signInAdministrator, waitUntil } from '../src/steps.ts'
import { startTestSystem, type TestSystem } from '../src/world.ts'

let browser: Browser
let world: TestSystem
let sql: Sql
let marina: DeskSession
let bruna: DeskSession

beforeAll(async () => {
  ;[browser, world] = await Promise.all([launchBrowser(), startTestSystem({ here: true })])
  sql = postgres(world.databaseUrl, { max: 1, onnotice: () => {} })
  const call = await signInAdministrator(world)
  await call('PUT', '/settings/allowAgendador', { value: 'enabled' })
  marina = await signIn(browser, world, { as: 'admin' })
  bruna = await signIn(browser, world, { as: 'user' })
  for (const { page } of [marina, bruna]) page.setDefaultTimeout(30_000)
}, 120_000)

afterAll(async () => {
  await marina?.close()
  await bruna?.close()
  await browser?.close()
  await sql?.end()
  await world?.stop()
})

describe('spec 1 §2: the contact drawer', () => {
  test('shows fields, tags, files and other tickets of the contact', async () => {
    const { page } = marina
    await sql`
      insert into contact_channel (contact_id, whatsapp_id, jid, timer)
      select distinct t.contact_id, t.whatsapp_id, c.number || '@s.whatsapp.net', 604800 from ticket t join contact c on c.id = t.contact_id
      where c.name like 'Dona Lúcia%' on conflict (contact_id, whatsapp_id) do update set timer = excluded.timer`
    await open(page, 'Dona Lúcia')
    await drawer(page).getByText('Somem depois de 7 dias').waitFor()
    await drawer(page).getByText('Rua das Acácias, 81').waitFor()
    await drawer(page).getByText('lucia.f@email.example').waitFor()
    await drawer(page)
      .getByRole('button', { name: /Abrir Foto/ })
      .first()
      .waitFor()
    await drawer(page)
      .getByRole('button', { name: /Claro, Dona Lúcia/ })
      .waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
  })

  test('the header says after how long messages disappear, to the eye and to who listens, without the drawer', async () => {
    const { page } = marina
    const heading = page.locator('.c-who')
    await heading.click()
    await drawer(page).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /Mensagens temporárias: Somem depois de 7 dias/ }).waitFor()
    const mark = heading.locator('svg.lucide-timer')
    const box = await mark.boundingBox()
    expect([box?.width, box?.height]).toEqual([15, 15])
    await mark.hover()
    await page.getByRole('tooltip', { name: 'Mensagens temporárias: Somem depois de 7 dias' }).waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await mark.isVisible()).toBe(true)
    await page.setViewportSize({ width: 1440, height: 900 })
    await sql`update contact_channel set timer = 0`
    await page.reload()
    await page.getByPlaceholder('Escreva uma mensagem').waitFor()
    await heading.click()
    await drawer(page).getByRole('heading', { name: 'Atendimento', exact: true }).waitFor()
    await mark.waitFor({ state: 'detached' })
  })

  test('is edited in a dialog that says what is wrong; everybody sees the change without reload', async () => {
    const { page } = marina
    await drawer(page).getByRole('button', { name: 'Editar contato' }).click()
    const dialog = page.getByRole('dialog', { name: 'Editar contato' })
    await dialog.getByLabel('E-mail').fill('lucia@')
    await page.keyboard.press('Enter')
    await dialog.getByText('E-mail inválido').waitFor()
    await dialog.getByLabel('E-mail').fill('lucia@novo.example')
    await dialog.getByLabel('Número *').fill('+55 31 98450-7712')
    await page.keyboard.press('Enter')
    await dialog.getByText('Já existe um contato com este número.').waitFor()
    await dialog.getByLabel('Número *').fill('+55 31 99876-2210')
    await dialog.getByLabel('Nome *').fill('Lúcia Ferreira')
    await page.keyboard.press('Enter')
    await drawer(page).getByText('lucia@novo.example').waitFor()
    await page.getByRole('option', { name: /^Lúcia Ferreira/ }).waitFor()
  })

  test('a tag is made and given by keyboard, and taken off again', async () => {
    const { page } = marina
    await drawer(page).getByRole('button', { name: 'Adicionar tag' }).press('Enter')
    const search = page.getByRole('searchbox', { name: 'Procurar ou criar tag' })
    await search.fill('Paga em dia')
    await search.press('Enter')
    await drawer(page).getByRole('button', { name: 'Tirar a tag Paga em dia' }).waitFor()
    await page.keyboard.press('Escape')
    await search.waitFor({ state: 'detached' })
    await drawer(page).getByRole('button', { name: 'Tirar a tag Paga em dia' }).press('Enter')
    await drawer(page).getByRole('button', { name: 'Tirar a tag Paga em dia' }).waitFor({ state: 'detached' })
  })

  test('the gallery has pictures, documents and links; a picture opens whole', async () => {
    const { page } = marina
    await drawer(page).getByRole('button', { name: 'Ver tudo' }).click()
    await page.getByRole('tabpanel', { name: 'Mídia' }).getByRole('button').first().click()
    const viewer = page.getByRole('dialog').filter({ has: page.getByRole('button', { name: /Fechar/ }) })
    await viewer.getByRole('img').first().waitFor()
    await page.keyboard.press('Escape')
    await viewer.waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'Mídia' }).press('ArrowRight')
    const documents = page.getByRole('tabpanel', { name: 'Documentos' })
    await documents.getByRole('link', { name: 'Baixar contrato-lucia-ferreira.pdf' }).waitFor()
    await page.getByRole('tab', { name: 'Documentos' }).press('ArrowRight')
    await page.getByRole('tab', { name: 'Áudios' }).press('ArrowRight')
    await page
      .getByRole('tabpanel', { name: 'Links' })
      .getByRole('link', { name: /saojose\.example\/condicoes/ })
      .waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await page.getByRole('button', { name: 'Voltar aos dados' }).click()
  })

  test('an earlier ticket opens from the history', async () => {
    const { page } = marina
    const before = page.url()
    await drawer(page)
      .getByRole('button', { name: /Claro, Dona Lúcia/ })
      .click()
    await page.waitForURL(url => url.href !== before)
    await page.goto(before)
    await page.getByPlaceholder('Escreva uma mensagem').waitFor()
  })

  test('on a phone it is the whole screen', async () => {
    const phone = await signIn(browser, world, { as: 'admin', width: 390, height: 844, touch: true })
    try {
      const { page } = phone
      page.setDefaultTimeout(30_000)
      await open(page, 'Lúcia Ferreira')
      await page.getByRole('dialog').getByText('Rua das Acácias, 81').waitFor()
      const whole = page.locator('.b-drawer')
      await whole.evaluate(it => Promise.all(it.getAnimations().map(sliding => sliding.finished)))
      const box = await whole.boundingBox()
      expect([box?.x, box?.width]).toEqual([0, 390])
      expect(await findAccessibilityIssues(page)).toEqual([])
    } finally {
      await phone.close()
    }
  })
})

describe('spec 1 §5: schedule dialog', () => {
  test('says what is missing and when it will run, and leaves a line in the conversation, by keyboard', async () => {
    const { page } = marina
    await open(page, 'Lúcia Ferreira')
    await drawer(page).getByRole('button', { name: 'Agendar mensagem' }).press('Enter')
    const dialog = page.getByRole('complementary', { name: 'Agendar mensagem' })
    await dialog.getByText(/^(.+-feira|sábado|domingo), \d+ de .+, \d\d:\d\d$/).waitFor()
    await dialog.getByText('Leva cerca de 15 segundos.').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await page.keyboard.type('Oi')
    await dialog.getByRole('button', { name: 'Agendar', exact: true }).press('Enter')
    await dialog.getByText('Mensagem muito curta').waitFor()
    await dialog.getByLabel('Mensagem *').fill('Seu boleto vence amanhã')
    await dialog.getByText('Mensagem muito curta').waitFor({ state: 'detached' })
    await dialog.getByLabel('Quando *').fill('01/01/2020 9h')
    await dialog.getByText(/^Não ficou claro/).waitFor()
    await dialog.getByRole('button', { name: 'Agendar', exact: true }).press('Enter')
    await dialog.getByText('Informe o horário de envio').waitFor()
    await dialog.getByLabel('Quando *').fill('20 de maio de 2030 às 9h30')
    await dialog.getByText('segunda-feira, 20 de maio de 2030, 09:30').waitFor()
    await dialog.getByRole('button', { name: 'Agendar', exact: true }).press('Enter')
    await page.getByText('Agendamento salvo com sucesso!').waitFor()
    await messages(page).getByText('Marina Souza agendou uma mensagem para 20/05/2030 09:30').waitFor()
    await drawer(page).getByText('Sai em 20/05/2030 09:30').waitFor()
  })

  test('it is opened again, given a file, freed of it, and deleted, with the mouse', async () => {
    const { page } = marina
    await drawer(page).getByText('Sai em 20/05/2030 09:30').click()
    const dialog = page.getByRole('complementary', { name: 'Mensagem agendada' })
    const file = { name: 'boleto.txt', mimeType: 'text/plain', buffer: Buffer.from('linha digitável') }
    await dialog.locator('input[type=file]').setInputFiles(file)
    await dialog.getByText('boleto.txt').waitFor()
    await dialog.getByRole('button', { name: 'Salvar' }).click()
    await dialog.waitFor({ state: 'detached' })
    await drawer(page).getByText('Sai em 20/05/2030 09:30').click()
    await dialog.getByRole('button', { name: 'Tirar o arquivo boleto.txt' }).click()
    await page.getByText('Arquivo removido').waitFor()
    await dialog.getByRole('button', { name: 'Excluir' }).click()
    const question = page.getByRole('dialog', { name: 'Excluir este agendamento?' })
    await question.getByRole('button', { name: 'Excluir' }).click()
    await page.getByText('Agendamento excluido com sucesso!').waitFor()
    await messages(page)
      .getByText(/cancelou a mensagem agendada/)
      .waitFor()
  })

  test('what a send did stands between the messages', async () => {
    await sql`
      with s as (insert into schedule (title, message, recurrence, send_time) values ('Lembrete', 'Oi, Lúcia', 'every_day', '09:00') returning id),
        r as (insert into send (schedule_id, due_at, state, body, recipients) select s.id, now(), 'done', 'Oi, Lúcia', '{}' from s returning id)
      insert into send_recipient (send_id, contact_id, state) select r.id, c.id, 'handed' from r, contact c where c.name = 'Lúcia Ferreira'`
    const { page } = marina
    await page.reload()
    await messages(page).getByText('Enviada pelo agendamento “Lembrete”').waitFor()
  })

  test('a user schedules in own tickets only', async () => {
    const { page } = bruna
    await page.getByRole('tab', { name: /Pendentes/ }).click()
    await page.getByRole('option', { name: /Tânia/ }).click()
    await page.getByRole('button', { name: 'Mais ações' }).click()
    await page.getByRole('menuitem', { name: 'Dados do contato' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Agendar mensagem' }).count()).toBe(0)
    await page.keyboard.press('Escape')
  })
})

describe('spec 1 §2: the participants drawer', () => {
  test('says when the connection is down, and afterwards who is in the group', async () => {
    const { page } = marina
    await page.getByRole('tab', { name: /Grupos/ }).click()
    await page.getByRole('option', { name: /Entregas zona norte/ }).click()
    await page.getByRole('button', { name: 'Mais ações' }).click()
    await page.getByRole('menuitem', { name: 'Participantes' }).click()
    await page.getByText('A conexão está fora').waitFor()
    const phone = world.simulator.find('+55 31 99711-4400')
    if (!(phone instanceof CompanyPagePhone)) throw new Error('the company has no phone')
    await pairPhone(world, sql, 'Loja Centro', phone)
    await page.getByRole('button', { name: 'Tentar de novo' }).click()
    const people = page.getByRole('list', { name: 'Participantes' })
    await people.getByText('Padaria Estrela').waitFor()
    await people.getByText('Admin').first().waitFor()
    await page.getByText(/Rotas, paradas e atrasos/).waitFor()
    await page.getByRole('searchbox', { name: 'Procurar participante' }).fill('padaria')
    await waitUntil(
      'only who was looked for stands there',
      async () => (await people.getByRole('listitem').count()) === 1,
    )
    expect(await findAccessibilityIssues(page)).toEqual([])
  })

  test('who is in it is named in a message by the keys alone: here by name, to the group by address', async () => {
    const { page } = marina
    const field = page.getByRole('textbox', { name: /Entregas zona norte/ })
    const offered = page.getByRole('listbox', { name: 'Mencionar alguém do grupo' })
    await field.fill('Bom dia, ')
    await field.pressSequentially('@pad')
    await offered.getByRole('option', { name: /Padaria Estrela/ }).waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await page.keyboard.press('Enter')
    await offered.waitFor({ state: 'detached' })
    expect(await field.inputValue()).toBe('Bom dia, @Padaria Estrela ')
    await field.pressSequentially('já saiu?')
    await page.keyboard.press('Enter')
    await page
      .getByText(/Bom dia, @Padaria Estrela já saiu/)
      .first()
      .waitFor()
    const find = () => sql<{ payload: { text: string; mentions?: string[] } }[]>`
      select o.payload from outbox o join message m on m.id = o.message_id
      where m.body like '%Bom dia, @Padaria Estrela já saiu?'`
    await waitUntil('it is on its way', async () => (await find()).length === 1)
    const [sent] = await find()
    const [address] = sent?.payload.mentions ?? []
    expect(address).toBeString()
    expect(sent?.payload.text).toContain(`Bom dia, @${address?.split('@')[0]} já saiu?`)
  })

  test('a participant with a conversation is one click away', async () => {
    const { page } = marina
    await page.getByRole('button', { name: 'Conversar com Padaria Estrela' }).press('Enter')
    await page.getByRole('heading', { name: 'Padaria Estrela', level: 2 }).waitFor()
  })
})

describe('spec 1 §2: the integration panel', () => {
  test('opens at once when the setting is made, and stays where it was left', async () => {
    const program = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => new Response('<h1>CRM</h1>', { headers: { 'content-type': 'text/html' } }),
    })
    const call = await signInAdministrator(world)
    const { page } = marina
    await call('PUT', '/settings/uriIframe', { value: program.url.href })
    await open(page, 'Lúcia Ferreira')
    await page.keyboard.press('Control+K')
    await page.keyboard.type('Painel de integração')
    await page.getByRole('option', { name: /Painel de integração/, selected: true }).waitFor()
    expect(await page.getByRole('dialog').getByRole('combobox').inputValue()).toBe('Painel de integração')
    await page.keyboard.press('Enter')
    const inside = page.frameLocator('iframe.n-frame').frameLocator('iframe')
    await inside.getByRole('heading', { name: 'CRM' }).waitFor()
    await page.reload()
    await inside.getByRole('heading', { name: 'CRM' }).waitFor()
    await page.getByRole('complementary', { name: 'Integração' }).getByRole('button', { name: 'Fechar' }).click()
    await page.reload()
    await page.getByPlaceholder('Escreva uma mensagem').waitFor()
    expect(await page.locator('iframe.n-frame').count()).toBe(0)
    await call('PUT', '/settings/uriIframe', { value: '' })
    await program.stop(true)
  })
})

test('nothing complained on the way', () => {
  // What is refused on purpose the browser notes: a number that is taken, a connection that is down.
  const expected = /status of 409/
  expect([...marina.complaints, ...bruna.complaints].filter(text => !expected.test(text))).toEqual([])
})

/** Opens a conversation of the list and the drawer of its contact. */
async function open(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name: /Atribuídos/ }).click()
  await page
    .getByRole('option', { name: new RegExp(name) })
    .first()
    .click()
  await page.getByPlaceholder('Escreva uma mensagem').waitFor()
  if ((await page.locator('.c-who').getAttribute('aria-expanded')) !== 'true') await page.locator('.c-who').click()
  await page.getByRole('heading', { name: 'Dados do contato' }).waitFor()
}

function drawer(page: Page): Locator {
  return page.getByRole('complementary', { name: 'Dados do contato' })
}

function messages(page: Page): Locator {
  return page.getByRole('region', { name: 'Mensagens' })
}
