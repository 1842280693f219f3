import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Thread } from './thread.ts'

const AGAIN_MS = 5000

/**
 * Marks messages as read, only when they are: it is this person's to read them, the page is seen, and they are in view or above it.
 * `seen` is the lowest of them.
 */
export function useMarkRead(
  { lane, unread, reads, readsInParts, markRead }: Thread,
  seen: number | null,
  atEnd: boolean,
) {
  const visible = usePageVisible()
  const [failed, setFailed] = useState(0)
  const due = unread > 0 && reads && visible && seen !== null && (atEnd || readsInParts)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each further unread message is marked too
  useEffect(() => {
    if (!due || seen === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    markRead(seen).catch(() => {
      timer = setTimeout(() => setFailed(failed + 1), AGAIN_MS)
    })
    return () => clearTimeout(timer)
  }, [due, lane, unread, failed, seen])
}

/** Whether the page is seen. */
export function usePageVisible(): boolean {
  return useSyncExternalStore(onVisibilityChange, () => document.visibilityState === 'visible')
}

function onVisibilityChange(listener: () => void) {
  document.addEventListener('visibilitychange', listener)
  window.addEventListener('focus', listener)
  return () => {
    document.removeEventListener('visibilitychange', listener)
    window.removeEventListener('focus', listener)
  }
}
