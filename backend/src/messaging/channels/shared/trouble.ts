// What is wrong with a connection, as its card tells it, whatever its kind.
import type { ConnectionTrouble } from '@balcao/contract'

/** A trouble as a driver knows it. `afterMs`: until it tries again by itself. */
export type TroubleReport = Pick<ConnectionTrouble, 'code' | 'reason' | 'next'> & { readonly afterMs?: number | null }

/** Keeps since when something has been wrong, and how often it was tried. */
export class Trouble {
  private since: string | null = null

  /** `attempt`: failed ones in a row. */
  constructor(public attempt = 0) {}

  describe({ code, reason, next, afterMs = null }: TroubleReport): ConnectionTrouble {
    this.since ??= new Date().toISOString()
    const nextTryAt = afterMs === null ? null : new Date(Date.now() + afterMs).toISOString()
    return { code, reason, next, since: this.since, attempt: this.attempt, nextTryAt }
  }

  /** The next one begins anew. */
  clear(): void {
    this.since = null
  }
}
