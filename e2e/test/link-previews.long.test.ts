// Cards of links in a browser: once the company wants them, without moving what is read, as words whatever a page says, and gone with the
// setting. What the pages said stands in the day's memory: nobody outside is asked here.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { toPreviewUrl } from '@balcao/backend/desk/link-previews/address'
import { receiveEvents } from '@balcao/backend/messaging/inbox/receive'
import { closeDatabase, openDatabase } from '@balcao/backend/platform/database/client'
import { hashToken } from '@balcao/backend/platform/seal'
import type { Locator } from 'playwright-core'
import { makeMessageEvent, makePeer } from '../../backend/test/inbox-world.ts'
import { findAccessibilityIssues, setColorScheme, visit } from '../src/desk.ts'
import { makePicture } from '../src/every-message.ts'
import { openTestSystem } from '../src/open-test-system.ts'
import { locateMessages, signInAdministrator, waitUntil } from '../src/steps.ts'

const { world, sql, desk, page } = await openTestSystem()
const db = openDatabase(world.databaseUrl, { max: 1 })
const HOSTILE = '<img src=x onerror="document.title=1"> Banco do Brasil'
const THUMB = makePicture('thumb.png', 0x2c53a4, 0xf0b23a, 74, 74)
const PREVIEWS = {
  'https://loja.example/promo': {
    title: 'Promoção de verão',
    text: 'Só hoje',
    thumb: `data:${THUMB.mime};base64,${Buffer.from(THUMB.bytes).toString('base64')}`,
  },
  'https://loja.example/sem-foto': { title: 'Sem foto' },
  'https://estranho.example/': { title: HOSTILE },
  'https://loja.example/desligado': { title: 'Não se mostra' },
}
let customer = { id: 0, whatsappId: 0, number: '' }
const say = (...texts: string[]) =>
  receiveEvents(
    db,
    { id: customer.whatsappId },
    texts.map(text => makeMessageEvent(makePeer({ pn: customer.number }), text)),
  )
const allow = async (value: 'enabled' | 'disabled') =>
  (await signInAdministrator(world))('PUT', '/settings/linkPreviews', { value })

beforeAll(async () => {
  const [row] = await sql<(typeof customer)[]>`
    select t.id, t.whatsapp_id as "whatsappId", c.number from ticket t join contact c on c.id = t.contact_id
    where c.name like 'Dona Lúcia%' and t.status = 'open'`
  if (!row) throw new Error('The conversation is not there')
  customer = row
  for (const [address, preview] of Object.entries(PREVIEWS))
    await sql`
      insert into link_preview (digest, host, preview)
      values (${hashToken(toPreviewUrl(address))}, ${new URL(address).host}, ${JSON.stringify(preview)}::text::jsonb)`
  await visit(page, `/tickets/${customer.id}`)
  await locateMessages(page).getByRole('listitem').last().waitFor()
}, 60_000)
afterAll(() => closeDatabase(db))

test('a link is a link and no more as long as the company has not asked for cards', async () => {
  await say('https://loja.example/desligado', 'depois do primeiro')
  await words('depois do primeiro').waitFor()
  await locateMessages(page).getByRole('link', { name: 'https://loja.example/desligado' }).waitFor()
  expect(await cards().count()).toBe(0)
})

test('once it has, a card comes under the text, and what is read stays where it is', async () => {
  await allow('enabled')
  await say(...Array.from({ length: 30 }, (_, n) => `linha ${n + 1}`))
  await words('linha 30').waitFor()
  await page.locator('.c-scroll').hover()
  await page.mouse.wheel(0, -600)
  const toEnd = page.locator('.c-down')
  await toEnd.waitFor()
  // What the card is made of waits until its message is there, below what is read; a job waits for seconds only.
  let release = () => {}
  const held = sql.begin(async tx => {
    await tx`lock table link_preview in access exclusive mode`
    await new Promise<void>(resolve => {
      release = resolve
    })
  })
  await waitUntil('the memory of previews is locked', async () => (await countLocks()) > 0)
  await say('Veja https://loja.example/promo')
  await toEnd.filter({ hasText: '1 mensagem nova' }).waitFor()
  const line = locateMessages(page).getByText('linha 20', { exact: true })
  const before = await line.boundingBox()
  release()
  await held
  await cards().getByText('Promoção de verão').waitFor({ state: 'attached' })
  expect(await line.boundingBox()).toEqual(before)
  await toEnd.click()
  const card = page.getByRole('link', { name: /Promoção de verão/ })
  await card.getByText('loja.example').waitFor()
  expect(await card.locator('img').count()).toBe(1)
  expect([await card.getAttribute('href'), await card.getAttribute('rel')]).toEqual([
    'https://loja.example/promo',
    'noopener noreferrer nofollow',
  ])
})

test('a page without a picture has a card of words, and what a hostile one says is words, too', async () => {
  await say('https://loja.example/sem-foto', 'https://estranho.example/')
  const plain = page.getByRole('link', { name: /Sem foto/ })
  await plain.waitFor()
  expect(await plain.locator('img').count()).toBe(0)
  const hostile = page.getByRole('link').filter({ hasText: 'Banco do Brasil' })
  await hostile.getByText(HOSTILE).waitFor()
  // Whatever it calls itself, it says where it leads.
  await hostile.getByText('estranho.example', { exact: true }).waitFor()
  expect([await hostile.locator('img').count(), await page.title()]).toEqual([0, expect.stringContaining('Balcão')])
  for (const scheme of ['light', 'dark'] as const) {
    await setColorScheme(page, scheme)
    expect(await findAccessibilityIssues(page)).toEqual([])
  }
  await setColorScheme(page, 'light')
})

test('on a phone a card is no wider than its bubble', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  const card = page.getByRole('link').filter({ hasText: 'Banco do Brasil' })
  await card.scrollIntoViewIfNeeded()
  const [box, bubble] = await Promise.all([card.boundingBox(), card.locator('xpath=..').boundingBox()])
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((bubble?.x ?? 0) + (bubble?.width ?? 0))
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('off again, what comes then has none', async () => {
  await allow('disabled')
  const before = await cards().count()
  await say('https://loja.example/desligado de novo', 'depois do último')
  await words('depois do último').waitFor()
  expect(await cards().count()).toBe(before)
  expect(desk.complaints).toEqual([])
})

/** In a message, not what a screen reader is told of it. */
function words(text: string): Locator {
  return page.locator('.m-text', { hasText: text })
}

function cards(): Locator {
  return page.locator('.m-link-card')
}

async function countLocks(): Promise<number> {
  const rows = await sql`
    select 1 from pg_locks where relation = 'link_preview'::regclass and mode = 'AccessExclusiveLock' and granted`
  return rows.length
}
