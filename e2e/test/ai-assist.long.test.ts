// The AI helps to write: a draft above the field that is taken, changed and sent by a person; a message in another language.
import { expect, test } from 'bun:test'
import { findAccessibilityIssues, visit } from '../src/desk.ts'
import { openTestSystem } from '../src/open-test-system.ts'
import { locateMessages, waitUntil } from '../src/steps.ts'

const { sql, desk, page, world } = await openTestSystem({
  as: 'admin',
  world: { settings: { aiAssist: true }, env: { AI_PRICES: '15/60' } },
})
const { ai } = world.simulator
const [ticket] = await sql<{ id: number }[]>`
  select t.id from ticket t join contact c on c.id = t.contact_id where c.name like 'Dona Lúcia%' and t.status = 'open'`
await visit(page, `/tickets/${ticket?.id}`)
const field = page.getByRole('textbox', { name: 'Mensagem para Dona Lúcia' })
const panel = page.getByRole('region', { name: 'Rascunho da IA' })

async function openAssist() {
  await page.getByRole('button', { name: 'Contato, modelo e mais' }).click()
  await page.getByRole('menuitem', { name: 'Ajuda da IA' }).press('Enter')
}

test('with nothing typed it suggests an answer, which Enter puts into the field; only a person sends it', async () => {
  await field.waitFor()
  await openAssist()
  await panel.getByText(/vou verificar e já respondo/).waitFor()
  const use = panel.getByRole('button', { name: 'Usar' })
  await waitUntil('the way on has the focus', () => use.evaluate(button => button === document.activeElement))
  expect(await findAccessibilityIssues(page)).toEqual([])
  const [before] = await sql`select count(*)::int as n from message`
  await page.keyboard.press('Enter')
  await panel.waitFor({ state: 'detached' })
  expect(await field.inputValue()).toContain('vou verificar e já respondo')
  const [after] = await sql`select count(*)::int as n from message`
  expect(after).toEqual(before)
  await page.keyboard.press('ControlOrMeta+z')
  await waitUntil('undo takes it back', async () => (await field.inputValue()) === '')
})

test('the palette has it too, where something may be written to the customer', async () => {
  await page.keyboard.press('Control+K')
  const palette = page.getByRole('dialog', { name: 'Buscar ou executar uma ação' })
  await palette.getByRole('option', { name: 'Ajuda da IA' }).waitFor()
  await page.keyboard.type('ajuda da ia')
  await page.keyboard.press('Enter')
  await panel.getByText(/vou verificar e já respondo/).waitFor()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await field.fill('-- para a equipe')
  await page.keyboard.press('Control+K')
  await palette.getByRole('option', { name: /^Transferir/ }).waitFor()
  expect(await palette.getByRole('option', { name: 'Ajuda da IA' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await field.fill('')
})

test('its first words stand while the rest is still written, and Escape ends it at the endpoint too', async () => {
  const { abandoned } = ai
  ai.hold('rest')
  await openAssist()
  await panel.locator('[aria-busy=true]').getByText('Olá!', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await waitUntil('the endpoint heard of it', async () => ai.abandoned > abandoned)
  ai.hold(false)
})

test('whoever writes on while it is written keeps the field, and the words: the draft stands beside them unless they choose otherwise', async () => {
  ai.hold(true)
  await openAssist()
  await panel.getByText('Escrevendo…').waitFor()
  await field.click()
  await page.keyboard.type('já vej')
  ai.hold(false)
  await panel.getByRole('button', { name: 'Inserir' }).waitFor()
  await page.keyboard.type('o isso')
  expect(await field.inputValue()).toBe('já vejo isso')
  await page.keyboard.press('Home')
  await panel.getByRole('button', { name: 'Inserir' }).press('Enter')
  await panel.waitFor({ state: 'detached' })
  expect(await field.inputValue()).toMatch(/vou verificar e já respondo\.\njá vejo isso$/)
  await page.keyboard.press('ControlOrMeta+z')
  await waitUntil('undo takes the draft alone back', async () => (await field.inputValue()) === 'já vejo isso')
  await openAssist()
  await panel.getByRole('button', { name: 'Sugerir resposta' }).press('Enter')
  await panel.getByRole('button', { name: 'Substituir o texto' }).press('Enter')
  expect(await field.inputValue()).toMatch(/vou verificar e já respondo\.$/)
  await page.keyboard.press('ControlOrMeta+z')
  await waitUntil('undo brings the words back', async () => (await field.inputValue()) === 'já vejo isso')
  await field.fill('')
})

test('whoever went to another row while it is written stays there', async () => {
  ai.hold(true)
  await openAssist()
  await panel.getByText('Escrevendo…').waitFor()
  const row = page.getByRole('option').first()
  await row.focus()
  ai.hold(false)
  await panel.getByRole('button', { name: 'Usar' }).waitFor()
  expect(await row.evaluate(element => element === document.activeElement)).toBe(true)
  await panel.getByRole('button', { name: 'De novo' }).click()
  await panel.getByRole('button', { name: 'Usar' }).waitFor()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
})

test('what is typed is corrected; Escape leaves it as it was', async () => {
  await field.fill('vai chegar amanha')
  await openAssist()
  await panel.getByRole('button', { name: 'Corrigir' }).press('Enter')
  await panel.getByText('Vai chegar amanha.').waitFor()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  expect(await field.inputValue()).toBe('vai chegar amanha')
  await openAssist()
  await panel.getByRole('button', { name: 'Mais formal' }).press('Enter')
  await panel.getByRole('button', { name: 'Usar' }).press('Enter')
  expect(await field.inputValue()).toBe('Vai chegar amanha.')
  await field.fill('')
})

test('what came in another language is read in one’s own', async () => {
  const [row] = await sql<{ body: string }[]>`
    select body from message where ticket_id = ${ticket?.id ?? 0} and not from_me and media_type = 'chat' order by seq desc limit 1`
  const text = row?.body ?? ''
  const item = locateMessages(page).getByRole('listitem').filter({ hasText: text }).last()
  await item.hover()
  await item.getByRole('button', { name: 'Ações da mensagem' }).click()
  await page.getByRole('menuitem', { name: 'Traduzir' }).click()
  const dialog = page.getByRole('dialog', { name: 'Tradução' })
  await dialog.getByRole('button', { name: 'Copiar' }).waitFor()
  expect(await dialog.textContent()).toContain(text.slice(1))
  await page.keyboard.press('Escape')
})

test('what it came to in a month is said to whoever cares for the server, in requests, tokens and money', async () => {
  const [used] = await sql<{ requests: number; tokens: number }[]>`
    select sum(requests)::int as requests, sum(tokens_in + tokens_out)::int as tokens from ai_usage`
  await visit(page, '/doctor')
  await page.getByRole('button', { name: /Para quem cuida do servidor/ }).click()
  const line = page.getByText(/^A IA foi usada/)
  await line.waitFor()
  expect(await line.textContent()).toMatch(
    new RegExp(
      `usada ${used?.requests} vezes em 30 dias: ${used?.tokens.toLocaleString('pt')} tokens, cerca de \\d+,\\d\\d na moeda da conta`,
    ),
  )
})

test('the browser had nothing to complain about', () => {
  expect(desk.complaints).toEqual([])
})
