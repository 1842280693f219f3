// The way to what is wrong in a form.
import { flushSync } from 'react-dom'

/**
 * Draws what `say` sets, opens the section of the first wrong field in `box` and goes there, all at once: a frame later the first
 * letters would have gone to the button.
 */
export function toFirstFault(box: HTMLElement | null, say: () => void): void {
  flushSync(say)
  const wrong = box?.querySelector<HTMLElement>('[aria-invalid="true"]')
  wrong?.closest('details')?.setAttribute('open', '')
  wrong?.focus()
  // The focus alone leaves it half under the foot.
  wrong?.scrollIntoView({ block: 'center' })
}
