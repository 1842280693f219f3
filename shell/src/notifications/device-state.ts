// What this browser remembers of how it tells its person.
import { remember } from '@balcao/ui/browser'

const MUTED = 'balcao.muted'
const PUSHED = 'balcao.pushed'

/** No sounds in this browser. */
export function isMuted(): boolean {
  return localStorage.getItem(MUTED) !== null
}

export function setMuted(muted: boolean): void {
  if (muted) remember(MUTED, '1')
  else localStorage.removeItem(MUTED)
}

/** A push service reaches this browser with the tab closed. */
export function isPushed(): boolean {
  return localStorage.getItem(PUSHED) !== null
}

export function setPushed(pushed: boolean): void {
  if (pushed) remember(PUSHED, '1')
  else localStorage.removeItem(PUSHED)
}
