// What is wrong with the database rather than with what was asked of it: it passes, and the same may be asked again.

/** `away`: the database, or the way to it · `busy`: it is there, but somebody holds what is wanted, or it took too long. */
export type DatabaseFault = 'away' | 'busy'

/** Shut down, crashed, starting, full (of connections, of data), or a connection that broke; the driver's own words and the system's. */
const AWAY =
  /^(57P0[1-5]|53\w{3}|08\w{3}|25P0[34]|CONNECTION_|CONNECT_TIMEOUT|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/
/** Serialisation, deadlock, a lock not got in time, a statement that took too long. */
const BUSY = /^(40001|40P01|55P03|57014)/

/** The passing fault behind an error, wherever it was wrapped; null when it is of another kind. */
export function findDatabaseFault(error: unknown): DatabaseFault | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = 'code' in at ? String(at.code) : ''
    if (BUSY.test(code)) return 'busy'
    if (AWAY.test(code) && isOfDatabase(at)) return 'away'
  }
  return null
}

/** A provider's connection breaks with the same words of the system: only the driver's errors name a query or an address of its own. */
function isOfDatabase(error: Error): boolean {
  return 'query' in error || ('code' in error && /^CONNECT(ION)?_/.test(String(error.code)))
}

/** What Postgres says of a disk of its own that is full; null: it says something else. */
export function findFullDisk(error: unknown): string | null {
  return error instanceof Error && getSqlState(error) === '53100' ? error.message : null
}

/** What either driver says of a database that went away while it was worked on; null: it says something else. What lies behind an error that
 * is none of theirs, nor names their query, is somebody else's line. */
export function findLostConnection(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const code = 'code' in error ? String(error.code) : ''
  const isLost = AWAY.test(code) || /^(Connection terminated|Client was closed)/.test(error.message)
  if (isLost) return error.message
  return 'query' in error ? findLostConnection(error.cause) : null
}

/** Does what must be done in the end: tried again while the database is away or busy, as long as it is still wanted. */
export async function retryWhileUnavailable<T>(work: () => Promise<T>, wanted: () => boolean = () => true): Promise<T> {
  for (let pause = 20; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
    try {
      return await work()
    } catch (error) {
      if (!findDatabaseFault(error) || !wanted()) throw error
      await Bun.sleep(pause)
    }
  }
}

const LONGEST_PAUSE_MS = 500

/** The five-character code of an error of Postgres, wherever Drizzle has wrapped it. */
export function getSqlState(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if ('code' in error && typeof error.code === 'string') return error.code
  return getSqlState(error.cause)
}

/** The constraint or index that refused a row; empty: none did. */
export function getViolatedConstraint(error: unknown): string {
  if (!(error instanceof Error)) return ''
  return 'constraint_name' in error ? String(error.constraint_name) : getViolatedConstraint(error.cause)
}
