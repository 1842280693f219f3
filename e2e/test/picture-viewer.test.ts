// The pictures of a conversation one after the other, whole: also those far back among other messages, by keys and by a finger.
import { expect, test } from 'bun:test'
import type { CDPSession, Locator, Page } from 'playwright-core'
import { findAccessibilityIssues, setColorScheme, signIn } from '../src/desk.ts'
import { makePicture, putMessages } from '../src/every-message.ts'
import { openTestSystem } from '../src/open-test-system.ts'
import { waitUntil } from '../src/steps.ts'

const { browser, world, sql, desk, page } = await openTestSystem()
const [row] = await sql<{ id: number }[]>`
  select t.id from ticket t join contact c on c.id = t.contact_id where c.name like 'Dona Lúcia%' and t.status = 'open'`
const ticket = row?.id ?? 0
const box = { width: 320, height: 240 }
const [first, last] = ['O boleto de maio', 'O boleto de junho']
await putMessages(world, sql, ticket, [
  { type: 'image', file: makePicture('maio.png', 0x2c53a4, 0xf0b23a), media: box, body: first },
  ...Array.from({ length: 60 }, (_, n) => ({ type: 'chat' as const, body: `Recado ${n + 1}` })),
  { type: 'image', file: makePicture('junho.png', 0xb93227, 0xfdf3dc), media: box, body: last },
])

async function openLast(at: Page): Promise<Locator> {
  await at.goto(`${world.url}/tickets/${ticket}`)
  await at.getByRole('button', { name: 'Abrir O boleto de junho' }).or(at.locator('.m-picture')).last().click()
  const viewer = at.getByRole('dialog', { name: 'Imagem' })
  await viewer.getByText(last).waitFor()
  return viewer
}

test('the one before stands behind sixty messages that nobody has fetched', async () => {
  const viewer = await openLast(page)
  const held = await page.getByText(/^Recado \d+$/).count()
  await page.keyboard.press('ArrowLeft')
  await viewer.getByText(first).waitFor()
  expect(await page.getByText(/^Recado \d+$/).count()).toBe(held)
  // All of the customer's are known: the last of them is the last one.
  await page.keyboard.press('ArrowRight')
  await viewer.getByText(last).waitFor()
  await viewer.getByText(/· (\d+) de \1$/).waitFor()
  expect(await viewer.locator('.g-viewer-step.is-right').isDisabled()).toBe(true)
  await page.keyboard.press('Home')
  await viewer.getByText(/· 1 de \d+$/).waitFor()
  expect(await viewer.locator('.g-viewer-step.is-left').isDisabled()).toBe(true)
  for (const scheme of ['light', 'dark'] as const) {
    await setColorScheme(page, scheme)
    expect(await findAccessibilityIssues(page)).toEqual([])
  }
  await page.keyboard.press('Escape')
})

test('a finger swipes to the next one; two fingers zoom, and what is near is moved', async () => {
  const phone = await signIn(browser, world, { touch: true, width: 390, height: 844 })
  const viewer = await openLast(phone.page)
  const touch = await phone.context.newCDPSession(phone.page)
  const picture = viewer.getByRole('img')
  await phone.page.route(/\/media\//, async route => {
    await new Promise(resolve => setTimeout(resolve, 400))
    await route.continue()
  })
  // A little is no swipe, nor is upwards; a step that was begun would be awaited.
  for (const [x, y] of [
    [30, 0],
    [80, 200],
  ] as const) {
    await swipe(touch, x, y)
    await viewer.locator('.g-viewer-stage[aria-busy="false"]').waitFor()
    expect(await viewer.getByText(last).count()).toBe(1)
  }
  await swipe(touch, 160)
  await viewer.getByText(first).waitFor()
  await swipe(touch, -160)
  await viewer.getByText(last).waitFor()
  // Beyond the newest there is none, and who is quicker than the pictures loses no swipe.
  await swipe(touch, -160)
  await viewer.getByText(last).waitFor()

  await waitUntil('the picture has come', () =>
    picture.evaluate(element => element instanceof HTMLImageElement && element.naturalWidth > 0),
  )
  await pinch(touch)
  const scale = async () => Number(/scale\(([\d.]+)\)/.exec((await picture.getAttribute('style')) ?? '')?.[1])
  await waitUntil('it is near', async () => (await scale()) > 1.5)
  const before = await picture.getAttribute('style')
  await swipe(touch, 160)
  await viewer.getByText(last).waitFor()
  expect(await picture.getAttribute('style')).not.toBe(before)
  expect(phone.complaints).toEqual([])
  await phone.close()
})

test('nothing complained', () => {
  expect(desk.complaints).toEqual([])
})

/** To the right by so many pixels. */
async function swipe(touch: CDPSession, x: number, y = 0): Promise<void> {
  const from = { x: 195, y: 420 }
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [from] })
  for (let step = 1; step <= 6; step++) {
    const point = { x: from.x + (x * step) / 6, y: from.y + (y * step) / 6 }
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [point] })
  }
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

async function pinch(touch: CDPSession): Promise<void> {
  const fingers = (apart: number) => [
    { x: 195 - apart, y: 420, id: 1 },
    { x: 195 + apart, y: 420, id: 2 },
  ]
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(30) })
  for (const apart of [50, 70, 90, 110])
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: fingers(apart) })
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}
