// Screens, dialogs and states of the gallery, read by axe (WCAG 2.2 AA): in light at 1440 px, then the same page in dark at 390 px.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { findAccessibilityIssues } from '../desk.ts'
import { type BrowserHarness, openBrowserHarness, type Screen, type ScreenSize } from './stage.ts'

/** `SCREEN=nps,reports`: those whose name holds one of the words. */
const ONLY = process.env.SCREEN?.split(',')

/** Makes a test of each of these screens. */
export function testAccessibility(screens: readonly Screen[]): void {
  let harness: BrowserHarness

  beforeAll(async () => {
    harness = await openBrowserHarness({ quick: true })
  }, 120_000)

  afterAll(() => harness?.close(), 30_000)

  describe('WCAG 2.2 AA, light at 1440 px and dark at 390 px', () => {
    for (const screen of screens) {
      if (ONLY && !ONLY.some(word => screen.name.includes(word))) continue
      test(screen.name, async () => {
        const device = screen.state ? 'phone' : (screen.on ?? 'desk')
        const findings = await harness.show(screen, device, async (page, narrow) => {
          const first = await readAs(page, device)
          if (device === 'phone' || screen.on) return first
          await narrow()
          return [...first, ...(await readAs(page, 'phone'))]
        })
        expect(findings.filter(finding => !isExcepted(finding, screen.except ?? {}))).toEqual([])
      }, 90_000)
    }
  })
}

/** What is read is what the name of the tests says. */
async function readAs(page: Page, device: ScreenSize): Promise<string[]> {
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  expect([page.viewportSize()?.width, isDark]).toEqual(device === 'desk' ? [1440, false] : [390, true])
  return findAccessibilityIssues(page)
}

function isExcepted(finding: string, except: Readonly<Record<string, string>>): boolean {
  return Object.keys(except).some(rule => finding.startsWith(`${rule}:`))
}
