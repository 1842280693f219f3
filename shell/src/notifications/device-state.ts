// What this browser remembers of how it tells its person.

const MUTED = 'balcao.muted'
const PUSHED = 'balcao.pushed'

/** No sounds in this browser. */
export function isMuted(): boolean {
  return localStorage.getItem(MUTED) !== null
}

export function setMuted(muted: boolean): void {
  if (muted) localStorage.setItem(MUTED, '1')
  else localStorage.removeItem(MUTED)
}

/** A push service reaches this browser with the tab closed. */
export function isPushed(): boolean {
  return localStorage.getItem(PUSHED) !== null
}

export function setPushed(pushed: boolean): void {
  if (pushed) localStorage.setItem(PUSHED, '1')
  else localStorage.removeItem(PUSHED)
}
