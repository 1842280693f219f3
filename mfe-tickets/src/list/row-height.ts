// Rows lie at computed places, and their text follows the browser's font size: so do the places (look §3).
import { useSyncExternalStore } from 'react'

/** As `.t-row` in list.css. */
const ROW_REM = 4.75
const USUAL_PX = 16

/** The height of a row in px. */
export function useRowHeight(): number {
  return useSyncExternalStore(subscribe, getRowHeight)
}

function getRowHeight(): number {
  const size = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  return Math.round(ROW_REM * (Number.isNaN(size) ? USUAL_PX : size))
}

/** A root that is measured in rem changes with the font size, be it set by the browser or by the system. */
function subscribe(changed: () => void) {
  const observer = new ResizeObserver(changed)
  const probe = document.body.appendChild(document.createElement('div'))
  probe.style.cssText = 'position:absolute;inset:0 auto auto 0;visibility:hidden;inline-size:1rem;block-size:1rem'
  observer.observe(probe)
  return () => {
    observer.disconnect()
    probe.remove()
  }
}
