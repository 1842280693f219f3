// Screens of the gallery, gone through with Tab and by what arrows reach: the ring of what has the focus is seen whole, cut by nothing
// that hides what reaches beyond it.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { JSHandle, Page } from 'playwright-core'
import { type BrowserHarness, openBrowserHarness, type Screen, type ScreenSize } from './stage.ts'

/** `SCREEN=nps,reports`: those whose name holds one of the words. */
const ONLY = process.env.SCREEN?.split(',')
/** More stops than the longest screen has. */
const MOST_STOPS = 200

/** Makes a test of each of these screens, at one width; those of one device alone are of the first. */
export function testFocusRings(
  screens: readonly Screen[],
  device: Extract<ScreenSize, 'desk' | 'phone'> = 'desk',
): void {
  let harness: BrowserHarness

  beforeAll(async () => {
    harness = await openBrowserHarness({ quick: true })
  }, 120_000)

  afterAll(() => harness?.close(), 30_000)

  describe(`the ring of what has the focus is whole at ${device === 'desk' ? 1440 : 390} px`, () => {
    for (const screen of screens) {
      if (ONLY && !ONLY.some(word => screen.name.includes(word))) continue
      if (screen.on && device === 'phone') continue
      test(screen.name, async () => {
        expect(await harness.show(screen, screen.on ?? device, findCutRings)).toEqual([])
      }, 90_000)
    }
  })
}

/** What has its ring cut, in words; the screen has to have something that takes the focus. */
export async function findCutRings(page: Page): Promise<string[]> {
  const seen = await page.evaluateHandle(() => new Set<Element>())
  const cut = new Set<string>()
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    await page.keyboard.press('Tab')
    const found = await measureAtRest(seen)
    if (found === 'again') break
    if (found) cut.add(found)
  }
  const stops = await seen.evaluate(all => all.size)
  if (stops === 0) throw new Error('Tab reached nothing')
  // What one stop of Tab has inside: tabs, messages, the items of a menu.
  for (let stop = 0; stop < MOST_STOPS && (await seen.evaluate(focusNextInside)); stop++) {
    const found = await measureAtRest(seen)
    if (found && found !== 'again') cut.add(found)
  }
  await seen.dispose()
  return [...cut]
}

/** What is on its way may still have grown above: it is scrolled to once more, as the focus did, before its ring counts as cut. */
async function measureAtRest(seen: JSHandle<Set<Element>>): Promise<string | null> {
  const found = await seen.evaluate(measureFocusRing, { isLookedAtAgain: false })
  if (found === null || found === 'again') return found
  await seen.evaluate(() => document.activeElement?.scrollIntoView({ block: 'nearest', inline: 'nearest' }))
  return seen.evaluate(measureFocusRing, { isLookedAtAgain: true })
}

/** Gives the focus to what Tab does not stop at, one after another; false when all had it. Keys were pressed last, so its ring shows. */
function focusNextInside(seen: Set<Element>): boolean {
  const inner = ':is(button, a, [role=tab], [role=menuitem], [role=radio], [role=listitem])[tabindex="-1"]'
  for (const one of document.querySelectorAll<HTMLElement>(inner)) {
    if (seen.has(one) || !one.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
    one.focus()
    if (document.activeElement === one) return true
    seen.add(one)
  }
  return false
}

/** Looks at what has the focus now: what cuts its ring, in words, null where nothing does, and `again` when it was looked at before. */
function measureFocusRing(seen: Set<Element>, { isLookedAtAgain }: { isLookedAtAgain: boolean }): string | null {
  const focused = document.activeElement
  if (!focused || focused === document.body) return null
  if (seen.has(focused) && !isLookedAtAgain) return 'again'
  seen.add(focused)
  for (const painter of listPainters(focused)) {
    const cut = describeCut(painter)
    if (cut) return `${nameElement(focused)}: ${cut}`
  }
  return null

  /** The ring is drawn by the element, by a row of it, by what it stands in, or by the box beside a field that is not seen itself. */
  function listPainters(element: Element): Element[] {
    const all: Element[] = [element]
    if (element.nextElementSibling) all.push(element.nextElementSibling)
    // A list that keeps the focus shows it at its row.
    if (getComputedStyle(element).outlineStyle === 'none') all.push(...element.querySelectorAll('.is-active'))
    for (let one = element.parentElement; one && one !== document.body; one = one.parentElement) all.push(one)
    return all.filter(one => {
      // A list of choices is drawn by what stands around its field, which is hidden.
      if (one.closest('.p-hidden-accessible')) return false
      const style = getComputedStyle(one)
      const { width, height } = one.getBoundingClientRect()
      return style.opacity !== '0' && width > 1 && height > 1 && readRing(style) !== null
    })
  }

  /** How far the ring reaches beyond the border: less than nothing for one that lies inside. */
  function readRing({ outlineStyle, outlineWidth, outlineOffset }: CSSStyleDeclaration): number | null {
    const width = Number.parseFloat(outlineWidth)
    return outlineStyle === 'none' || width === 0 ? null : width + Number.parseFloat(outlineOffset)
  }

  function describeCut(painter: Element): string | null {
    const reach = Math.max(0, readRing(getComputedStyle(painter)) ?? 0)
    const box = painter.getBoundingClientRect()
    let { position } = getComputedStyle(painter)
    for (let around = painter.parentElement; around && around !== document.body; around = around.parentElement) {
      const style = getComputedStyle(around)
      const isFrame =
        style.transform !== 'none' || style.filter !== 'none' || /paint|strict|content/.test(style.contain)
      const isPassed =
        position === 'fixed' ? !isFrame : position === 'absolute' && style.position === 'static' && !isFrame
      if (isPassed) continue
      position = style.position
      const side = findCutSide(box, reach, around, style)
      if (side) return `${nameElement(painter)} is cut at its ${side} by ${nameElement(around)}`
    }
    const page = { left: 0, top: 0, right: innerWidth, bottom: innerHeight }
    const side = findSideBeyond(box, reach, page, { x: true, y: true })
    return side && `${nameElement(painter)} is cut at its ${side} by the window`
  }

  function findCutSide(box: DOMRect, reach: number, around: Element, style: CSSStyleDeclaration): string | null {
    const clipsAll = /paint|strict|content/.test(style.contain) || style.contentVisibility === 'auto'
    const cuts = { x: clipsAll || style.overflowX !== 'visible', y: clipsAll || style.overflowY !== 'visible' }
    if ((!cuts.x && !cuts.y) || style.display === 'contents' || style.display === 'inline') return null
    const outer = around.getBoundingClientRect()
    const margin =
      style.overflowX === 'clip' ? Number.parseFloat(style.getPropertyValue('overflow-clip-margin')) || 0 : 0
    const left = outer.left + around.clientLeft - margin
    const top = outer.top + around.clientTop - margin
    const right = outer.left + around.clientLeft + around.clientWidth + margin
    const bottom = outer.top + around.clientTop + around.clientHeight + margin
    return findSideBeyond(box, reach, { left, top, right, bottom }, cuts)
  }

  /** What is itself larger than its frame is scrolled within it, and is not to be seen whole in any case. */
  function findSideBeyond(
    box: DOMRect,
    reach: number,
    frame: { left: number; top: number; right: number; bottom: number },
    cuts: { x: boolean; y: boolean },
  ): string | null {
    const slack = 0.75
    if (cuts.x && box.width <= frame.right - frame.left + slack) {
      if (box.left - reach < frame.left - slack) return 'left'
      if (box.right + reach > frame.right + slack) return 'right'
    }
    if (cuts.y && box.height <= frame.bottom - frame.top + slack) {
      if (box.top - reach < frame.top - slack) return 'top'
      if (box.bottom + reach > frame.bottom + slack) return 'bottom'
    }
    return null
  }

  function nameElement(element: Element): string {
    const words = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 24)
    return [element.localName, ...element.classList].join('.') + (element === focused && words ? ` "${words}"` : '')
  }
}
