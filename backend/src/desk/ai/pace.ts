// How often one person may ask the AI, in this process: each request costs money, and whoever clicks impatiently asks twice.
import { createRateLimitError } from '../../platform/http/errors.ts'

const MINUTE_MS = 60_000
const MOST_A_MINUTE = 20
/** A new one ends the older of them. */
const MOST_AT_ONCE = 2

export type AiPace = ReturnType<typeof createAiPace>

export function createAiPace() {
  const recent = new Map<number, readonly number[]>()
  const running = new Map<number, readonly AbortController[]>()

  function forgetOld(now: number) {
    for (const [userId, times] of recent) if (times.every(at => now - at >= MINUTE_MS)) recent.delete(userId)
  }

  return {
    /** Throws 429 `ERR_TOO_MANY_ATTEMPTS`, or gives what ends the request; to be given back by `end`. */
    begin(userId: number, now = Date.now()): AbortController {
      forgetOld(now)
      const times = (recent.get(userId) ?? []).filter(at => now - at < MINUTE_MS)
      const [oldest = now] = times
      if (times.length >= MOST_A_MINUTE) throw createRateLimitError((oldest + MINUTE_MS - now) / 1000)
      recent.set(userId, [...times, now])
      const own = running.get(userId) ?? []
      for (const older of own.slice(0, own.length + 1 - MOST_AT_ONCE)) older.abort()
      const request = new AbortController()
      running.set(userId, [...own.slice(own.length + 1 - MOST_AT_ONCE), request])
      return request
    },
    end(userId: number, request: AbortController): void {
      const left = (running.get(userId) ?? []).filter(one => one !== request)
      if (left.length > 0) running.set(userId, left)
      else running.delete(userId)
    },
  }
}
