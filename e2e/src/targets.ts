// What a finger or a pointer has to hit (WCAG 2.2, 2.5.8): 24 by 24 px, or so much room around it that nothing else is hit instead.
import type { Page } from 'playwright-core'

/** The targets in sight that are too small and stand too near to another one, in words. */
export async function findSmallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const LEAST = 24
    const all =
      'a[href], button, input, select, textarea, summary, [role=button], [role=link], [role=tab], [role=switch], [role=checkbox], [role=radio], [role=option], [role=menuitem], [role=slider], [tabindex="0"]'
    const targets = [...document.querySelectorAll<HTMLElement>(all)].filter(isTarget).map(element => {
      const label = element instanceof HTMLInputElement ? element.labels?.[0] : null
      return { element, ...measure(element, label ?? element.closest('label')) }
    })
    return targets
      .filter(each => each.width < LEAST - 0.5 || each.height < LEAST - 0.5)
      .filter(each => !isInSentence(each.element))
      .filter(each => targets.some(other => other !== each && isNear(each, other)))
      .map(each => `${nameOf(each.element)}: ${Math.round(each.width)} × ${Math.round(each.height)}`)

    type Measure = ReturnType<typeof measure>

    function isTarget(element: HTMLElement): boolean {
      if (element.matches(':disabled, [aria-disabled=true], [type=hidden]')) return false
      // Rows and boxes that only scroll by the keyboard are no targets.
      if (element.matches('[tabindex="0"]:not(a, button, input, summary, textarea, [role])')) return false
      const { x, y, width, height } = element.getBoundingClientRect()
      if (width < 2 || height < 2) return false
      const at = document.elementFromPoint(x + width / 2, y + height / 2)
      return at !== null && isHit(element, at)
    }

    /** Whether what lies there is the target, or brings to it what is pressed. */
    function isHit(element: Element, at: Element): boolean {
      return element.contains(at) || (at.closest('label')?.control ?? null) === element
    }

    /** As far as it is hit, to each side: a label and what is drawn around it count. */
    function measure(element: HTMLElement, label: HTMLElement | null) {
      const box = element.getBoundingClientRect()
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      const reach = (dx: number, dy: number) => {
        let far = 0
        while (far < LEAST) {
          const at = document.elementFromPoint(x + dx * (far + 1), y + dy * (far + 1))
          if (!at || !(isHit(element, at) || (label?.contains(at) ?? false))) break
          far++
        }
        return far
      }
      const width = Math.max(box.width, reach(-1, 0) + reach(1, 0) + 1)
      const height = Math.max(box.height, reach(0, -1) + reach(0, 1) + 1)
      return { x, y, width, height, box }
    }

    /** A circle of 24 px around its middle meets the other target, or the circle of one that is small as well. */
    function isNear(each: Measure, other: Measure): boolean {
      if (other.width < LEAST || other.height < LEAST) {
        if (Math.hypot(each.x - other.x, each.y - other.y) < LEAST) return true
      }
      const dx = Math.max(other.box.left - each.x, 0, each.x - other.box.right)
      const dy = Math.max(other.box.top - each.y, 0, each.y - other.box.bottom)
      return Math.hypot(dx, dy) < LEAST / 2
    }

    /** Words around it set its height. */
    function isInSentence(element: HTMLElement): boolean {
      if (getComputedStyle(element).display !== 'inline') return false
      return [...(element.parentElement?.childNodes ?? [])].some(
        node => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '',
      )
    }

    function nameOf(element: HTMLElement): string {
      const words = element.getAttribute('aria-label') ?? element.textContent ?? ''
      return `${element.tagName.toLowerCase()} “${words.trim().slice(0, 40)}” ${element.className.toString().slice(0, 60)}`
    }
  })
}
