// Screens, dialogs and states of the gallery, read by axe (WCAG 2.2 AA): in light at 1440 px, then the same page in dark at 390 px.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { findAccessibilityIssues } from '../desk.ts'
import { type BrowserHarness, openBrowserHarness, type Screen } from './stage.ts'

/** `SCREEN=nps,reports`: those whose name holds one of the words. */
const ONLY = process.env.SCREEN?.split(',')

/** Makes a test of each of these screens. */
export function testAccessibility(screens: readonly Screen[]): void {
  let theatre: BrowserHarness

  beforeAll(async () => {
    theatre = await openBrowserHarness({ quick: true })
  }, 120_000)

  afterAll(() => theatre?.close(), 30_000)

  describe('WCAG 2.2 AA, light at 1440 px and dark at 390 px', () => {
    for (const screen of screens) {
      if (ONLY && !ONLY.some(word => screen.name.includes(word))) continue
      test(screen.name, async () => {
        const device = screen.state ? 'phone' : (screen.on ?? 'desk')
        const findings = await theatre.show(screen, device, async (page, narrow) => {
          const wide = await findAccessibilityIssues(page)
          if (device === 'phone' || screen.on) return wide
          await narrow()
          return [...wide, ...(await findAccessibilityIssues(page))]
        })
        expect(findings.filter(finding => !isExcepted(finding, screen.except ?? {}))).toEqual([])
      }, 90_000)
    }
  })
}

function isExcepted(finding: string, except: Readonly<Record<string, string>>): boolean {
  return Object.keys(except).some(rule => finding.startsWith(`${rule}:`))
}
