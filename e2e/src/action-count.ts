import type { Page } from 'playwright-core'

/**
 * How many clicks and keys a page receives while something is done, whoever sends them. What is typed is not counted, only letters that
 * the page takes for a key; nor is holding Ctrl or Shift: Ctrl+Shift+Enter is one.
 */
export async function countActions(page: Page, perform: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const { dataset } = document.documentElement
    const isFirst = dataset.actions === undefined
    dataset.actions = '0'
    if (!isFirst) return
    const add = () => {
      dataset.actions = String(Number(dataset.actions) + 1)
    }
    window.addEventListener('pointerdown', add, true)
    window.addEventListener(
      'keydown',
      event => {
        if (['Control', 'Shift', 'Alt', 'Meta'].includes(event.key)) return
        // Whether it acts is known once everybody has heard it.
        setTimeout(() => (event.key.length > 1 || event.defaultPrevented) && add())
      },
      true,
    )
  })
  await perform()
  return Number(await page.evaluate(() => document.documentElement.dataset.actions))
}
