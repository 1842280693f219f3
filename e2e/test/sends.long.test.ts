// Sends to many, as a manager makes them in the browser and customers get them on their phones: watched, paused, gone on with, ended;
// and a scheduled one with its log.
import { describe, expect, test } from 'bun:test'
import type { CompanyPagePhone, CustomerPagePhone } from '@balcao/simulator/page/phones'
import { openTestSystem } from '../src/open-test-system.ts'
import { chooseSeveral, pairPhone, signInAdministrator, waitUntil } from '../src/steps.ts'

const RECEIVERS = 8
/** Fast enough for a test, slow enough to be stopped midway. */
const PACE_SECONDS = 3
const ALL_WITHIN_MS = 90_000

const { world, desk, page, sql } = await openTestSystem({
  world: {
    env: { SEND_PACE_SECONDS: String(PACE_SECONDS) },
    settings: { allowAgendador: true },
  },
  as: 'gerente',
})
const company = world.simulator.companies[0] as CompanyPagePhone
await pairPhone(world, sql, 'Loja Centro', company)
await fetch(`${world.url}/simulator/api/crowd`, { method: 'POST' })
const phones = await receivers()

describe('a mass send (spec 3 §2, decisions §15)', () => {
  test('is made to a tag: counted and judged before it goes out, beside the button; a double click sends once', async () => {
    await page.goto(`${world.url}/envios`)
    await page.getByRole('button', { name: 'Novo envio' }).first().click()
    await page.getByLabel(/^Mensagem/).fill('{{ms}}, ! Chegou a farinha.')
    // A word goes in where the caret stands.
    await page.getByLabel(/^Mensagem/).evaluate(field => (field as HTMLTextAreaElement).setSelectionRange(8, 8))
    await page.getByRole('button', { name: 'Inserir nome do contato' }).click()
    expect(await page.getByLabel(/^Mensagem/).inputValue()).toBe('{{ms}}, {{name}}! Chegou a farinha.')
    await chooseSeveral(page.locator('.p-multiselect'), ['Parede'])
    await page.getByRole('region', { name: 'Risco de bloqueio' }).getByText('Se mais de 10 %').waitFor()
    await page
      .locator('form > footer')
      .getByRole('link', { name: /^Risco / })
      .waitFor()
    await page.getByRole('button', { name: `Enviar para ${RECEIVERS} pessoas` }).dblclick()
    await page.getByRole('complementary', { name: /^Envio de/ }).waitFor()
    const [{ count } = { count: 0 }] = await sql<{ count: number }[]>`select count(*)::int as count from send`
    expect(count).toBe(1)
  })

  test('runs on the phones while its progress is seen, stands still while it is paused, and goes on', async () => {
    await waitUntil('two phones have it', () => listReached().length >= 2, ALL_WITHIN_MS)
    expect(getFirstText(listReached()[0])).toMatch(
      /^Bo[am] .+, Ana .+! Chegou a farinha\.\n\nPara não receber mais, responda SAIR\.$/,
    )
    const panel = page.getByRole('complementary')
    await panel.getByRole('button', { name: 'Pausar' }).click()
    await panel.getByText(/^Pausado por/).waitFor()
    // What was handed over before may still be on its way.
    await Bun.sleep(PACE_SECONDS * 1500)
    const paused = listReached().length
    await Bun.sleep(PACE_SECONDS * 1500)
    expect(listReached()).toHaveLength(paused)
    expect(paused).toBeLessThan(RECEIVERS - 1)
    await leaveAndBlock()
    await panel.getByRole('button', { name: 'Retomar' }).click()
    await panel.getByText(/^Terminou/).waitFor({ timeout: ALL_WITHIN_MS })
  })

  test('reached everybody once, but who answered SAIR and who blocked the number; the panel says so', async () => {
    await waitUntil('the last phone has it', () => listReached().length === RECEIVERS - 2, ALL_WITHIN_MS)
    for (const phone of listReached()) expect(listTexts(phone)).toHaveLength(1)
    const panel = page.getByRole('complementary')
    await panel.getByRole('tab', { name: /^Fora 1/ }).click()
    const [left] = phones.slice(-1)
    await panel
      .getByRole('listitem')
      .filter({ hasText: left?.name ?? '' })
      .getByText('pediu SAIR')
      .waitFor()
  })
})

describe('a scheduled send (spec 3 §2)', () => {
  test('is made for every day, begins at once, and its log says who got it and when', async () => {
    await page.goto(`${world.url}/agendamentos`)
    await page.getByRole('button', { name: 'Novo agendamento' }).first().click()
    await page.getByRole('button', { name: 'Entendi, continuar' }).click()
    const form = page.getByRole('complementary', { name: 'Novo agendamento' })
    await chooseSeveral(form.locator('.p-multiselect'), ['Uma só'])
    await form.getByLabel(/^Mensagem/).fill('Seu pedido sai hoje')
    await form.getByLabel(/^Título/).fill('Aviso de entrega')
    await form.getByRole('radio', { name: /^Todo dia/ }).check()
    await form.getByRole('checkbox', { name: /^Enviar a primeira agora/ }).check()
    await form.getByText(/Leva cerca de 15 segundos/).waitFor()
    await form.getByRole('button', { name: 'Agendar' }).click()
    await page.getByText('Agendamento salvo com sucesso!').waitFor()
    await page.locator('button:focus', { hasText: 'Novo agendamento' }).waitFor()
    const row = page.getByRole('row').filter({ hasText: 'Aviso de entrega' })
    await row.getByText('Todo dia').waitFor()
    await waitUntil('the phone has it', () => listTexts(phones[0]).includes('Seu pedido sai hoje'), ALL_WITHIN_MS)
    await row.getByRole('button', { name: 'Ver o histórico de envio de Aviso de entrega' }).click()
    const log = page
      .getByRole('dialog')
      .getByRole('row')
      .filter({ hasText: phones[0]?.name ?? '' })
    await log.getByText('Sim').waitFor()
    expect(await log.textContent()).toMatch(/\d\d\/\d\d\/\d\d \d\d:\d\d:\d\d/)
    expect(await log.textContent()).toContain('Seu pedido sai hoje')
    await page.keyboard.press('Escape')
    await row.getByRole('button', { name: 'Ver Aviso de entrega' }).click()
    await page.getByText('alterações feitas nesta janela não são aplicadas').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Recorrência' }).click()
    await page.getByRole('menuitemradio', { name: 'Uma vez' }).click()
    await page.getByText('Nada com estes filtros').waitFor()
    // The address follows what is shown.
    await page.waitForURL(({ search }) => search !== '')
    await page.reload()
    await page.getByRole('button', { name: 'Limpar filtros' }).click()
    await page.getByRole('searchbox', { name: 'Título ou mensagem' }).fill('pedido sai')
    await row.locator('mark', { hasText: 'pedido sai' }).waitFor()
    await row.getByRole('button', { name: 'Excluir Aviso de entrega' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Excluir agendamento' }).click()
    await page.getByText('Agendamento excluido com sucesso!').waitFor()
    await row.waitFor({ state: 'detached' })
  })

  test('the page complained about nothing', () => {
    expect(desk.complaints).toEqual([])
  })
})

/** Some of the crowd, known to the desk by a tag; the first of them by another one too. */
async function receivers(): Promise<CustomerPagePhone[]> {
  const found = await fetch(`${world.url}/simulator/api/crowd.csv`)
  const people = (await found.text())
    .trim()
    .split('\r\n')
    .slice(1, RECEIVERS + 1)
  const ids: number[] = []
  for (const line of people) {
    const [name = '', number = ''] = line.split(';')
    const [row] = await sql<{ id: number }[]>`
      insert into contact (name, name_source, number) values (${name}, 'manual', ${number}) returning id`
    await sql`insert into contact_identity (kind, value, contact_id) values ('pn', ${number}, ${row?.id ?? 0})`
    ids.push(row?.id ?? 0)
  }
  const call = await signInAdministrator(world)
  await call('POST', '/tag', { name: 'Parede', color: '#1f8fb5', contacts: ids })
  await call('POST', '/tag', { name: 'Uma só', color: '#d0702f', contacts: ids.slice(0, 1) })
  return people.map(line => world.simulator.find(line.split(';')[1] ?? '') as CustomerPagePhone)
}

/** Of those who still wait: the last one wants no more, the one before blocks the number. */
async function leaveAndBlock(): Promise<void> {
  const [blocker, leaver] = phones.slice(-2)
  if (!blocker || !leaver) throw new Error('nobody is left')
  blocker.whatsapp.blocked.add(company.whatsapp)
  await leaver.whatsapp.send(company.whatsapp, { type: 'text', text: 'SAIR' })
  await waitUntil('the desk knows', async () => {
    const [row] = await sql`select 1 from contact where name = ${leaver.name} and opted_out_at is not null`
    return row !== undefined
  })
}

function listTexts(phone: CustomerPagePhone | undefined): string[] {
  const received = phone?.whatsapp.chat(company.whatsapp) ?? []
  return received.flatMap(({ fromMe, content }) => (!fromMe && content.type === 'text' ? [content.text] : []))
}

function getFirstText(phone: CustomerPagePhone | undefined): string {
  return listTexts(phone)[0] ?? ''
}

/** Who got the send; what is said to who leaves is no send. */
function listReached(): CustomerPagePhone[] {
  return phones.filter(phone => listTexts(phone).some(text => text.includes('Chegou a farinha')))
}
