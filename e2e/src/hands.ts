// The hands a person works with: keys alone, a mouse, a finger. A test says what is pressed and written, the hand knows how.
import type { Locator, Page } from 'playwright-core'
import { isFocused, locateMessages, openNextUntil, openTab, tabToTarget, waitUntil } from './steps.ts'

export interface InputHand {
  /** A button, a tab, a row of a list, a choice. */
  press(target: Locator): Promise<void>
  /** Into a field, which gets the focus first. */
  write(field: Locator, text: string): Promise<void>
  /** One of the choices of a list that opens. */
  choose(dialog: Locator, label: string, option: string): Promise<void>
  /** The tab of a list. */
  openTab(name: RegExp): Promise<void>
  /** The conversation with this person, from the list that is shown. */
  openConversation(name: string): Promise<void>
  /** The menu of a message. */
  openMenuOf(text: string): Promise<void>
}

export function createKeyboardHand(page: Page): InputHand {
  const { keyboard } = page
  return {
    async press(target) {
      await target.waitFor()
      await tabToTarget(page, target)
      await keyboard.press('Enter')
    },
    async write(field, text) {
      await field.waitFor()
      await tabToTarget(page, field)
      await keyboard.type(text)
    },
    async choose(dialog, label, option) {
      const field = locateField(dialog, label).locator('input')
      await field.waitFor({ state: 'attached' })
      await tabToTarget(page, field)
      await keyboard.press('Space')
      const wanted = page.locator('.p-dropdown-item', { hasText: option })
      await wanted.waitFor()
      for (let presses = 0; presses < 9; presses++) {
        if ((await wanted.getAttribute('data-p-focused')) === 'true') break
        await keyboard.press('ArrowDown')
      }
      await keyboard.press('Enter')
      await wanted.waitFor({ state: 'detached' })
    },
    openTab: name => openTab(page, name),
    openConversation: name => openNextUntil(page, name),
    /** The messages are one stop; arrows go among them. */
    async openMenuOf(text) {
      const rows = locateMessages(page).getByRole('listitem')
      const wanted = rows.filter({ hasText: text })
      await wanted.waitFor()
      await tabToTarget(page, rows)
      for (let step = await rows.count(); step > 0 && !(await isFocused(wanted)); step--)
        await keyboard.press('ArrowUp')
      if (!(await isFocused(wanted))) throw new Error(`The arrow never reached ${text}`)
      await keyboard.press('Enter')
    },
  }
}

export function createMouseHand(page: Page): InputHand {
  return createPointerHand(
    page,
    target => target.click(),
    async row => {
      await row.hover()
      await row.getByRole('button', { name: 'Ações da mensagem' }).click()
    },
  )
}

export function createTouchHand(page: Page): InputHand {
  return createPointerHand(
    page,
    target => target.tap(),
    async row => {
      const bubble = row.locator('.m-bubble')
      const touch = await page.context().newCDPSession(page)
      const menu = page.getByRole('menu')
      // Where the messages still move under the finger, a person presses again.
      for (let left = 3; left > 0 && !(await menu.isVisible()); left--) {
        await bubble.tap({ trial: true })
        const box = await bubble.boundingBox()
        const touchPoints = [{ x: (box?.x ?? 0) + 24, y: (box?.y ?? 0) + 12 }]
        await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
        await menu.waitFor({ timeout: 5000 }).catch(error => {
          if (left === 1) throw error
        })
        await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
      }
      await touch.detach()
    },
  )
}

function createPointerHand(
  page: Page,
  press: InputHand['press'],
  openMenu: (row: Locator) => Promise<void>,
): InputHand {
  return {
    press,
    async write(field, text) {
      await press(field)
      await page.keyboard.type(text)
    },
    async choose(dialog, label, option) {
      await press(locateField(dialog, label).locator('.p-dropdown'))
      const wanted = page.locator('.p-dropdown-item', { hasText: option })
      await press(wanted)
      await wanted.waitFor({ state: 'detached' })
    },
    openTab: name => press(page.getByRole('tab', { name })),
    async openConversation(name) {
      await press(page.getByRole('option', { name: new RegExp(name) }).first())
      await page.getByRole('region', { name, exact: true }).waitFor()
    },
    openMenuOf: text => openMenu(locateMessages(page).getByRole('listitem').filter({ hasText: text })),
  }
}

function locateField(dialog: Locator, label: string): Locator {
  return dialog
    .locator('.b-field')
    .filter({ has: dialog.page().locator('label', { hasText: new RegExp(`^${label}`) }) })
}

/** Whether the whole of it can be seen without scrolling. */
export async function waitUntilInView(page: Page, target: Locator): Promise<void> {
  await waitUntil('it is in view', async () => {
    const box = await target.boundingBox()
    const size = page.viewportSize()
    if (!box || !size) return false
    return box.y >= 0 && box.x >= 0 && box.y + box.height <= size.height && box.x + box.width <= size.width
  })
}
