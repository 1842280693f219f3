import { createLive } from '@balcao/client'
import { forgetAhead } from '../api/ahead.ts'
import { api } from '../api/index.ts'
import { session } from '../session/store.ts'
import { isIdle, watchActivity } from './activity.ts'

export type { Live, LiveState } from '@balcao/client'
export { createThrottle } from './throttle.ts'
export { isNewer, upsertByVersion } from './versions.ts'

const TOKEN_MS = 10_000

/**
 * The page's socket; the shell starts it after sign-in. Its state is in `session.connection`.
 *
 * @example
 * useEffect(() => live.on('ticket', apply), [apply])
 * useEffect(() => live.onReset(load), [load])
 * useEffect(() => live.join(ticketId), [ticketId])
 */
export const live = createLive({
  idle: isIdle,
  onError: reportError,
  visible: () => document.visibilityState === 'visible',
  // A request on a dead line has no end of its own.
  token: async () => (await api('POST /auth/socket', { signal: AbortSignal.timeout(TOKEN_MS) })).token,
  address: () => `${location.origin.replace(/^http/, 'ws')}/socket`,
  /** Also after each event. */
  onState(next) {
    forgetAhead()
    const now = session.connection
    if (now.state !== next.state) now.since = Date.now()
    Object.assign(now, next)
  },
})

watchActivity(() => live.heartbeat())
window.addEventListener('online', live.wake)
window.addEventListener('offline', live.drop)
document.addEventListener('visibilitychange', live.turned)

/**
 * One way to stop for several.
 *
 * @example useEffect(() => combineStops(live.on('queue', load), live.onReset(load)), [load])
 */
export function combineStops(...stops: readonly (() => unknown)[]): () => void {
  return () => {
    for (const stop of stops) stop()
  }
}
