// The form of a mass send and of a scheduled one, whose connection is deleted while somebody writes.
import { describe, expect, test } from 'bun:test'
import { opened } from '../src/opened.ts'
import { administrator } from '../src/steps.ts'

const { world, desk, page, sql } = await opened({ world: { settings: { allowAgendador: true } }, as: 'gerente' })
const call = await administrator(world)

async function aConnection(name: string): Promise<number> {
  const made = (await call('POST', '/whatsapp', { name, api: 'baileys' })) as { id: number }
  return made.id
}

describe('a connection that is deleted while a form is open (decisions-2 §15)', () => {
  test('is said at once where a mass send was to go by it, and another one can be chosen', async () => {
    const id = await aConnection('Loja Antiga')
    await page.goto(`${world.url}/envios/novo`)
    await page.getByLabel(/^Mensagem/).fill('Chegou a farinha.')
    await page.getByRole('radio', { name: /^Todos os contatos/ }).check()
    const pace = page.getByRole('region', { name: 'Ritmo' })
    await pace.locator('.p-dropdown').click()
    await page.locator('.p-dropdown-item', { hasText: 'Loja Antiga' }).click()
    await page.getByText('pela conexão Loja Antiga').waitFor()
    await call('DELETE', `/whatsapp/${id}?force=true`)
    const said = pace.getByText('A conexão foi excluída: escolha outra')
    await said.waitFor()
    await pace.locator('.p-dropdown').click()
    expect(await page.locator('.p-dropdown-item', { hasText: 'Loja Antiga' }).count()).toBe(0)
    await page.locator('.p-dropdown-item', { hasText: 'Loja Centro' }).click()
    await page.getByText('pela conexão Loja Centro').waitFor()
    expect(await said.count()).toBe(0)
    await page.getByRole('button', { name: /^Enviar para \d+ pessoas/ }).waitFor()
    await page.getByRole('button', { name: 'Cancelar' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Descartar' }).click()
  }, 60_000)

  test('is said where a scheduled send was to go by it, which is saved with another one', async () => {
    const id = await aConnection('Loja Velha')
    const [made] = await sql<{ id: number }[]>`
      insert into schedule (title, message, recurrence, send_time, next_run_at, whatsapp_id, all_contacts)
      values ('Aviso do mês', 'Fechamos no sábado', 'every_day', '09:00', now() + interval '1 day', ${id}, true) returning id`
    await call('DELETE', `/whatsapp/${id}?force=true`)
    await page.goto(`${world.url}/agendamentos`)
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
  }, 60_000)

  test('the page complained about nothing', () => {
    expect(desk.complaints).toEqual([])
  })
})
