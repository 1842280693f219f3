// Lists on a phone: what is cut says so, and the buttons of the head stand in whole rows.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { SCREENS } from '../src/gallery/screens.ts'
import { type BrowserHarness, openBrowserHarness } from '../src/gallery/stage.ts'

const LISTS = ['users', 'queues', 'connections', 'contacts', 'tags', 'sends']
let harness: BrowserHarness

beforeAll(async () => {
  harness = await openBrowserHarness({ quick: true })
}, 120_000)

afterAll(() => harness?.close(), 30_000)

describe('a list at 390 px', () => {
  for (const screen of SCREENS.filter(({ name }) => LISTS.includes(name))) {
    test(`${screen.name}: rows that are too long end with dots, and buttons fill the width`, async () => {
      const found = await harness.show(screen, 'phone', async page => ({
        cut: await findCutTexts(page),
        short: await findShortRows(page),
      }))
      expect(found).toEqual({ cut: [], short: [] })
    })
  }
})

/** Texts of rows that run out of what hides them without dots. */
function findCutTexts(page: Page): Promise<string[]> {
  return page.locator('.b-page li').evaluateAll(rows => {
    const cut: string[] = []
    for (const row of rows) {
      const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT)
      for (let text = walker.nextNode(); text; text = walker.nextNode()) {
        const range = document.createRange()
        range.selectNodeContents(text)
        let box = text.parentElement
        while (box && box !== row && getComputedStyle(box).overflowX === 'visible') box = box.parentElement
        // One pixel wide: for screen readers.
        if (
          !box ||
          box.clientWidth <= 1 ||
          range.getBoundingClientRect().right <= box.getBoundingClientRect().right + 1
        )
          continue
        const { textOverflow, display } = getComputedStyle(box)
        if (textOverflow !== 'ellipsis' || display.includes('flex')) cut.push(text.textContent ?? '')
      }
    }
    return cut
  })
}

/** Rows of buttons in the head that end before the head does, by their last button. */
function findShortRows(page: Page): Promise<string[]> {
  return page.locator('.b-page-head').evaluateAll(heads =>
    heads.flatMap(head => {
      const end = head.getBoundingClientRect().right
      const rows = Object.values(
        Object.groupBy(head.querySelectorAll('.b-page-actions > *'), button =>
          String(Math.round(button.getBoundingClientRect().top)),
        ),
      )
      return rows.flatMap(buttons => {
        const last = buttons?.at(-1)
        return last && Math.abs(last.getBoundingClientRect().right - end) > 1 ? [last.textContent ?? ''] : []
      })
    }),
  )
}
