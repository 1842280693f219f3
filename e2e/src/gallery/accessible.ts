// Every screen, dialog and state of the gallery, read by axe: WCAG 2.2 AA, in light at 1440 px and in dark at 390 px. A width is a file
// of its own under `test`: the two are read side by side.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { accessibilityFindings } from '../desk.ts'
import { SCREENS } from './screens.ts'
import { type Device, openTheatre, type Theatre } from './stage.ts'

/** `SCREEN=nps,reports`: those whose name holds one of the words. */
const ONLY = process.env.SCREEN?.split(',')

/** Makes the tests of one width. */
export function readScreens(device: Device): void {
  let theatre: Theatre

  beforeAll(async () => {
    theatre = await openTheatre({ quick: true })
  }, 120_000)

  afterAll(() => theatre?.close(), 30_000)

  describe(`WCAG 2.2 AA, ${device === 'desk' ? 'light at 1440 px' : 'dark at 390 px'}`, () => {
    for (const screen of SCREENS) {
      if ((screen.on ?? device) !== device || (screen.state && device === 'desk')) continue
      if (ONLY && !ONLY.some(word => screen.name.includes(word))) continue
      test(screen.name, async () => {
        const findings = await theatre.show(screen, device, page => accessibilityFindings(page))
        expect(findings.filter(finding => !isExcepted(finding, screen.except ?? {}))).toEqual([])
      }, 90_000)
    }
  })
}

function isExcepted(finding: string, except: Readonly<Record<string, string>>): boolean {
  return Object.keys(except).some(rule => finding.startsWith(`${rule}:`))
}
