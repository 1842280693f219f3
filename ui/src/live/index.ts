import { api } from '../api/index.ts'
import { session } from '../session/store.ts'
import { isIdle, watchActivity } from './activity.ts'
import { createLive } from './client.ts'

export { createLive, type Live, type LiveState } from './client.ts'
export { isNewer, upsertByVersion } from './versions.ts'

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
  token: async () => (await api('POST /auth/socket')).token,
  address: () => `${location.origin.replace(/^http/, 'ws')}/socket`,
  onState(next) {
    const now = session.connection
    if (now.state !== next.state) now.since = Date.now()
    Object.assign(now, next)
  },
})

watchActivity(() => live.heartbeat())
