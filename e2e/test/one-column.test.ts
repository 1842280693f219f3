// Where list and conversation have no room beside each other: the keys of the list work from the conversation, and a form for later stands
// beside the conversation as long as there is any room, else it is a page that says whose conversation it is.
import { beforeEach, describe, expect, test } from 'bun:test'
import { findAccessibilityIssues } from '../src/desk.ts'
import { openTestSystem } from '../src/open-test-system.ts'
import { isFocused, pressShortcut, waitUntil } from '../src/steps.ts'

const { world, sql, desk, page } = await openTestSystem({ world: { settings: { allowAgendador: true } } })
const [me] = await sql<{ id: number }[]>`select id from "user" where profile = 'admin' order by id limit 1`
const [queue] = await sql<{ id: number }[]>`select id from queue order by id limit 1`
const listbox = page.getByRole('listbox')
const composer = page.getByPlaceholder('Escreva uma mensagem')

/** Three are mine, the newest first; one waits. */
let mine: readonly { readonly id: number; readonly name: string }[] = []
let waiting = 0
beforeEach(async () => {
  await sql`update ticket set status = 'closed', closed_at = now(), version = version + 1 where status <> 'closed'`
  const tickets = await sql<{ id: number; name: string }[]>`
    select distinct on (c.name) t.id, c.name from ticket t join contact c on c.id = t.contact_id
    where not t.is_group and c.name <> '' order by c.name, t.id limit 4`
  const [last, ...others] = tickets.toReversed()
  waiting = last?.id ?? 0
  mine = others
  for (const [at, { id }] of others.entries())
    await sql`
      update ticket set status = 'open', user_id = ${me?.id ?? 0}, queue_id = ${queue?.id ?? 0}, closed_at = null,
        last_message_at = now() - ${at} * interval '1 minute', version = version + 1 where id = ${id}`
  await sql`
    update ticket set status = 'pending', user_id = null, queue_id = ${queue?.id ?? 0}, closed_at = null, created_at = now(),
      version = version + 1 where id = ${waiting}`
})

async function openAt(width: number, path: string): Promise<void> {
  await page.setViewportSize({ width, height: 900 })
  await page.goto(world.url + path)
  await composer.waitFor()
}

describe('at 900 px a conversation fills the window, and the keys of the list work from it', () => {
  test('J and K go on and back, though the address led there before any list', async () => {
    await openAt(900, `/tickets/${mine[0]?.id}`)
    expect(await listbox.count()).toBe(0)
    await page.locator('.c-conversation').focus()
    await pressShortcut(page, 'j')
    await page.waitForURL(`**/tickets/${mine[1]?.id}`)
    await pressShortcut(page, 'j')
    await page.waitForURL(`**/tickets/${mine[2]?.id}`)
    await pressShortcut(page, 'k')
    await page.waitForURL(`**/tickets/${mine[1]?.id}`)
  })

  test('G takes the next one who waits, with the caret in the composer', async () => {
    await openAt(900, `/tickets/${mine[0]?.id}`)
    await page.locator('.c-conversation').focus()
    await pressShortcut(page, 'g')
    await page.waitForURL(`**/tickets/${waiting}`)
    await waitUntil('the composer has the focus', () => isFocused(composer))
  })

  test('N begins a new conversation', async () => {
    await openAt(900, `/tickets/${mine[0]?.id}`)
    await page.locator('.c-conversation').focus()
    await pressShortcut(page, 'n')
    await page.getByRole('dialog', { name: 'Nova conversa' }).waitFor()
  })

  test('/ leads to the list, its search field has the focus', async () => {
    await openAt(900, `/tickets/${mine[0]?.id}`)
    await page.locator('.c-conversation').focus()
    await pressShortcut(page, '/')
    await page.waitForURL('**/tickets')
    await waitUntil('the field has the focus', () => isFocused(page.getByRole('searchbox')))
    expect(await page.getByRole('searchbox').inputValue()).toBe('')
    // Once: whoever comes back later is not put into the field again.
    await page.keyboard.press('Escape')
    await page.goto(`${world.url}/tickets/${mine[0]?.id}`)
    await composer.waitFor()
    await page
      .getByRole('link', { name: 'Voltar às conversas' })
      .or(page.getByLabel('Voltar às conversas'))
      .first()
      .click()
    await page.waitForURL('**/tickets')
    await listbox.waitFor()
    expect(await isFocused(page.getByRole('searchbox'))).toBe(false)
  })
})

describe('a message for later', () => {
  const panel = page.getByRole('complementary', { name: 'Agendar mensagem' })
  const scrolled = () => page.locator('.t-scroll').evaluate(list => list.scrollTop)

  test.each([960, 1024, 1279])(
    'stands beside the conversation at %i px, and the list comes back as it was',
    async width => {
      await fillList()
      await openAt(width, `/tickets/${mine[0]?.id}`)
      await composer.fill('Até sexta')
      await waitUntil('the list is scrolled', async () => {
        await page.locator('.t-scroll').evaluate(list => list.scrollTo(0, 200))
        return (await scrolled()) === 200
      })
      await page.keyboard.press('Alt+Enter')
      await panel.waitFor()
      const [words, form, messages] = [await composer.boundingBox(), await panel.boundingBox(), await readWall()]
      expect((words?.x ?? 0) + (words?.width ?? 0)).toBeLessThanOrEqual(form?.x ?? 0)
      expect(messages).toBeGreaterThanOrEqual(380)
      expect(await page.locator('.b-scrim').count()).toBe(0)
      expect(await listbox.isVisible()).toBe(false)
      expect(await findAccessibilityIssues(page)).toEqual([])
      await page.keyboard.press('Escape')
      await panel.waitFor({ state: 'detached' })
      await waitUntil('the list stands there', () => listbox.isVisible())
      expect(await scrolled()).toBe(200)
      expect(await composer.inputValue()).toBe('Até sexta')
      await composer.fill('')
    },
  )

  test.each([960, 1279])('takes the place of the contact that lay over the conversation at %i px', async width => {
    await openAt(width, `/tickets/${mine[0]?.id}`)
    await page.locator('.c-who').click()
    const contact = page.getByRole('dialog', { name: 'Dados do contato' })
    await contact.getByRole('button', { name: 'Agendar mensagem' }).click()
    await panel.waitFor()
    await contact.waitFor({ state: 'detached' })
    expect(await page.locator('.b-scrim').count()).toBe(0)
    await panel.getByLabel('Mensagem *').click()
    await page.keyboard.type('Até sexta')
    await panel.getByRole('button', { name: 'Agendar', exact: true }).click()
    await panel.waitFor({ state: 'detached' })

    // One to be changed comes from the server: until it is here nothing makes room for it.
    const answer = Promise.withResolvers<void>()
    await page.route(/\/agendamento\/\d+$/, async route => {
      await answer.promise
      await route.continue()
    })
    const request = page.waitForRequest(/\/agendamento\/\d+$/)
    await contact
      .getByText(/^Sai em/)
      .first()
      .click()
    await request
    expect([await listbox.isVisible(), await contact.isVisible()]).toEqual([true, true])
    answer.resolve()
    const form = page.getByRole('complementary', { name: 'Mensagem agendada' })
    await form.waitFor()
    await contact.waitFor({ state: 'detached' })
    expect(await listbox.isVisible()).toBe(false)
    await page.unroute(/\/agendamento\/\d+$/)
    await form.getByLabel('Mensagem *').click()
    await page.keyboard.press('Escape')
    await waitUntil('the contact is there again, with the keyboard in it', () => isFocused(contact.locator('*')))
  })

  test.each([1024, 1440])('keeps what was filled in while something else is asked, at %i px', async width => {
    await openAt(width, `/tickets/${mine[0]?.id}`)
    await composer.fill('Até sexta')
    await page.keyboard.press('Alt+Enter')
    await panel.getByLabel('Quando *').fill('20 de maio de 2030 às 9h30')
    const filled = panel.getByText('segunda-feira, 20 de maio de 2030, 09:30')
    await filled.waitFor()
    await page.locator('.c-header').getByRole('button', { name: 'Transferir' }).click()
    const dialog = page.getByRole('dialog', { name: /^Transferir/ })
    await dialog.waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await filled.isVisible()).toBe(true)
    await panel.getByRole('button', { name: 'Cancelar' }).click()
    await panel.getByRole('button', { name: 'Descartar' }).click()
    await panel.waitFor({ state: 'detached' })
    await composer.fill('')
  })

  test.each([390, 900])('is a page of its own at %i px, and says whose conversation it is', async width => {
    await openAt(width, `/tickets/${mine[0]?.id}`)
    await composer.fill('Até sexta')
    await page.keyboard.press('Alt+Enter')
    const dialog = page.getByRole('dialog', { name: `Agendar mensagem · ${mine[0]?.name}` })
    await dialog.waitFor()
    expect((await dialog.boundingBox())?.width).toBe(width)
    expect(await findAccessibilityIssues(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await composer.fill('')
  })
})

test('nothing complained', () => {
  expect(desk.complaints).toEqual([])
})

/** So many more of mine that the list can be scrolled. */
async function fillList(): Promise<void> {
  await sql`
    update ticket set status = 'open', user_id = ${me?.id ?? 0}, queue_id = ${queue?.id ?? 0}, closed_at = null,
      last_message_at = now() - interval '1 hour', version = version + 1
    where id in (
      select distinct on (t.contact_id) t.id from ticket t
      where not t.is_group and t.contact_id not in (select contact_id from ticket where status <> 'closed')
      order by t.contact_id, t.id limit 30)`
}

async function readWall(): Promise<number> {
  return (await page.locator('.c-conversation').boundingBox())?.width ?? 0
}
