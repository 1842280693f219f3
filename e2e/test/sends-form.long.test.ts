// The form of a mass send and of a scheduled one, whose connection is deleted while somebody writes.
import { describe, expect, test } from 'bun:test'
import { signIn, visit } from '../src/desk.ts'
import { openTestSystem } from '../src/open-test-system.ts'
import { signInAdministrator } from '../src/steps.ts'

const { browser, world, desk, page, sql } = await openTestSystem({
  world: { settings: { allowAgendador: true } },
  as: 'gerente',
})
const call = await signInAdministrator(world)

async function createConnection(name: string): Promise<number> {
  const made = (await call('POST', '/whatsapp', { name, api: 'baileys' })) as { id: number }
  return made.id
}

describe('a connection that is deleted while a form is open (decisions-2 §15)', () => {
  test('is said at once where a mass send was to go by it, and another one can be chosen', async () => {
    const id = await createConnection('Loja Antiga')
    await visit(page, '/envios/novo')
    await page.getByLabel(/^Mensagem/).fill('Chegou a farinha.')
    await page.getByRole('radio', { name: /^Todos os contatos/ }).check()
    const pace = page.getByRole('region', { name: 'Ritmo' })
    await pace.locator('.p-dropdown').click()
    await page.locator('.p-dropdown-item', { hasText: 'Loja Antiga' }).click()
    const foot = page.locator('form > footer')
    await foot.getByText('Loja Antiga está sem celular: sai quando voltar').waitFor()
    await call('DELETE', `/whatsapp/${id}?force=true`)
    const notice = pace.getByText('A conexão foi excluída: escolha outra')
    await notice.waitFor()
    await pace.locator('.p-dropdown').click()
    expect(await page.locator('.p-dropdown-item', { hasText: 'Loja Antiga' }).count()).toBe(0)
    await page.locator('.p-dropdown-item', { hasText: 'Loja Centro' }).click()
    await foot.getByText(/Loja Centro/).waitFor()
    await notice.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Enviar para \d+ pessoas/ }).waitFor()
    await page.getByRole('button', { name: 'Cancelar' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Descartar' }).click()
  })

  test('is said where a scheduled send was to go by it, which is saved with another one', async () => {
    const id = await createConnection('Loja Velha')
    const [made] = await sql<{ id: number }[]>`
      insert into schedule (title, message, recurrence, send_time, next_run_at, whatsapp_id, all_contacts)
      values ('Aviso do mês', 'Fechamos no sábado', 'every_day', '09:00', now() + interval '1 day', ${id}, true) returning id`
    await call('DELETE', `/whatsapp/${id}?force=true`)
    await visit(page, '/agendamentos')
    await page.getByRole('button', { name: 'Editar Aviso do mês' }).click()
    const form = page.getByRole('complementary')
    const field = form.locator('.b-field').filter({ hasText: 'Conexão' })
    await field.getByText('A conexão foi excluída: escolha outra').waitFor()
    await form.getByLabel(/^Título/).fill('Aviso de todo mês')
    await field.locator('.p-dropdown').click()
    await page.locator('.p-dropdown-item', { hasText: 'Loja Centro' }).click()
    await form.getByRole('button', { name: 'Salvar' }).click()
    await page.getByText('Agendamento salvo com sucesso!').waitFor()
    const [saved] = await sql`
      select s.title, w.name from schedule s join whatsapp w on w.id = s.whatsapp_id where s.id = ${made?.id ?? 0}`
    expect(saved).toEqual({ title: 'Aviso de todo mês', name: 'Loja Centro' })
  })
})

describe('scheduled sends where they are switched off', () => {
  test('the page says so, and leads an administrator to the switch', async () => {
    // The list of a page that stands may be read again at that very moment, and be refused.
    await visit(page, '/contacts')
    await page.getByRole('heading', { name: 'Contatos' }).first().waitFor()
    await call('PUT', '/settings/allowAgendador', { value: 'disabled' })
    await visit(page, '/agendamentos')
    await page.getByRole('heading', { name: 'Os agendamentos estão desligados' }).waitFor()
    await page.getByText('Quem administra pode ligar “Agendador” nas configurações.').waitFor()
    const admin = await signIn(browser, world, { as: 'admin' })
    await visit(admin.page, '/agendamentos')
    await admin.page.getByRole('button', { name: 'Abrir as configurações' }).click()
    await admin.page.getByText('Agendador', { exact: true }).first().waitFor()
    await admin.close()
    await call('PUT', '/settings/allowAgendador', { value: 'enabled' })
    await page.getByRole('button', { name: 'Novo agendamento' }).waitFor()
  })
})

describe('the foot of a new mass send', () => {
  test('says what is true of its connection, how risky it is, and asks where that is very high', async () => {
    await sql`update whatsapp set status = 'DISCONNECTED', number_since = now() where name = 'Loja Centro'`
    await visit(page, '/envios/novo')
    await page.getByLabel(/^Mensagem/).fill('Promoção! https://exemplo.com.br')
    await page.getByLabel('Terminar com o aviso de saída').uncheck()
    await page.getByRole('radio', { name: /^Todos os contatos/ }).check()
    const foot = page.locator('form > footer')
    await foot.getByText('Loja Centro está sem celular: sai quando voltar').waitFor()
    await foot.getByText('começa agora').waitFor({ state: 'detached' })
    const risk = foot.getByRole('link', { name: 'Risco muito alto' })
    await risk.waitFor()
    // Beside the button that sends, without scrolling, also on a small laptop.
    const send = foot.getByRole('button', { name: /^Enviar para/ })
    for (const size of [
      { width: 1440, height: 900 },
      { width: 1024, height: 768 },
    ]) {
      await page.setViewportSize(size)
      expect(await page.evaluate(() => [scrollY, document.querySelector('.b-page')?.scrollTop])).toEqual([0, 0])
      const [mark, button] = [await risk.boundingBox(), await send.boundingBox()]
      if (!mark || !button) throw new Error('The risk or the button is not drawn')
      for (const box of [mark, button])
        expect([box.y >= 0, box.y + box.height <= size.height, box.x + box.width <= size.width]).toEqual([
          true,
          true,
          true,
        ])
      expect(Math.abs(mark.y + mark.height / 2 - (button.y + button.height / 2))).toBeLessThan(button.height)
      expect(mark.x).toBeLessThan(button.x)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    await risk.click()
    await page.getByRole('button', { name: /^Enviar para/ }).click()
    const question = page.getByRole('dialog', { name: /^O risco de bloqueio é muito alto/ })
    await question.getByText('Vai para todos os contatos.').waitFor()
    await question.getByRole('button', { name: 'Voltar ao envio' }).click()
    expect((await sql`select 1 from send`).length).toBe(0)
    await page.getByRole('button', { name: 'Cancelar' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Descartar' }).click()
  })
})

describe('a form that is left by the menu or by Back (decision 0160)', () => {
  const panel = page.getByRole('complementary')

  test('has what was written when it is opened again, a new scheduled send and one that is changed, and nothing for the next', async () => {
    await visit(page, '/agendamentos')
    await openNew()
    await panel.getByLabel(/^Mensagem/).fill('Abrimos no feriado')
    await page.getByRole('link', { name: 'Contatos', exact: true }).click()
    await page.getByRole('heading', { name: 'Contatos' }).first().waitFor()
    await page.goBack()
    await openNew()
    expect(await panel.getByLabel(/^Mensagem/).inputValue()).toBe('Abrimos no feriado')
    await panel.getByText('1 mudança por salvar').waitFor()
    await panel.getByRole('button', { name: 'Cancelar' }).click()
    await panel.getByRole('button', { name: 'Descartar' }).click()
    await page.getByRole('button', { name: 'Editar Aviso de todo mês' }).click()
    await panel.getByLabel(/^Título/).fill('Aviso de sempre')
    await page.getByRole('link', { name: 'Contatos', exact: true }).click()
    await page.goBack()
    await page.getByRole('button', { name: 'Editar Aviso de todo mês' }).click()
    expect(await panel.getByLabel(/^Título/).inputValue()).toBe('Aviso de sempre')
  })

  test('names what a colleague changed meanwhile, also what is no text', async () => {
    const [row] = await sql<{ id: number; version: number }[]>`
      update schedule set only_working_hours = not only_working_hours, title = 'Aviso deles', version = version + 1
      where title = 'Aviso de todo mês' returning id, version`
    expect(row).toBeDefined()
    await panel.getByRole('button', { name: 'Salvar' }).click()
    await panel.getByText(/^Outra pessoa salvou isto/).waitFor()
    await panel.getByRole('button', { name: 'Ver o que mudou' }).click()
    await panel.getByText(/Outra pessoa mudou, e já está aqui: Só no expediente, sem o almoço\./).waitFor()
    await panel.getByText(/Os dois mudaram: Título \(opcional\)\./).waitFor()
    await panel.getByRole('button', { name: 'Cancelar' }).click()
    await panel.getByRole('button', { name: 'Descartar' }).click()
  })

  async function openNew() {
    await page.getByRole('button', { name: 'Novo agendamento' }).first().click()
    await page.getByRole('dialog').getByRole('button').last().click()
    await panel.getByLabel(/^Mensagem/).waitFor()
  }
})

describe('a new mass send on a phone (look-2 §9)', () => {
  test('has one button in its foot, as wide as the page, and no bar below it', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await visit(page, '/envios/novo')
    const buttons = page.locator('form > footer').getByRole('button')
    await buttons.getByText(/^Enviar/).waitFor()
    expect(await buttons.filter({ visible: true }).count()).toBe(1)
    expect(await page.locator('.s-bottom').isVisible()).toBe(false)
    await page.getByLabel(/^Mensagem/).fill('Chegou a farinha.')
    await page.getByRole('button', { name: 'Enviar teste para mim' }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Voltar' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Descartar' }).click()
    await page.locator('.s-bottom').waitFor()
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  test('the page complained about nothing but that a colleague was faster', () => {
    expect(desk.complaints.filter(text => !/ 409 \(/.test(text))).toEqual([])
  })
})
