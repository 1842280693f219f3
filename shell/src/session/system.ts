// What the sign-in page and the app bar must know before anybody signs in.
import type { ResponseBody } from '@balcao/contract'
import { api, isApiError } from '@balcao/ui/api'
import { session } from '@balcao/ui/session'
import { useSyncExternalStore } from 'react'

type System = ResponseBody<'GET /system'>

let system: System | undefined
const listeners = new Set<() => void>()

const PATIENCE = 5000
/** Who has just paid does not reload the page. */
const WHILE_BLOCKED = 60_000
let again: ReturnType<typeof setTimeout> | undefined

/** Asks the server; tries again every 5 s until it answers, and every minute while the system is blocked. */
export async function loadSystem() {
  clearTimeout(again)
  try {
    system = await api('GET /system')
    session.product = system.product
    session.company = system.company
    session.version = system.version
    document.title = system.product
    for (const listener of listeners) listener()
    if (system.blocked) reloadLater(WHILE_BLOCKED)
  } catch (error) {
    if (!isApiError(error)) throw error
    reloadLater(PATIENCE)
  }
}

function reloadLater(ms: number) {
  clearTimeout(again)
  again = setTimeout(() => void loadSystem(), ms)
}

/** The answer, or undefined until there is one. */
export function useSystem() {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => system,
  )
}
