// Where what is done comes from: known at the door, and needed where the log is written, with everything between that need not know it.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { LogSource } from '@balcao/contract'

const here = new AsyncLocalStorage<LogSource>()

/** Does something, and its entries in the log come from there. */
export function runWithLogSource<T>(source: LogSource, work: () => T): T {
  return here.run(source, work)
}

/** Outside of a request it is the desk itself. */
export function getLogSource(): LogSource {
  return here.getStore() ?? 'auto'
}

/** Where a request comes from, as it says itself: this is told in the log and decides nothing. */
export function detectLogSource({ headers }: Request): LogSource {
  const agent = headers.get('user-agent') ?? ''
  if (agent.startsWith('balcao-terminal')) return 'terminal'
  if (!agent.startsWith('Mozilla/')) return 'api'
  return /\bMobile\b|\bAndroid\b/.test(agent) ? 'phone' : 'web'
}
