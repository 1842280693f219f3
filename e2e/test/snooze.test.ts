// What is put off and comes back by itself, what is kept on top, and what is unread: by keys, by mouse, and in another tab.
import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { findAccessibilityIssues, setColorScheme } from '../src/desk.ts'
import { openTestSystem } from '../src/open-test-system.ts'
import { isFocused, pressShortcut, sendText, waitUntil } from '../src/steps.ts'
import { allowNextSound, countTones, readTones } from '../src/tones.ts'

const { world, sql, desk } = await openTestSystem({ patienceMs: 15_000 })
const NAMES = ['Adega Norte', 'Bazar Sul', 'Casa Leste'] as const
const ids = new Map<string, number>()

for (const [at, name] of NAMES.entries()) {
  const [row] = await sql<{ id: number }[]>`
    with who as (insert into contact (name, name_source) values (${name}, 'manual') returning id)
    insert into ticket (contact_id, whatsapp_id, status, queue_id, user_id, last_message, last_message_at, unread_messages)
    select who.id, (select min(id) from whatsapp), 'open', (select min(id) from queue), (select min(id) from "user" where profile = 'admin'),
      'Pode ser amanhã?', now() - ${at} * interval '1 minute', ${at === 1 ? 2 : 0} from who returning id`
  ids.set(name, row?.id ?? 0)
  await sql`
    insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, state, read)
    select id, contact_id, whatsapp_id, n, now() - interval '1 minute', false, 'Pode ser amanhã?', 'received', false
    from ticket, generate_series(1, unread_messages) n where id = ${row?.id ?? 0}`
  await sql`update ticket set message_seq = unread_messages where id = ${row?.id ?? 0}`
}

test('a toggle and its key leave what is unread, also after a reload, and what is read stays while it lies open', async () => {
  const { page } = desk
  await page.goto(`${world.url}/tickets`)
  await row(page, 'Adega Norte').waitFor()
  const toggle = page.getByRole('button', { name: 'Só não lidas' })
  await toggle.click()
  await row(page, 'Adega Norte').waitFor({ state: 'detached' })
  await row(page, 'Bazar Sul').waitFor()
  await page.reload()
  await row(page, 'Bazar Sul').waitFor()
  expect(await toggle.getAttribute('aria-pressed')).toBe('true')
  expect(await row(page, 'Adega Norte').count()).toBe(0)
  await row(page, 'Bazar Sul').click()
  await waitUntil('it is read', async () => (await unread('Bazar Sul')) === 0)
  await row(page, 'Bazar Sul').waitFor()
  await page.goto(`${world.url}/tickets`)
  await page.getByRole('listbox').waitFor()
  await pressShortcut(page, 'Shift+U')
  await row(page, 'Adega Norte').waitFor()
  expect(await toggle.getAttribute('aria-pressed')).toBe('false')
})

test('a conversation is pinned by its menu and by key, stands on top in another tab too, and leaves when it closes', async () => {
  const { page, context } = desk
  const other = await context.newPage()
  for (const each of [page, other]) {
    await each.goto(`${world.url}/tickets`)
    await row(each, 'Casa Leste').waitFor()
  }
  await row(page, 'Casa Leste').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Fixar no topo' }).click()
  for (const each of [page, other]) await isFirst(each, /Casa Leste.*fixada no topo/)
  await other.close()
  await row(page, 'Bazar Sul').click()
  await leaveComposer(page)
  await pressShortcut(page, 'Shift+P')
  await isFirst(page, /Bazar Sul.*fixada no topo/)
  await page.reload()
  await isFirst(page, /Bazar Sul.*fixada no topo/)
  await leaveComposer(page)
  await pressShortcut(page, 'Shift+P')
  await isFirst(page, /Casa Leste.*fixada no topo/)
  await sql`update ticket set status = 'closed', closed_at = now(), version = version + 1 where id = ${id('Casa Leste')}`
  await page.reload()
  await isFirst(page, /Adega Norte/)
  expect(await sql`select 1 from ticket_pin`).toHaveLength(0)
})

test('a time of one’s own that is not clear, or years ahead, is asked for where it stands, and pauses nothing', async () => {
  const { page } = desk
  await page.goto(`${world.url}/tickets/${id('Adega Norte')}`)
  await page.getByPlaceholder('Escreva uma mensagem').waitFor()
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Pausar' }).first().click()
  await dialog.getByRole('button', { name: 'Aguarda estoque' }).click()
  const own = dialog.getByLabel('Ou voltar em')
  await own.focus()
  await page.keyboard.type('sexta')
  await dialog.getByText(/^Não ficou claro/).waitFor()
  await page.keyboard.press('Enter')
  const refusal = dialog.getByText('Escolha um momento que ainda não passou')
  await refusal.waitFor()
  await own.fill('1/1/2099 às 10h')
  await dialog.getByText('quinta-feira, 1 de janeiro de 2099, 10:00').waitFor()
  await refusal.waitFor({ state: 'detached' })
  await own.press('Enter')
  await refusal.waitFor()
  expect(await sql`select status from ticket where id = ${id('Adega Norte')}`).toMatchObject([{ status: 'open' }])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

test('a pause ends by itself: two presses the second time, row and head say when, and it comes back unread with a notice', async () => {
  const { page } = desk
  await page.goto(`${world.url}/tickets/${id('Adega Norte')}`)
  await page.getByPlaceholder('Escreva uma mensagem').waitFor()
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Pausar' }).first().click()
  await dialog.getByRole('button', { name: 'amanhã 9h' }).click()
  await dialog.getByText('Preencha todos os campos para pausar esse atendimento').waitFor()
  await dialog.getByRole('button', { name: 'Aguarda estoque' }).click()
  await dialog.getByRole('button', { name: 'amanhã 9h' }).click()
  await page.locator('.c-header').getByText('volta amanhã 09:00').waitFor()
  await page
    .getByText(/pausou até .* 09:00: Aguarda estoque/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Retomar' }).first().click()
  await page.getByRole('button', { name: 'Assumir' }).first().click()
  await leaveComposer(page)
  await pressShortcut(page, 'p')
  await dialog.getByRole('button', { name: 'em 1 hora' }).waitFor()
  await waitUntil('the first time has the focus', () =>
    dialog.getByRole('button', { name: 'em 1 hora' }).evaluate(one => one === document.activeElement),
  )
  for (const colorScheme of ['light', 'dark'] as const) {
    await setColorScheme(page, colorScheme)
    expect(await findAccessibilityIssues(page)).toEqual([])
  }
  await page.keyboard.press('Enter')
  await page
    .locator('.c-header')
    .getByText(/volta (amanhã )?\d\d:\d\d/)
    .waitFor()
  await page.getByRole('tab', { name: /Pausados/ }).click()
  await page.getByRole('option', { name: /Adega Norte.*volta (amanhã )?\d\d:\d\d/ }).waitFor()
  await page.goto(`${world.url}/tickets`)
  await row(page, 'Bazar Sul').waitFor()
  await sql`update ticket set pause_until = now() where id = ${id('Adega Norte')}`
  await sql`select graphile_worker.add_job('wake-paused', '{}'::json)`
  // Its words are older than its place: the row says why it is there, until somebody writes.
  await page.getByRole('option', { name: /Adega Norte.*1 não lida.*voltou da pausa.*Pode ser amanhã/ }).waitFor()
  await page.waitForFunction(() => /^\(\d/.test(document.title))
  await row(page, 'Adega Norte').click()
  await page.locator('.c-header').getByText('voltou da pausa').waitFor()
  await sendText(page, 'Pode sim')
  await page.getByRole('option', { name: /Adega Norte.*Pode sim/ }).waitFor()
  await waitUntil('nothing says it any more', async () => (await page.getByText('voltou da pausa').count()) === 0)
  expect(desk.complaints).toEqual([])
})

test('the end of a pause is heard by its person on any screen, and stands first in the list, unread', async () => {
  const { page, context } = desk
  await context.addInitScript(countTones)
  for (const [path, name] of [
    ['/tickets', 'Adega Norte'],
    [`/tickets/${id('Adega Norte')}`, 'Bazar Sul'],
    ['/quickAnswers', 'Adega Norte'],
  ] as const) {
    await sql`
      update ticket set status = 'paused', pause_tag = 'Aguarda estoque', pause_until = now() + interval '1 hour', paused_by = user_id,
        unread_messages = 0, last_message_at = now() - interval '3 days', version = version + 1 where id = ${id(name)}`
    await page.goto(world.url + path)
    await page.getByText('Ao vivo').waitFor({ state: 'attached' })
    // A browser plays nothing before it is touched.
    await page.getByRole('heading').first().click()
    await allowNextSound([page])
    expect(await readTones([page])).toEqual([])
    await sql`update ticket set pause_until = now() where id = ${id(name)}`
    await sql`select graphile_worker.add_job('wake-paused', '{}'::json)`
    await waitUntil(`the bell is heard on ${path}`, async () => (await readTones([page])).length === 3)
    await page
      .getByRole('link', { name: /^Conversas/ })
      .first()
      .click()
    await isFirst(page, new RegExp(`${name}.*1 não lida`))
  }
  expect(desk.complaints).toEqual([])
})

function id(name: string): number {
  return ids.get(name) ?? 0
}

function row(page: Page, name: string) {
  return page.getByRole('option', { name: new RegExp(name) })
}

/** The composer takes the focus as it comes; letters are keys of the page outside of it. */
async function leaveComposer(page: Page): Promise<void> {
  const composer = page.getByPlaceholder('Escreva uma mensagem')
  await waitUntil('the composer has the focus', () => isFocused(composer))
  const list = page.getByRole('listbox').first()
  await list.focus()
  await waitUntil('the list has the focus', () => isFocused(list))
}

async function isFirst(page: Page, name: RegExp): Promise<void> {
  await waitUntil(`${name} is the first`, async () => {
    const [first] = await page.getByRole('option').all()
    return first !== undefined && name.test((await first.textContent()) ?? '')
  })
}

async function unread(name: string): Promise<number | undefined> {
  const [ticket] = await sql<{ n: number }[]>`select unread_messages as n from ticket where id = ${id(name)}`
  return ticket?.n
}
