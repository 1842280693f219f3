// A conversation that waits and was found by its name is accepted on its row, as in the list of those who wait.
import { beforeEach, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { findAccessibilityIssues, signIn } from '../src/desk.ts'
import { openTestSystem } from '../src/open-test-system.ts'
import { isFocused, waitUntil } from '../src/steps.ts'

const { browser, world, sql, desk, page } = await openTestSystem()
const [queue] = await sql<{ id: number }[]>`select id from queue order by id limit 1`
const [first, second] = await sql<{ id: number; name: string }[]>`
  select min(t.id) as id, c.name from ticket t join contact c on c.id = t.contact_id
  where not t.is_group and c.name ~ '^[A-Za-z]+ [A-Za-z]+$' group by c.id order by 1 limit 2`
const waiting = first ?? { id: 0, name: '' }
const closed = second ?? { id: 0, name: '' }

beforeEach(async () => {
  await sql`update ticket set status = 'closed', closed_at = now(), version = version + 1 where status <> 'closed'`
  await sql`
    update ticket set status = 'pending', user_id = null, queue_id = ${queue?.id ?? 0}, closed_at = null,
      version = version + 1 where id = ${waiting.id}`
})

async function findRow(at: Page, name: string) {
  await at.goto(`${world.url}/tickets`)
  await at.getByRole('searchbox').fill(name)
  const row = at
    .getByRole('group', { name: 'Conversas' })
    .getByRole('option', { name: new RegExp(name) })
    .first()
  await row.waitFor()
  return row
}

async function isAccepted(at: Page) {
  await at.waitForURL(`**/tickets/${waiting.id}`)
  await at.getByPlaceholder('Escreva uma mensagem').waitFor()
  const [ticket] = await sql`select status from ticket where id = ${waiting.id}`
  expect({ ...ticket }).toEqual({ status: 'open' })
}

test('by the button on the row that the mouse points at; one that is closed has none', async () => {
  const over = await findRow(page, closed.name)
  await over.hover()
  expect(await over.locator('.t-quick').count()).toBe(0)
  const row = await findRow(page, waiting.name)
  await row.hover()
  expect(await findAccessibilityIssues(page)).toEqual([])
  await row.locator('.t-quick').click()
  await isAccepted(page)
  await waitUntil('the composer has the focus', () => isFocused(page.getByPlaceholder('Escreva uma mensagem')))
  // It waits no longer, and was found still.
  await row.waitFor()
  await row.hover()
  expect(await row.locator('.t-quick').count()).toBe(0)
})

test('by A on the row that the arrows reached', async () => {
  await findRow(page, waiting.name)
  await page.keyboard.press('ArrowDown')
  await page.locator('.f-slot.is-active .t-quick').waitFor()
  await page.keyboard.press('a')
  await isAccepted(page)
})

test('by a swipe to the right; a shorter one does nothing', async () => {
  const phone = await signIn(browser, world, { touch: true, width: 390, height: 844 })
  const box = await (await findRow(phone.page, waiting.name)).boundingBox()
  const touch = await phone.context.newCDPSession(phone.page)
  const from = { x: (box?.x ?? 0) + 120, y: (box?.y ?? 0) + 30 }
  await swipe(50)
  expect(new URL(phone.page.url()).pathname).toBe('/tickets')
  await swipe(130)
  await isAccepted(phone.page)
  expect(phone.complaints).toEqual([])
  await phone.close()

  async function swipe(x: number) {
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [from] })
    for (let step = 1; step <= 5; step++)
      await touch.send('Input.dispatchTouchEvent', {
        type: 'touchMove',
        touchPoints: [{ x: from.x + (x * step) / 5, y: from.y }],
      })
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  }
})

test('nothing complained', () => {
  expect(desk.complaints).toEqual([])
})
