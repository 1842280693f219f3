// Several messages are marked by keyboard or mouse and passed on together, in their order.
import { expect, test } from 'bun:test'
import { findAccessibilityIssues, visit } from '../src/desk.ts'
import { openTestSystem } from '../src/open-test-system.ts'
import { locateMessages, waitUntil } from '../src/steps.ts'

const { sql, desk, page } = await openTestSystem({ as: 'admin' })
const [ticket] = await sql<{ id: number }[]>`
  select t.id from ticket t join contact c on c.id = t.contact_id where c.name like 'Dona Lúcia%' and t.status = 'open'`
await visit(page, `/tickets/${ticket?.id}`)
const bar = page.getByRole('region', { name: 'Mensagens selecionadas' })
const rows = locateMessages(page).getByRole('listitem')

test('Space marks, Shift and an arrow go on, Enter asks to whom; they arrive in the order of the conversation', async () => {
  await rows.last().focus()
  await page.keyboard.press(' ')
  await bar.getByText('1 mensagem selecionada').waitFor()
  await page.keyboard.press('Shift+ArrowUp')
  await bar.getByText('2 mensagens selecionadas').waitFor()
  expect(await findAccessibilityIssues(page)).toEqual([])
  const words = await Promise.all([rows.nth(-2), rows.last()].map(row => row.locator('.m-text').textContent()))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Encaminhar 2 mensagens' })
  // At once, before anybody is found.
  await dialog.getByRole('searchbox').fill('João Alm')
  await page.keyboard.press('Enter')
  await dialog.getByRole('checkbox', { name: /João Almeida/, checked: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('2 mensagens encaminhadas').waitFor()
  await waitUntil('both are there', async () => {
    const sent = await sql<{ body: string }[]>`
      select m.body from message m join contact c on c.id = m.contact_id where c.name = 'João Almeida' and m.from_me
      order by m.seq desc limit 2`
    return words.every((text, at) => text?.includes(sent[1 - at]?.body ?? '-'))
  })
  await bar.waitFor({ state: 'detached' })
})

test('Escape lets go of all that is marked', async () => {
  await rows.last().focus()
  await page.keyboard.press(' ')
  await bar.waitFor()
  await page.keyboard.press('Escape')
  await bar.waitFor({ state: 'detached' })
})

test('the browser had nothing to complain about', () => {
  expect(desk.complaints).toEqual([])
})
