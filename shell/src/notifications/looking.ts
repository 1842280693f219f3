// What is looked at in this tab, for the other ones.
import { useLocation } from '@balcao/ui/router'
import { useEffect } from 'react'
import { parseConversationKey } from './places.ts'

/** Tells the other tabs which conversation is looked at here, that this tab is seen, and that it has the focus: by locks, which end with the tab. */
export function useLooking() {
  const { pathname } = useLocation()
  const conversation = parseConversationKey(pathname)
  useEffect(() => {
    const { locks } = navigator
    if (!locks) return
    let held: AbortController[] = []
    function hold(name: string) {
      const ending = new AbortController()
      held.push(ending)
      const until = new Promise<void>(resolve => ending.signal.addEventListener('abort', () => resolve()))
      void locks.request(`balcao.${name}`, { mode: 'shared' }, () => (ending.signal.aborted ? undefined : until))
    }
    function check() {
      for (const one of held) one.abort()
      held = []
      if (document.visibilityState !== 'visible') return
      hold('seen')
      if (document.hasFocus()) hold('focus')
      if (conversation) hold(conversation)
    }
    check()
    document.addEventListener('visibilitychange', check)
    window.addEventListener('focus', check)
    window.addEventListener('blur', check)
    return () => {
      for (const one of held) one.abort()
      document.removeEventListener('visibilitychange', check)
      window.removeEventListener('focus', check)
      window.removeEventListener('blur', check)
    }
  }, [conversation])
}
