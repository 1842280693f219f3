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
  await dialog.waitFor()
  // At once, one after the other, before anybody is found.
  await page.keyboard.type('João Alm')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Padaria Est')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.getByText('2 mensagens encaminhadas').waitFor()
  await waitUntil('both are there', async () => {
    const sent = await Promise.all(['João Almeida', 'Padaria Estrela'].map(listLastSent))
    return sent.every(bodies => words.every((text, at) => text?.includes(bodies[1 - at] ?? '-')))
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

test('the palette passes on what is marked, with nothing marked the message that the keyboard is on, else the last', async () => {
  const palette = page.getByRole('dialog', { name: 'Buscar ou executar uma ação' })
  async function forwardByPalette(title: string) {
    const request = page.waitForRequest(/\/messages\/forward/).then(sent => sent.url())
    // Where a step before it fails, that is told.
    request.catch(() => {})
    await page.keyboard.press('Control+K')
    await palette.getByRole('option', { name: 'Encaminhar', exact: true }).waitFor()
    await page.keyboard.type('encaminhar')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: title })
    await dialog.getByRole('searchbox').fill('Padaria Est')
    await dialog
      .getByRole('checkbox', { name: /Padaria Estrela/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    return Number((await request).split('/').at(-1))
  }
  const readId = async (row: ReturnType<typeof rows.last>) => Number(await row.getAttribute('data-message'))
  await rows.last().focus()
  await page.keyboard.press(' ')
  await page.keyboard.press('Shift+ArrowUp')
  await bar.getByText('2 mensagens selecionadas').waitFor()
  await forwardByPalette('Encaminhar 2 mensagens')
  await bar.waitFor({ state: 'detached' })
  await rows.nth(-2).focus()
  expect(await forwardByPalette('Encaminhar mensagem')).toBe(await readId(rows.nth(-2)))
  await page.getByRole('textbox', { name: 'Mensagem para Dona Lúcia' }).focus()
  expect(await forwardByPalette('Encaminhar mensagem')).toBe(await readId(rows.last()))
})

test('what is pressed before the bar is there is done once it stands', async () => {
  await page.reload()
  await rows.last().waitFor()
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\.js(\?|$)/, async route => {
    await promise
    await route.continue()
  })
  const marked = page.locator('.m-item-row.is-marked')
  async function pressAll() {
    await rows.last().focus()
    for (const key of [' ', 'Shift+ArrowUp', 'Shift+ArrowUp', 'ArrowUp', 'ArrowUp', ' ']) await page.keyboard.press(key)
    await rows.nth(-4).click()
  }
  await pressAll()
  expect([await bar.count(), await marked.count()]).toEqual([0, 0])
  resolve()
  await bar.waitFor()
  await page.unrouteAll({ behavior: 'wait' })
  const early = await marked.evaluateAll(list => list.map(row => row.getAttribute('data-key')))
  expect(early.length).toBeGreaterThan(2)
  await page.keyboard.press('Escape')
  await bar.waitFor({ state: 'detached' })
  await pressAll()
  expect(await marked.evaluateAll(list => list.map(row => row.getAttribute('data-key')))).toEqual(early)
  await page.keyboard.press('Escape')
  await bar.waitFor({ state: 'detached' })
})

test('refused for everybody, each reason stands once with those it concerns', async () => {
  const contacts = await sql<{ id: number; name: string }[]>`
    select c.id, c.name from contact c join ticket t on t.contact_id = c.id
    where not c.is_group and t.status = 'open' and t.id <> ${ticket?.id ?? 0} group by c.id order by c.name limit 3`
  expect(contacts).toHaveLength(3)
  const [first, second, third] = contacts
  const pausing = [first?.id ?? 0, second?.id ?? 0]
  await sql`update ticket set status = 'paused' where status = 'open' and contact_id = any(${pausing}::int[])`
  const [last] = await sql<{ id: number }[]>`
    select id::float8 as id from message where ticket_id = ${ticket?.id ?? 0} and media_type = 'chat' order by seq desc limit 1`
  await page.route('**/messages/forward/*', async route => {
    const details = { status: 'paused', user: 'Marina Souza', queue: null }
    const paused = [first, second].map(one => ({
      contactId: one?.id,
      name: one?.name,
      messageIds: [last?.id],
      error: 'ERR_OTHER_OPEN_TICKET',
      details,
    }))
    const shut = { contactId: third?.id, name: third?.name, messageIds: [last?.id], error: 'ERR_WINDOW_CLOSED' }
    await route.fulfill({
      status: 409,
      json: { error: 'ERR_OTHER_OPEN_TICKET', message: '', details: { refused: [...paused, shut] } },
    })
  })
  await rows.last().focus()
  await page.keyboard.press(' ')
  await bar.waitFor()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: /^Encaminhar/ })
  for (const { name } of contacts) {
    await dialog.getByRole('searchbox').fill(name)
    await dialog.getByRole('checkbox', { name }).first().waitFor()
    await page.keyboard.press('Enter')
    await dialog.getByRole('checkbox', { name, checked: true }).first().waitFor()
  }
  await dialog.getByRole('button', { name: /^Encaminhar a 3/ }).click()
  const reasons = dialog.getByRole('alert').getByRole('listitem')
  await waitUntil('two reasons', async () => (await reasons.count()) === 2)
  expect(await reasons.first().locator('strong').textContent()).toBe(`${first?.name}, ${second?.name}`)
  expect(await reasons.last().locator('strong').textContent()).toBe(third?.name ?? '')
  expect(await findAccessibilityIssues(page)).toEqual([])
  await page.unrouteAll({ behavior: 'wait' })
  for (let presses = 0; presses < 2; presses++) await page.keyboard.press('Escape')
})

test('the browser had nothing to complain about', () => {
  expect(desk.complaints.filter(text => !/ 409 \(/.test(text))).toEqual([])
})

async function listLastSent(name: string): Promise<readonly string[]> {
  const sent = await sql<{ body: string }[]>`
    select m.body from message m join contact c on c.id = m.contact_id where c.name = ${name} and m.from_me
    order by m.seq desc limit 2`
  return sent.map(({ body }) => body)
}
