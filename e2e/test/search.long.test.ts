// Searching at the desk: the tab with its filters, a message found long ago, and the window inside a conversation.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { receiveEvents } from '@balcao/backend/messaging/inbox/receive'
import { closeDatabase, openDatabase } from '@balcao/backend/platform/database/client'
import type { Browser, Locator, Page } from 'playwright-core'
import postgres, { type Sql } from 'postgres'
import { makeMessageEvent, makePeer } from '../../backend/test/inbox-world.ts'
import { launchBrowser } from '../src/browser.ts'
import { type DeskSession, findAccessibilityIssues, signIn, visit } from '../src/desk.ts'
import { isFocused, locateMessages, pressShortcut, waitUntil } from '../src/steps.ts'
import { startTestSystem, type TestSystem } from '../src/world.ts'

let browser: Browser
let world: TestSystem
let desk: DeskSession
let sql: Sql

beforeAll(async () => {
  ;[browser, world] = await Promise.all([launchBrowser(), startTestSystem({ here: true })])
  sql = postgres(world.databaseUrl, { max: 1, onnotice: () => {} })
  await sql`
    insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, state, read)
    select t.id, t.contact_id, t.whatsapp_id, 1000 - n, now() - interval '3 days' - n * interval '7 minutes', false,
      case when n = 300 then 'O comprovante do frete de março, código abacate-77' else 'linha antiga ' || n end, 'received', true
    from ticket t join contact c on c.id = t.contact_id, generate_series(1, 400) n
    where c.name = 'Padaria Estrela' and t.status <> 'closed'`
  desk = await signIn(browser, world)
  desk.page.setDefaultTimeout(30_000)
}, 120_000)

afterAll(async () => {
  await desk?.close()
  await browser?.close()
  await sql?.end()
  await world?.stop()
})

describe('spec 1 §2: the tab Search', () => {
  test('needs three characters, and finds conversations by name and messages by their words', async () => {
    const { page } = desk
    await page.getByLabel('Nome, número ou mensagem').pressSequentially('pa')
    await page.getByText('Escreva pelo menos 3 letras').waitFor()
    expect(await page.getByRole('tab', { name: 'Buscar' }).getAttribute('aria-selected')).toBe('true')
    await page.keyboard.type('daria')
    const found = page.getByRole('listbox', { name: 'Resultados da busca' })
    await found
      .getByRole('group', { name: 'Conversas' })
      .getByRole('option', { name: /Padaria Estrela/ })
      .waitFor()
    await found.getByRole('group', { name: 'Mensagens' }).locator('mark', { hasText: 'Padaria' }).first().waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
  })

  test('on a low screen its open filters are seen whole while nothing is asked', async () => {
    const { page } = desk
    const field = page.getByLabel('Nome, número ou mensagem')
    await page.setViewportSize({ width: 1024, height: 768 })
    await field.fill('')
    await page.getByRole('tab', { name: 'Buscar' }).click()
    await page.getByRole('button', { name: /^Filtros/ }).click()
    await page.getByLabel('Período').fill('sexta ou sábado')
    await page.getByText(/^Não está claro/).waitFor()
    await page.getByText('O que você procura?').waitFor()
    expect(
      await page.locator('.f-filters').evaluate(filters => filters.scrollHeight - filters.clientHeight),
    ).toBeLessThanOrEqual(0)
    await page.getByLabel('Período').fill('')
    await page.getByRole('button', { name: /^Filtros/ }).click()
    await page.setViewportSize({ width: 1440, height: 900 })
    await field.fill('padaria')
  })

  test('its filters fold away, and narrow what is found', async () => {
    const { page } = desk
    await page.getByRole('button', { name: /^Filtros/ }).click()
    await page.getByLabel('Contato', { exact: true }).fill('ninguém assim')
    await page.getByText('Nada com “padaria”').waitFor()
    await page.locator('.f-bar').getByText('Limpar').click()
    await page
      .getByRole('option', { name: /Padaria Estrela/ })
      .first()
      .waitFor()
    await page.getByRole('button', { name: /^Filtros/ }).click()
    await page.getByLabel('Contato', { exact: true }).waitFor({ state: 'detached' })
  })

  test('a message leads into its conversation, however long ago it was, and blinks there; the keyboard is enough', async () => {
    const { page } = desk
    await page.getByLabel('Nome, número ou mensagem').fill('ABACATE marco')
    const found = page.getByRole('listbox', { name: 'Resultados da busca' })
    await found.getByRole('option', { name: /comprovante/ }).waitFor()
    await found.press('ArrowDown')
    await found.press('Enter')
    await page.locator('.is-blinking').getByText('abacate-77').waitFor()
    expect(await page.getByText('linha antiga 1', { exact: true }).count()).toBe(0)
  })

  test('from there one scrolls to older and to newer messages, down to the newest', async () => {
    const { page } = desk
    const messages = page.getByRole('region', { name: 'Mensagens' })
    await messages.getByText('linha antiga 310', { exact: true }).scrollIntoViewIfNeeded()
    await page.locator('.c-scroll').evaluate(box => box.scrollTo(0, box.scrollHeight))
    await messages.getByText('linha antiga 250', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Ir para a última mensagem' }).click()
    await page.getByRole('button', { name: 'Ir para a última mensagem' }).waitFor({ state: 'detached' })
    await messages.getByText('linha antiga 250', { exact: true }).waitFor({ state: 'detached' })
  })
})

describe('spec 1 §2: the dialog that searches messages within the ticket', () => {
  test('opens with a key, finds, says when nothing was found, and jumps', async () => {
    const { page } = desk
    await page.locator('.c-header').click({ position: { x: 4, y: 4 } })
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
    await pressShortcut(page, 'f')
    const dialog = page.getByRole('dialog', { name: 'Buscar nesta conversa' })
    await dialog.getByLabel('Texto da mensagem').fill('xyzxyz')
    await dialog.getByText('Nenhuma mensagem foi encontrada').waitFor()
    await dialog.getByLabel('Texto da mensagem').fill('codigo frete')
    await dialog.getByRole('button', { name: /abacate-77/ }).click()
    await page.locator('.is-blinking').getByText('abacate-77').waitFor()
    // Nothing came meanwhile: the way down does not say that something is new.
    await page.getByRole('button', { name: 'Ir para a última mensagem', exact: true }).waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
  })

  test('is moved with the pointer and with arrows, and shut with Escape', async () => {
    const { page } = desk
    const dialog = page.getByRole('dialog', { name: 'Buscar nesta conversa' })
    const left = async () => (await dialog.boundingBox())?.x ?? 0
    const before = await left()
    const title = await dialog.getByRole('heading').boundingBox()
    await page.mouse.move((title?.x ?? 0) + 20, (title?.y ?? 0) + 10)
    await page.mouse.down()
    await page.mouse.move((title?.x ?? 0) - 180, (title?.y ?? 0) + 40)
    await page.mouse.up()
    expect(await left()).toBe(before - 200)
    await dialog.getByRole('button', { name: 'Mover a janela de busca com as setas' }).press('ArrowRight')
    expect(await left()).toBe(before - 184)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(desk.complaints).toEqual([])
  })
})

describe('going to a day of a conversation', () => {
  const TIMEZONE = 'America/Sao_Paulo'
  let bakery: { readonly id: number; readonly contactId: number; readonly whatsappId: number; readonly number: string }
  /** A day of which everything is there, and what its first two messages say. */
  let day: { readonly words: string; readonly written: string; readonly texts: readonly [string, string] }

  beforeAll(async () => {
    const [row] = await sql<(typeof bakery)[]>`
      select t.id, t.contact_id as "contactId", t.whatsapp_id as "whatsappId", c.number from ticket t join contact c on c.id = t.contact_id
      where c.name = 'Padaria Estrela' and t.status <> 'closed'`
    const [found] = await sql<(typeof day)[]>`
      select extract(day from d.day) || '/' || extract(month from d.day) as words, to_char(d.day, 'DD/MM/YYYY') as written,
        array(select m.body from message m where m.contact_id = ${row?.contactId ?? 0} and m.at >= d.day at time zone ${TIMEZONE} order by m.at limit 2) as texts
      from (select date_trunc('day', (now() - interval '4 days') at time zone ${TIMEZONE}) as day) d`
    if (!row || !found) throw new Error('The conversation is not there')
    bakery = row
    day = found
    await visit(desk.page, `/tickets/${bakery.id}`)
    await locateMessages(desk.page).getByRole('listitem').first().waitFor()
  })

  const openDays = async (page: Page) => {
    await pressShortcut(page, 'Shift+F')
    await page.getByRole('dialog', { name: 'Ir para uma data' }).waitFor()
  }

  test('says what it understands, and where nothing was said goes to what comes next', async () => {
    const { page } = desk
    await openDays(page)
    const dialog = page.getByRole('dialog', { name: 'Ir para uma data' })
    await page.keyboard.type('quando der')
    await dialog.getByText('Não está claro: tente mês passado ou 12/10').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.type('1/1/2020')
    await dialog.getByRole('button', { name: 'Ir para 01/01/2020' }).waitFor()
    await page.keyboard.press('Enter')
    await dialog.getByText(/^Nada antes de .*: aqui começa a conversa\.$/).waitFor()
    await page.locator('.is-blinking').getByText('linha antiga 400', { exact: true }).waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    // The first empties the field.
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  test('by keys alone: its first message is in view, marked, and arrows go on from there', async () => {
    const { page } = desk
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
    await openDays(page)
    await page.keyboard.type(day.words)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const [row, next] = [locateRow(page, day.texts[0]), locateRow(page, day.texts[1])]
    await waitUntil('the message has the focus', () => isFocused(row))
    expect(await row.getAttribute('class')).toContain('is-blinking')
    expect(await isInView(row)).toBe(true)
    await page.keyboard.press('ArrowDown')
    expect(await isFocused(next)).toBe(true)
  })

  test('from there one scrolls both ways without a gap or a double, also while the customer goes on writing', async () => {
    const { page } = desk
    const db = openDatabase(world.databaseUrl, { max: 1 })
    const peer = makePeer({ pn: bakery.number })
    const say = (text: string) => receiveEvents(db, { id: bakery.whatsappId }, [makeMessageEvent(peer, text)])
    const seen = new Set<number>()
    await page.locator('.c-scroll').hover()
    await say('recado novo 1')
    await scrollUntil(page, -700, seen, () => seen.has(400))
    await say('recado novo 2')
    await scrollUntil(page, 700, seen, async () => (await locateText(page, 'recado novo 2').count()) > 0)
    await closeDatabase(db)
    expect(Array.from({ length: 400 }, (_, n) => n + 1).filter(n => n !== 300 && !seen.has(n))).toEqual([])
    expect(await locateText(page, 'recado novo 1').count()).toBe(1)
  })

  test('the name of a day leads there, too, and one goes back to now', async () => {
    const { page } = desk
    await openDays(page)
    await page.keyboard.type(day.words)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: day.written, exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Ir para uma data' })
    const field = dialog.getByRole('searchbox')
    expect(await field.inputValue()).toBe(day.written)
    // The day stands there to be written over.
    await page.keyboard.type('hoje')
    expect(await field.inputValue()).toBe('hoje')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    const back = page.getByRole('button', { name: 'Ir para a última mensagem' })
    await back.focus()
    await page.keyboard.press('Enter')
    await back.waitFor({ state: 'detached' })
    await locateText(page, 'recado novo 2').waitFor()
    expect(desk.complaints).toEqual([])
  })
})

describe('author, kind, period and status', () => {
  const messages = [
    { contact: 'Padaria Estrela', ours: false, kind: 'chat', days: 40, closed: false },
    { contact: 'Dona Lúcia Ferreira', ours: true, kind: 'chat', days: 0, closed: false },
    { contact: 'João Almeida', ours: false, kind: 'image', days: 0, closed: false },
    { contact: 'Mercadinho Ribeiro', ours: false, kind: 'chat', days: 0, closed: true },
  ]

  beforeAll(async () => {
    for (const { contact, ours, kind, days, closed } of messages) {
      const [row] = await sql<{ id: number }[]>`
        update ticket t set status = ${closed ? 'closed' : 'open'}, closed_at = ${closed ? sql`now()` : null}, version = t.version + 1,
          user_id = (select id from "user" where name = 'Marina Souza'), message_seq = t.message_seq + 5000
        from (select t.id from ticket t join contact c on c.id = t.contact_id
          where c.name = ${contact} and t.status <> 'closed' limit 1) own where t.id = own.id returning t.id`
      await sql`
        insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, user_id, body, media_type, state, read)
        select id, contact_id, whatsapp_id, message_seq, now() - ${days} * interval '1 day', ${ours}, ${ours ? sql`user_id` : null},
          'Suco de acerola', ${kind}, ${ours ? 'sent' : 'received'}, true from ticket where id = ${row?.id ?? 0}`
    }
    await visit(desk.page, '/tickets')
    await desk.page.getByRole('tab', { name: 'Buscar' }).click()
  })

  test.each([
    ['fotos', 'Fotos', ['João Almeida']],
    ['de clientes', 'de clientes', ['João Almeida', 'Mercadinho Ribeiro', 'Padaria Estrela']],
    ['de marina', 'de Marina', ['Dona Lúcia Ferreira']],
    ['hoje', 'hoje', ['Dona Lúcia Ferreira', 'João Almeida', 'Mercadinho Ribeiro']],
    ['encerradas', 'Encerradas', ['Mercadinho Ribeiro']],
  ])(
    'are chosen by arrows and Enter from what is typed behind the words, and let go of: %s',
    async (typed, chip, expected) => {
      const { page } = desk
      const field = page.getByLabel('Nome, número ou mensagem')
      const narrow = page.getByRole('group', { name: 'Restringir a busca' })
      await field.fill(`acerola ${typed}`)
      await narrow.getByRole('button', { name: chip }).first().waitFor()
      await field.press('ArrowDown')
      await page.keyboard.press('Enter')
      await waitUntil('the words alone are left', async () => (await field.inputValue()).trim() === 'acerola')
      await waitUntil('it is what was meant', async () => (await listHits(page)).join() === expected.join())
      await narrow.getByRole('button', { name: chip }).first().click()
      await waitUntil('all of it is back', async () => (await listHits(page)).length === messages.length)
    },
  )
})

/** Whose messages were found, by name. */
async function listHits(page: Page): Promise<string[]> {
  const group = page.getByRole('listbox', { name: 'Resultados da busca' }).getByRole('group', { name: 'Mensagens' })
  return (await group.locator('.t-row-name').allTextContents()).sort()
}

/** Scrolls on until it is so; notes the numbered messages that were drawn, none of them twice at a time. */
async function scrollUntil(page: Page, by: number, seen: Set<number>, isSo: () => boolean | Promise<boolean>) {
  await waitUntil(
    'the end of the conversation is drawn',
    async () => {
      const drawn = await listNumbers(page)
      expect(drawn).toEqual([...new Set(drawn)])
      for (const n of drawn) seen.add(n)
      if (await isSo()) return true
      await page.mouse.wheel(0, by)
      return false
    },
    60_000,
  )
}

async function listNumbers(page: Page): Promise<number[]> {
  const texts = await locateMessages(page)
    .getByText(/^linha antiga \d+$/)
    .allTextContents()
  return texts.map(text => Number(/\d+$/.exec(text)?.[0]))
}

/** Words of a message, not what a screen reader is told of it. */
function locateText(page: Page, text: string): Locator {
  return page.locator('.m-text').getByText(text, { exact: true })
}

function locateRow(page: Page, text: string): Locator {
  return page.getByRole('listitem').filter({ has: page.getByText(text, { exact: true }) })
}

async function isInView(row: Locator): Promise<boolean> {
  const [place, box] = await Promise.all([row.boundingBox(), row.page().locator('.c-scroll').boundingBox()])
  return place !== null && box !== null && place.y >= box.y && place.y + place.height <= box.y + box.height
}
