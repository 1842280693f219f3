// Whether somebody is at the screen: a key, a pointer or a wheel in any window of this browser within five minutes.
import { remember } from '../browser/index.ts'

const STORED = 'balcao.activeAt'
const IDLE_MS = 300_000
const NOTED_EVERY_MS = 10_000
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const

let activeAt = Date.now()
let wasIdle = false

/** Nobody has touched any window of this browser for a while. */
export function isIdle(now = Date.now()): boolean {
  const elsewhere = Number(localStorage.getItem(STORED) ?? 0)
  return now - Math.max(activeAt, elsewhere) >= IDLE_MS
}

/** Watches for good; tells when somebody left the screen and when they are back. */
export function watchActivity(turned: () => void) {
  function note() {
    const now = Date.now()
    if (now - activeAt < NOTED_EVERY_MS && !wasIdle) return
    activeAt = now
    remember(STORED, String(now))
    check()
  }
  function check() {
    const idle = isIdle()
    if (idle === wasIdle) return
    wasIdle = idle
    turned()
  }
  for (const sign of SIGNS) window.addEventListener(sign, note, { passive: true, capture: true })
  setInterval(check, 15_000)
}
