// One send and one scheduled send in two tabs, and without internet (decisions §15): who comes second is told how it stands, and nothing
// that was typed is lost or sent twice.
import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openTestSystem } from '../src/open-test-system.ts'
import { chooseSeveral, isFocused, signInAdministrator, waitUntil } from '../src/steps.ts'

const { world, desk, page, sql } = await openTestSystem({
  world: { settings: { allowAgendador: true } },
  as: 'gerente',
})
const call = await signInAdministrator(world)
const people = await sql<
  { id: number }[]
>`select id from contact where not is_group and number <> '' order by id limit 3`
await call('POST', '/tag', { name: 'Parede', color: '#1f8fb5', contacts: people.map(({ id }) => id) })
const other = await desk.context.newPage()

describe('a mass send in two tabs', () => {
  test('is paused at once; who comes second is told how it stands; it can be taken back', async () => {
    await writeSend('Chegou a farinha')
    await page.getByRole('button', { name: /^Enviar para/ }).click()
    await locatePanel(page).waitFor()
    await other.goto(page.url())
    const slow = Promise.withResolvers<void>()
    await other.route('**/envioMassa/*/pause', async route => {
      await slow.promise
      await route.continue()
    })
    for (const tab of [other, page]) await locatePanel(tab).getByRole('button', { name: 'Pausar' }).click()
    await locatePanel(other)
      .getByText(/^Pausado por/)
      .waitFor()
    slow.resolve()
    await other.getByText(/^Este envio mudou enquanto você olhava. Agora: Pausado por/).waitFor()
    await other.getByRole('dialog').waitFor({ state: 'detached' })
    await waitUntil('the other verb has the focus', () =>
      isFocused(locatePanel(page).getByRole('button', { name: 'Retomar' })),
    )
    await page.getByRole('button', { name: 'Desfazer' }).click()
    await locatePanel(page).getByRole('button', { name: 'Pausar' }).waitFor()
  })

  test('is ended once, and the question says clearly which button does nothing', async () => {
    for (const tab of [page, other]) await locatePanel(tab).getByRole('button', { name: 'Cancelar o resto' }).click()
    const choices = page.getByRole('dialog').locator('.b-dialog-foot').getByRole('button')
    await choices.nth(1).waitFor()
    expect(await choices.allTextContents()).toEqual(['Deixar como está', 'Cancelar envio'])
    await Promise.all(
      [page, other].map(tab => tab.getByRole('dialog').getByRole('button', { name: 'Cancelar envio' }).click()),
    )
    for (const tab of [page, other]) {
      await tab.getByRole('dialog').waitFor({ state: 'detached' })
      await locatePanel(tab)
        .getByText(/^Cancelado por/)
        .waitFor()
      await waitUntil('nobody has to begin at the top of the page', () =>
        tab.evaluate(() => document.activeElement !== document.body),
      )
    }
    const [{ count } = { count: 0 }] = await sql<{ count: number }[]>`
      select count(*)::int as count from log_entry where action = 'send.cancel'`
    expect(count).toBe(1)
    await locatePanel(page).getByText('não receberam', { exact: true }).waitFor()
    await locatePanel(page)
      .getByRole('tab', { name: /^Não receberam/ })
      .waitFor()
    const missing = locatePanel(page).getByText(/^(Faltam|faltam|Na vez)/)
    await waitUntil('nobody is said to be missing', async () => (await missing.count()) === 0)
  })
})

describe('without internet', () => {
  test('a send says so and stays as it is written; who is reached is asked again when the line is back', async () => {
    await writeSend('Chegou o fubá')
    await desk.context.setOffline(true)
    await page.getByRole('button', { name: /^Enviar para/ }).click()
    await page.locator('footer').getByText('O servidor não respondeu. Confira a internet e tente de novo.').waitFor()
    await page.getByText('O que você escreveu fica aqui: salve quando voltar.').waitFor()
    await page.getByLabel(/^Mensagem/).fill('Chegou o fubá fino')
    await page.getByRole('button', { name: 'Tentar de novo' }).waitFor()
    await desk.context.setOffline(false)
    await page.getByRole('button', { name: `Enviar para ${people.length} pessoas` }).waitFor()
  })

  test('a send whose answer got lost goes out once', async () => {
    const isSaving = (url: URL) => url.pathname === '/envioMassa'
    await page.route(isSaving, async route => {
      await route.fetch()
      await route.abort('connectionreset')
    })
    await page.getByRole('button', { name: /^Enviar para/ }).click()
    await page.locator('footer').getByText('O servidor não respondeu. Confira a internet e tente de novo.').waitFor()
    await page.unroute(isSaving)
    await page.getByLabel(/^Mensagem/).fill('Chegou o fubá grosso')
    await page.getByRole('button', { name: `Enviar para ${people.length} pessoas` }).click()
    // What was changed meanwhile came too late, and is not taken for sent.
    await page.getByText('Este envio já começou, com o que estava escrito antes.').waitFor()
    await page.getByLabel(/^Mensagem/).fill('Chegou o fubá fino')
    await page.getByRole('button', { name: `Enviar para ${people.length} pessoas` }).click()
    await locatePanel(page).waitFor()
    const sends = await sql`select 1 from send where state <> 'cancelled'`
    expect(sends).toHaveLength(1)
    await locatePanel(page).getByText('Chegou o fubá fino').waitFor()
  })
})

describe('a send that is being written', () => {
  test('is there still for who looks at another page meanwhile, until it is thrown away', async () => {
    await writeSend('Chegou a canjica')
    await page.getByRole('link', { name: 'Contatos' }).click()
    await page.getByRole('heading', { name: 'Contatos' }).waitFor()
    await page.goBack()
    const message = page.getByLabel(/^Mensagem/)
    await message.waitFor()
    expect(await message.inputValue()).toBe('Chegou a canjica')
    await page.setViewportSize({ width: 390, height: 844 })
    expect((await page.getByRole('heading', { name: 'Novo envio' }).boundingBox())?.width).toBeGreaterThan(80)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('button', { name: `Enviar para ${people.length} pessoas` }).waitFor()
    await page.getByRole('button', { name: 'Cancelar' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Descartar' }).click()
    await page.getByRole('button', { name: 'Novo envio' }).first().click()
    await message.waitFor()
    expect(await message.inputValue()).toBe('')
  })
})

describe('a scheduled send in two tabs', () => {
  test('who saves second is led to what the other wrote, and loses nothing', async () => {
    await page.goto(`${world.url}/agendamentos`)
    await page.getByRole('button', { name: 'Novo agendamento' }).first().click()
    await page.getByRole('heading', { name: 'Novo agendamento?' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Mensagem' }).fill('Seu boleto vence hoje')
    await locateTitle(page).fill('Boleto')
    await page.getByRole('radio', { name: /^Todo dia/ }).check()
    await chooseSeveral(page.locator('.p-multiselect'), ['Parede'])
    await page.getByRole('button', { name: 'Agendar' }).click()
    await page.getByText('Agendamento salvo com sucesso!').waitFor()
    for (const tab of [page, other]) {
      await tab.goto(`${world.url}/agendamentos`)
      await tab.getByRole('button', { name: 'Editar Boleto' }).click()
      await locateTitle(tab).waitFor()
    }
    await locateTitle(page).fill('Boleto de hoje')
    await locateTitle(other).fill('Boleto vencendo')
    await page.getByRole('button', { name: 'Salvar' }).click()
    await page.getByText('Agendamento salvo com sucesso!').waitFor()
    await other.getByRole('button', { name: 'Ver o que mudou' }).click()
    await other.getByText('Outra pessoa salvou: Boleto de hoje').waitFor()
    expect(await isFocused(locateTitle(other))).toBe(true)
    expect(await locateTitle(other).inputValue()).toBe('Boleto vencendo')
    await other.keyboard.press('Enter')
    await other.getByText('Agendamento salvo com sucesso!').waitFor()
    await page.getByRole('row', { name: /Boleto vencendo/ }).waitFor()
  })
})

/** What is typed at once is the message. */
async function writeSend(words: string): Promise<void> {
  await page.goto(`${world.url}/envios`)
  await page.getByRole('button', { name: 'Novo envio' }).first().click()
  await page.getByRole('heading', { name: 'Novo envio' }).waitFor()
  await page.keyboard.type(words)
  expect(await page.getByLabel(/^Mensagem/).inputValue()).toBe(words)
  await chooseSeveral(page.locator('.p-multiselect'), ['Parede'])
  await page.getByRole('button', { name: `Enviar para ${people.length} pessoas` }).waitFor()
}

function locatePanel(tab: Page) {
  return tab.getByRole('complementary', { name: /^Envio de/ })
}

function locateTitle(tab: Page) {
  return tab.getByRole('textbox', { name: /^Título/ })
}
