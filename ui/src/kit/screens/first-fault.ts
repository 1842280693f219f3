// The way to what in a form has to be looked at.
import { flushSync } from 'react-dom'

/**
 * Draws what `say` sets, opens the section of the first wrong field in `box` and goes there, all at once: a frame later the first
 * letters would have gone to the button.
 */
export function focusFirstFault(box: HTMLElement | null, say: () => void): void {
  flushSync(say)
  focusElement(box?.querySelector<HTMLElement>('[aria-invalid="true"]'))
}

/**
 * Draws what `say` sets and goes to the first field beside which the words of somebody else stand now; where there is none, to the button
 * that saves: what was pressed to get here is gone.
 */
export function focusClash(box: HTMLElement | null, say: () => void): void {
  flushSync(say)
  const field = box?.querySelector('[data-clash]')?.closest('.b-field')
  const beside = field?.querySelector<HTMLElement>('input,textarea,[tabindex]')
  focusElement(beside ?? box?.closest('form')?.querySelector<HTMLElement>('[type="submit"]'))
}

function focusElement(found: HTMLElement | null | undefined): void {
  found?.closest('details')?.setAttribute('open', '')
  found?.focus()
  // The focus alone leaves it half under the foot.
  found?.scrollIntoView({ block: 'center' })
}
