// What goes on for a while ends with the session of who began it, whichever process ended that.
import { AppError } from '../../platform/http/errors.ts'
import type { Parts } from '../kit/parts.ts'
import { loadSession, type Session } from './authenticate.ts'

const CHECK_MS = 1000

/** Aborts what runs within a second after its session is over, or its person's hours. Returns what ends the watch. */
export function watchSession(
  parts: Pick<Parts, 'db'>,
  { viewer, family }: Pick<Session, 'viewer' | 'family'>,
  running: AbortController,
): () => void {
  const timer = setInterval(() => {
    loadSession(parts, { userId: viewer.id, family }).catch((error: unknown) => {
      // A database that does not answer is no end of a session: it is asked again.
      if (error instanceof AppError) running.abort()
    })
  }, CHECK_MS)
  const stop = () => clearInterval(timer)
  running.signal.addEventListener('abort', stop, { once: true })
  return stop
}
