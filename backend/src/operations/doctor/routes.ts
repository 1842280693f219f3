import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve } from '../../policy/kit/serve.ts'
import { countAttempt } from '../../policy/sessions/attempts.ts'
import { runCheckUp } from './check-up.ts'

/** So often in a minute one person has outside hosts asked. */
const A_MINUTE = 6
const MINUTE_MS = 60_000

export function doctorRoutes(parts: Parts): Route[] {
  return [
    serve('GET /doctor', async ({ session }) => {
      const minute = Math.floor(Date.now() / MINUTE_MS)
      await countAttempt(parts.db, [{ key: `doctor:${session.viewer.id}:${minute}`, free: A_MINUTE, own: true }])
      return runCheckUp(parts)
    }),
  ]
}
