// What is read first: where many unread messages begin, the last words of each conversation, and what stands over the words being
// written (spec 1 §2, §5), in a real browser.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Locator, Page } from 'playwright-core'
import postgres from 'postgres'
import { launchBrowser } from '../src/browser.ts'
import { type DeskSession, signIn } from '../src/desk.ts'
import { waitUntil } from '../src/steps.ts'
import { startTestSystem, type TestSystem } from '../src/world.ts'

const ARABIC = 'أريد أن أطلب 5 صناديق من المنتج رقم 12345 غداً صباحاً من فضلكم مع التوصيل إلى المتجر'

let browser: Browser
let world: TestSystem
let desk: DeskSession
let page: Page

beforeAll(async () => {
  ;[browser, world] = await Promise.all([launchBrowser(), startTestSystem({ here: true })])
  const sql = postgres(world.databaseUrl, { max: 1, onnotice: () => {} })
  await sql`
    with told as (
      insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, state, read)
      select t.id, t.contact_id, t.whatsapp_id, 500 + n, now() - interval '300 seconds' + n * interval '1 second', false, 'Recado número ' || n || '.', 'received', n <= 20
      from ticket t join contact c on c.id = t.contact_id, generate_series(1, 206) n where c.name ~ 'Padaria Estrela' and t.status = 'pending'
      returning ticket_id)
    update ticket set unread_messages = 186, message_seq = 706 where id = (select min(ticket_id) from told)`
  await sql`
    update ticket set last_message = ${ARABIC}, last_message_type = 'chat', last_message_from_me = false
    from contact c where c.id = contact_id and c.name ~ 'Lúcia' and status = 'open'`
  await sql`update contact set name = ${ARABIC}, version = version + 1 where name ~ 'João Almeida'`
  await sql.end()
  desk = await signIn(browser, world)
  page = desk.page
  page.setDefaultTimeout(30_000)
}, 180_000)

afterAll(async () => {
  await desk?.close()
  await browser?.close()
  await world?.stop()
})

test('186 unread messages begin at the first of them, under the divider, and lead to the last without a gap', async () => {
  await page.goto(`${world.url}/tickets`)
  await page.getByRole('tab', { name: /Pendentes/ }).click()
  await page
    .getByRole('option', { name: /Padaria Estrela/ })
    .first()
    .click()
  await waitUntilInView(messages().getByText('186 mensagens novas'))
  await waitUntilInView(locateMessage(21))
  const seen = new Set<number>()
  const scroll = page.locator('.c-scroll')
  await scroll.hover()
  await waitUntil('the last message is drawn', async () => {
    for (const n of await numbersDrawn()) seen.add(n)
    if (seen.has(206)) return true
    await page.mouse.wheel(0, 600)
    return false
  })
  expect(Array.from({ length: 186 }, (_, n) => n + 21).filter(n => !seen.has(n))).toEqual([])
})

describe('what is cut', () => {
  test('keeps its beginning in Arabic too: the last words of a conversation', async () => {
    await page.goto(`${world.url}/tickets`)
    const words = page.getByRole('option', { name: /Lúcia/ }).first().locator('.t-preview-text')
    await words.waitFor()
    expect(await measureCut(words)).toEqual({ direction: 'rtl', isCut: true, hasBeginning: true })
  })

  test('keeps its beginning in Arabic too: the name over a conversation', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    const named = page.locator('.t-row-name', { hasText: ARABIC })
    await page.getByRole('option').filter({ has: named }).click()
    const name = page.locator('.c-name h2')
    await name.waitFor()
    expect(await measureCut(name)).toEqual({ direction: 'rtl', isCut: true, hasBeginning: true })
    await page.setViewportSize({ width: 1440, height: 900 })
  })
})

describe('the menu of "+"', () => {
  test('stands above the words being written, and begins where its button does', async () => {
    await page.goto(`${world.url}/tickets`)
    await page.getByRole('option', { name: /Lúcia/ }).first().click()
    const field = page.getByPlaceholder('Escreva uma mensagem')
    await field.fill('Segue a nota\nde ontem')
    const button = page.getByRole('button', { name: 'Contato, modelo e mais' })
    await button.click()
    const menu = page.locator('.b-menu')
    await menu.getByRole('menuitem', { name: 'Enviar contato' }).waitFor()
    const [list, box, plus] = [await getBox(menu), await getBox(page.locator('.k-box')), await getBox(button)]
    expect(list.y + list.height).toBeLessThanOrEqual(box.y)
    expect(Math.abs(list.x - plus.x)).toBeLessThanOrEqual(1)
    await page.keyboard.press('Escape')
  })
})

function messages(): Locator {
  return page.getByRole('region', { name: 'Mensagens' })
}

function locateMessage(n: number): Locator {
  return messages().getByText(`Recado número ${n}.`, { exact: true })
}

async function numbersDrawn(): Promise<number[]> {
  const texts = await messages()
    .getByText(/^Recado número \d+\.$/)
    .allTextContents()
  return texts.map(text => Number(/\d+/.exec(text)?.[0]))
}

async function waitUntilInView(locator: Locator): Promise<void> {
  await locator.waitFor()
  const scroll = await getBox(page.locator('.c-scroll'))
  await waitUntil('it is in view', async () => {
    const box = await locator.boundingBox()
    return box !== null && box.y >= scroll.y && box.y + box.height <= scroll.y + scroll.height
  })
}

async function getBox(locator: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await locator.boundingBox()
  if (!box) throw new Error('It is not on the page')
  return box
}

/** How a text that is too long for its place is cut. */
function measureCut(words: Locator) {
  return words.evaluate(element => {
    const box = element.getBoundingClientRect()
    const text = document.createRange()
    text.selectNodeContents(element)
    const all = text.getBoundingClientRect()
    return {
      direction: getComputedStyle(element).direction,
      isCut: all.width > box.width,
      hasBeginning: all.right - box.right <= 1,
    }
  })
}
