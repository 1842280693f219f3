// Keys do what they say, and the focus is where the person is at work.
import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { signIn } from '../src/desk.ts'
import { openTestSystem } from '../src/open-test-system.ts'
import { isFocused, pressShortcut, signInAdministrator, waitUntil } from '../src/steps.ts'

const { browser, world, sql, desk } = await openTestSystem({ patienceMs: 15_000 })

test('a composer that comes while a dialog is open leaves it the focus', async () => {
  const { page } = desk
  const { id } = await waitingTicket()
  await wait(id)
  const call = await signInAdministrator(world)
  await page.goto(`${world.url}/tickets/${id}`)
  await page.getByRole('button', { name: 'Aceitar' }).first().waitFor()
  await page
    .getByRole('button', { name: /Mais ações|Mais/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: /Transferir/ }).click()
  const dialog = page.getByRole('dialog', { name: /Transferir/ })
  await dialog.waitFor()
  const words = dialog.getByRole('textbox').last()
  await words.focus()
  await page.keyboard.type('Cliente')
  // The same person accepts it in another tab.
  await call('PUT', `/tickets/${id}`, { status: 'open', userId: await ownId() })
  await page.locator('.k-composer textarea').waitFor()
  await page.keyboard.type(' pede desconto')
  expect([await words.inputValue(), await readComposer(page)]).toEqual(['Cliente pede desconto', ''])
  await page.keyboard.press('Escape')
})

test('the attendant that was typed is chosen, not another one with these letters inside', async () => {
  const { page } = desk
  const { id } = await waitingTicket()
  await sql`update ticket set status = 'open', user_id = ${await ownId()}, queue_id = 1, version = version + 1 where id = ${id}`
  await page.goto(`${world.url}/tickets/${id}`)
  await page.getByRole('button', { name: 'Transferir' }).first().click()
  const dialog = page.getByRole('dialog')
  const field = dialog.getByLabel('Pessoa ou fila')
  await waitUntil('the field has the focus', () => isFocused(field))
  await page.keyboard.type('zz')
  await page.keyboard.press('Enter')
  await dialog.getByText('Ninguém e nenhuma fila com esse nome.').waitFor()
  await field.fill('')
  await page.keyboard.type('ra')
  await page.keyboard.press('Enter')
  await dialog
    .locator('.n-chosen')
    .getByText(/^Rafael/)
    .waitFor()
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size)
    const presence = await dialog.locator('.n-chosen .g-presence').boundingBox()
    const other = await dialog.locator('.n-chosen').getByRole('button').boundingBox()
    if (!presence || !other) throw new Error('The presence or the button of another is not there')
    expect(presence.width).toBeGreaterThan(0)
    expect([size.width, presence.x + presence.width <= other.x]).toEqual([size.width, true])
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.keyboard.press('Escape')
})

test('a customer who answers a paused conversation is counted at its tab, and the row says it', async () => {
  const { page } = desk
  const { id, name } = await waitingTicket()
  await sql`update ticket set status = 'paused', pause_tag = 'Almoço', user_id = ${await ownId()}, queue_id = 1, unread_messages = 2, version = version + 1 where id = ${id}`
  await page.goto(`${world.url}/tickets`)
  const tab = page.getByRole('tab', { name: /Pausados/ })
  await tab.getByText('1 em que o cliente respondeu').waitFor({ state: 'attached' })
  await tab.click()
  await page.getByRole('option', { name: new RegExp(`${name}.*2 não lidas`) }).waitFor()
})

test("a colleague's conversation says whose it is: in its head, where one writes, and among what was found", async () => {
  const { page } = desk
  const { id, name } = await waitingTicket()
  await sql`update ticket set status = 'open', user_id = (select id from "user" where name like 'Rafael%'), queue_id = 1, version = version + 1 where id = ${id}`
  await page.goto(`${world.url}/tickets/${id}`)
  await page
    .locator('.c-header')
    .getByText(/com Rafael/)
    .waitFor()
  await page.getByPlaceholder(/na conversa de Rafael/).waitFor()
  await page.getByRole('searchbox').first().fill('farinha especial')
  await page
    .getByRole('option', { name: new RegExp(`${name}.*com Rafael`) })
    .first()
    .waitFor()
})

test('a press on a face opens its conversation and marks nothing; Escape lets go of marks from the composer too', async () => {
  const { page } = desk
  const { id, name } = await waitingTicket()
  await sql`update ticket set status = 'open', user_id = ${await ownId()}, queue_id = 1, version = version + 1 where id = ${id}`
  await page.goto(`${world.url}/tickets`)
  const row = page.getByRole('option', { name }).first()
  await row.locator('.b-avatar').first().click()
  await page.waitForURL(`**/tickets/${id}`)
  const marks = page.getByRole('region', { name: 'Conversas marcadas' })
  expect(await marks.count()).toBe(0)
  await page.getByPlaceholder('Escreva uma mensagem').waitFor()
  await row.click({ modifiers: ['Control'] })
  await marks.waitFor()
  await page.getByPlaceholder('Escreva uma mensagem').press('Escape')
  await marks.waitFor({ state: 'detached' })
})

test('Enter in the search of a conversation jumps to what was found; in the picker of a forward it ticks the first', async () => {
  const { page } = desk
  const { id } = await waitingTicket()
  await page.goto(`${world.url}/tickets/${id}`)
  await page.getByPlaceholder('Escreva uma mensagem').waitFor()
  await page.locator('.c-conversation').focus()
  await pressShortcut(page, 'f')
  const find = page.getByRole('dialog')
  await find.getByRole('searchbox').fill('farinha')
  await find.getByRole('listitem').first().waitFor()
  await page.keyboard.press('Enter')
  await find.locator('[aria-current=true]').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  const row = page
    .getByRole('region', { name: 'Mensagens' })
    .getByRole('listitem')
    .filter({ hasText: 'farinha' })
    .last()
  await row.hover()
  await row.getByRole('button', { name: 'Ações da mensagem' }).click()
  await page.getByRole('menuitem', { name: /Encaminhar/ }).click()
  const forward = page.getByRole('dialog')
  await forward.getByRole('checkbox').first().waitFor()
  const recent = await forward.getByRole('listitem').first().locator('strong').textContent()
  const [newest] = await sql<{ name: string }[]>`
    select c.name from ticket t join contact c on c.id = t.contact_id
    where t.contact_id <> (select contact_id from ticket where id = ${id}) order by t.last_message_at desc, t.id desc limit 1`
  expect(recent).toBe(newest?.name ?? '')
  await forward.getByRole('searchbox').fill('hotel')
  await forward.getByText('Hotel Mirante').waitFor()
  await waitUntil('it is the only one', async () => (await forward.getByRole('checkbox').count()) === 1)
  await page.keyboard.press('Enter')
  await waitUntil('it is ticked', () => forward.getByRole('checkbox').first().isChecked())
  await page.keyboard.press('Escape')
})

test('Escape closes the drawer that is docked beside a conversation; the key of the search writes nothing into it', async () => {
  const { page } = desk
  const { id } = await waitingTicket()
  await page.goto(`${world.url}/tickets/${id}`)
  await page.locator('.c-who').click()
  await page.locator('aside.b-drawer').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('aside.b-drawer').waitFor({ state: 'detached' })
  await page.keyboard.press('/')
  await page.keyboard.press('/')
  const search = page.getByRole('searchbox').first()
  expect([await isFocused(search), await search.inputValue()]).toEqual([true, ''])
})

test('a message is deleted by Enter, for the button that deletes it has the focus', async () => {
  const { page } = desk
  const { id } = await waitingTicket()
  await sql`update ticket set status = 'open', user_id = ${await ownId()}, queue_id = 1, version = version + 1 where id = ${id}`
  await page.goto(`${world.url}/tickets/${id}`)
  await page.getByPlaceholder('Escreva uma mensagem').fill('Esta não')
  await page.keyboard.press('Enter')
  const row = page
    .getByRole('region', { name: 'Mensagens' })
    .getByRole('listitem')
    .filter({ hasText: 'Esta não' })
    .last()
  await row.hover()
  await row.getByRole('button', { name: 'Ações da mensagem' }).click()
  await page.getByRole('menuitem', { name: 'Apagar' }).click()
  const question = page.getByRole('dialog')
  await waitUntil('the button has the focus', () =>
    isFocused(question.getByRole('button', { name: /^(Apagar|Não enviar|Cancelar envio)/ })),
  )
  await page.keyboard.press('Enter')
  await question.waitFor({ state: 'detached' })
})

test('on a touch keyboard Enter is a line break, and sending has its button', async () => {
  const { page, close } = await signIn(browser, world, { touch: true, width: 390, height: 844 })
  const { id } = await waitingTicket()
  await page.goto(`${world.url}/tickets/${id}`)
  const field = page.getByPlaceholder('Escreva uma mensagem')
  await field.tap()
  await page.keyboard.type('Bom dia!')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Já vejo.')
  expect(await field.inputValue()).toBe('Bom dia!\nJá vejo.')
  await page.getByRole('button', { name: 'Enviar', exact: true }).tap()
  await page.getByRole('region', { name: 'Mensagens' }).getByText('Já vejo.').first().waitFor()
  await page.locator('[data-action="ticket.transfer"]').tap()
  const word = page.getByRole('dialog').getByLabel('Recado para a equipe (opcional)')
  await word.tap()
  await page.keyboard.type('Pagou metade.')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Falta o frete.')
  expect(await word.inputValue()).toBe('Pagou metade.\nFalta o frete.')
  await close()
})

/** What stands in the composer; null while there is none. */
async function readComposer(page: Page): Promise<string | null> {
  const field = page.locator('.k-field')
  return (await field.count()) === 1 ? field.inputValue() : null
}

async function waitingTicket() {
  const [row] = await sql<{ id: number; name: string }[]>`
    select t.id, c.name from ticket t join contact c on c.id = t.contact_id where c.name like 'Padaria Estrela%' order by t.id desc limit 1`
  if (!row) throw new Error('nobody waits')
  return row
}

async function ownId(): Promise<number> {
  const [row] = await sql<{ id: number }[]>`select id from "user" where profile = 'admin' order by id limit 1`
  return row?.id ?? 0
}

/** The ticket waits again, in a queue, where accepting asks nothing, or in none. */
async function wait(id: number, queueId: number | null = 1) {
  await desk.page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith('balcao.draft')) localStorage.removeItem(key)
  })
  await sql`update ticket set status = 'pending', user_id = null, queue_id = ${queueId}, version = version + 1 where id = ${id}`
  await desk.page.goto(`${world.url}/tickets/${id}`)
}
