// A colleague is asked into a conversation by keys alone: finds it in a list of its own, comments, takes it over with what is written, leaves.
import { afterAll, beforeEach, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { findAccessibilityIssues, setColorScheme, signIn } from '../src/desk.ts'
import { openTestSystem } from '../src/open-test-system.ts'
import { pressShortcut, waitUntil } from '../src/steps.ts'

const { world, browser, sql, desk: owner } = await openTestSystem({ patienceMs: 30_000 })
const colleague = await signIn(browser, world, { as: 'user' })
colleague.page.setDefaultTimeout(30_000)
afterAll(() => colleague.close())

const [law] = await sql<{ id: number }[]>`insert into queue (name, color) values ('Jurídico', '#7A4FBF') returning id`
const [bruna] = await sql<{ id: number; name: string }[]>`
  select id, name from "user" where profile = 'user' order by id limit 1`
const [ticket] = await sql<{ id: number; name: string }[]>`
  with who as (insert into contact (name, name_source) values ('Cartório Silva', 'manual') returning id),
    made as (insert into ticket (contact_id, whatsapp_id, status, queue_id, user_id, last_message, last_message_at, unread_messages)
      select who.id, (select min(id) from whatsapp), 'open', ${law?.id ?? 0}, (select min(id) from "user" where profile = 'admin'),
        'Falta um documento?', now(), 1 from who returning id)
  select made.id, 'Cartório Silva' as name from made`
const [id, name] = [ticket?.id ?? 0, bruna?.name ?? '']

beforeEach(async () => {
  await sql`delete from ticket_follower`
  await sql`update ticket set status = 'open', user_id = (select min(id) from "user" where profile = 'admin') where id = ${id}`
})

/** Asked in by who has the conversation, without a mouse. */
async function askIn() {
  await owner.page.goto(`${world.url}/tickets/${id}`)
  await locateField(owner.page).waitFor()
  await owner.page.keyboard.press('Escape')
  await pressShortcut(owner.page, 'c')
  const dialog = owner.page.getByRole('dialog', { name: 'Chamar para acompanhar' })
  await dialog.getByRole('combobox').waitFor()
  await owner.page.keyboard.type(name.slice(0, 4))
  await dialog.getByRole('option', { name }).waitFor()
  await owner.page.keyboard.press('Enter')
  await owner.page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await owner.page.getByRole('button', { name: `Acompanham: ${name}` }).waitFor()
}

test('asked in by keys, finds the conversation in a list of its own, comments, and leaves', async () => {
  await colleague.page.goto(`${world.url}/tickets`)
  await colleague.page.getByRole('tab', { name: /^Atribuídos/ }).waitFor()
  expect(await colleague.page.getByRole('tab', { name: /^Acompanhando/ }).count()).toBe(0)
  await askIn()
  const { page } = colleague
  await page.getByRole('tab', { name: /^Acompanhando/ }).click()
  await page.getByRole('option', { name: /Cartório Silva/ }).click()
  await page.getByText('Você acompanha.').waitFor()
  await page.keyboard.type('já falei com o cliente')
  for (const hidden of ['Transferir', 'Pausar', 'Resolver', 'Devolver à espera', 'Assumir'])
    expect(await page.getByRole('button', { name: hidden, exact: true }).count()).toBe(0)
  for (const [width, scheme] of [
    [1440, 'light'],
    [1024, 'dark'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    await setColorScheme(page, scheme)
    expect({ width, issues: await findAccessibilityIssues(page) }).toEqual({ width, issues: [] })
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await setColorScheme(page, 'light')
  await page.keyboard.press('Enter')
  const written = () => sql<{ body: string; mediaType: string }[]>`
    select body, media_type as "mediaType" from message where ticket_id = ${id} and user_id = ${bruna?.id ?? 0} and media_type <> 'system'`
  await waitUntil('it is a comment', async () => (await written()).length === 1)
  expect([...(await written())]).toEqual([{ body: 'já falei com o cliente', mediaType: 'comment' }])
  expect(await sql`select 1 from outbox`).toHaveLength(0)
  await page.getByRole('button', { name: 'Sair do acompanhamento' }).click()
  await waitUntil('nobody follows', async () => (await sql`select 1 from ticket_follower`).length === 0)
  await owner.page.getByRole('button', { name: `Acompanham: ${name}` }).waitFor({ state: 'detached' })
  await page.getByText('Você não acompanha nenhuma conversa').waitFor()
})

test('takes it over with what is written, which stays a comment until it is made an answer', async () => {
  await askIn()
  const { page } = colleague
  await sql`insert into user_queue (user_id, queue_id) values (${bruna?.id ?? 0}, ${law?.id ?? 0})`
  await page.goto(`${world.url}/tickets/${id}`)
  await locateField(page).waitFor()
  await page.keyboard.type('Falta a certidão')
  await page.getByRole('button', { name: 'Assumir' }).click()
  await page.getByRole('button', { name: 'Resolver' }).waitFor()
  expect(await locateField(page).inputValue()).toBe('-- Falta a certidão')
  await page.getByRole('button', { name: 'Comentário interno', exact: true }).click()
  expect(await locateField(page).inputValue()).toBe('Falta a certidão')
  await page.getByRole('tab', { name: /^Atribuídos/, selected: true }).waitFor()
  await page.getByRole('option', { name: /Cartório Silva/ }).waitFor()
  await sql`delete from user_queue where user_id = ${bruna?.id ?? 0} and queue_id = ${law?.id ?? 0}`
})

test('a comment that calls somebody who does not see the conversation asks them in', async () => {
  const { page } = owner
  await page.goto(`${world.url}/tickets/${id}`)
  await locateField(page).fill('')
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/colleagues', async route => {
    await promise
    await route.continue()
  })
  await page.keyboard.type(`-- @${name.slice(0, 4)}`)
  await page.getByRole('listbox', { name: 'Chamar um colega' }).waitFor({ state: 'attached' })
  // Before anybody can be chosen from: what is typed on comes behind the name.
  await page.keyboard.press('Enter')
  await page.keyboard.type('pode ')
  resolve()
  await waitUntil('the name stands there', async () => (await locateField(page).inputValue()).includes(name))
  await page.unroute('**/colleagues')
  await page.keyboard.type('ver?')
  expect(await locateField(page).inputValue()).toBe(`-- @${name} pode ver?`)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: `Acompanham: ${name}` }).waitFor()
  await waitUntil('the comment calls them', async () => {
    const calls = await sql`select 1 from message_mention where user_id = ${bruna?.id ?? 0}`
    return calls.length === 1
  })
  const [row] = await sql<
    { body: string }[]
  >`select body from message where media_type = 'comment' and ticket_id = ${id} order by id desc limit 1`
  expect(row?.body).toBe(`@${name} pode ver?`)
})

test('the dialog keeps whom one chose where there is no line, closes with Escape, and asks once for a double click', async () => {
  const { page, context } = owner
  await page.goto(`${world.url}/tickets/${id}`)
  await locateField(page).waitFor()
  await page.keyboard.press('Escape')
  await pressShortcut(page, 'c')
  const dialog = page.getByRole('dialog', { name: 'Chamar para acompanhar' })
  await dialog.getByRole('option', { name }).click()
  await context.setOffline(true)
  await dialog.getByRole('button', { name: 'Chamar', exact: true }).click()
  await page.locator('.b-toast').first().waitFor()
  await dialog.getByText(name).waitFor()
  await context.setOffline(false)
  await sql`delete from message where media_type = 'system'`
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await pressShortcut(page, 'c')
  await dialog.getByRole('option', { name }).click()
  await dialog.getByRole('button', { name: 'Chamar', exact: true }).dblclick()
  await page.getByRole('button', { name: `Acompanham: ${name}` }).waitFor()
  expect(await sql`select 1 from message where media_type = 'system'`).toHaveLength(1)
})

function locateField(page: Page) {
  return page.locator('.k-field')
}
