// Where notices stand: on no button, whichever page, dialog or width there is. Pure, but for what is looked at.
export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export interface Spot {
  readonly left: number
  readonly top: number
}

const STEP = 8
const MARGIN = 12
const GAP = 6

/**
 * The first place for something of this size: at the right from the top down, then in the middle, then at the left. Where everything
 * is taken, the one that covers least. What is as wide as a phone stands nearest to the top, on what scrolls there if need be: between
 * the buttons of a list it would be in the midst of what is read.
 *
 * @param taken what must stay free, and how much it matters: a button more than a row
 * @param now where it stands; it stays there while that is free
 */
export function findFreeSpot(
  size: { readonly width: number; readonly height: number },
  room: { readonly width: number; readonly height: number },
  taken: readonly (Box & { readonly weight: number })[],
  now: Spot | null = null,
): Spot {
  const coveredAt = ({ left, top }: Spot) => {
    const box = { left: left - GAP, top: top - GAP, right: left + size.width + GAP, bottom: top + size.height + GAP }
    return taken.reduce((sum, other) => sum + (hasOverlap(box, other) ? other.weight : 0), 0)
  }
  const fits = now !== null && now.left + size.width <= room.width && now.top + size.height <= room.height
  const most = size.width > room.width / 2 ? PRESSED_WEIGHT - 1 : 0
  if (fits && coveredAt(now) <= most) return now
  const right = room.width - size.width - MARGIN
  let best: Spot = { left: right, top: MARGIN }
  let least = Number.POSITIVE_INFINITY
  for (const left of new Set([right, Math.round((room.width - size.width) / 2), MARGIN]))
    for (let top = MARGIN; top + size.height <= room.height - MARGIN; top += STEP) {
      const covered = coveredAt({ left, top })
      if (covered >= least) continue
      if (covered <= most) return { left, top }
      least = covered
      best = { left, top }
    }
  return best
}

function hasOverlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

const PRESSED_WEIGHT = 100
const SCROLLED_WEIGHT = 10
const PRESSED = 'button,a[href],input,select,textarea,[role="button"],[role="tab"],[role="combobox"],.p-dropdown'
const ROWS = '[role="option"],[role="menuitem"],.b-dialog'
/** What scrolls by, with the buttons in it. */
const SCROLLED = 'li:not(nav li),[role="option"]'

/** What people press or write in now, apart from what stands in `except`. What lies under a dialog waits for it. */
export function listPressables(except: HTMLElement): (Box & { weight: number })[] {
  const modal = [...document.querySelectorAll<HTMLElement>('[aria-modal="true"]')].at(-1)
  const found = [...listBoxes(modal ?? document, PRESSED, PRESSED_WEIGHT), ...listBoxes(document, ROWS, 1)]
  return found.filter(({ element }) => !except.contains(element)).map(({ box, weight }) => ({ ...box, weight }))
}

function listBoxes(within: ParentNode, selector: string, weight: number) {
  return [...within.querySelectorAll<HTMLElement>(selector)]
    .filter(element => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .map(element => {
      const { left, top, right, bottom } = element.getBoundingClientRect()
      const most = element.closest(SCROLLED) ? SCROLLED_WEIGHT : PRESSED_WEIGHT
      return { element, weight: Math.min(weight, most), box: { left, top, right, bottom } }
    })
    .filter(({ box }) => box.right > box.left && box.bottom > box.top)
}
