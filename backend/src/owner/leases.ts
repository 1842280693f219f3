// Which process runs a connection: the one that holds its advisory lock. Locks live on one Postgres session of their own; when that
// session ends, so do all of them, and another process may take over at once.
import pg from 'pg'
import { OURS } from '../database/client.ts'

/** Any number, the same in every version of the product: the first half of the advisory locks' keys. */
const LOCK_SPACE = 7114
/** The lock session is asked for a sign of life this often, and given this long. */
const PULSE_MS = 2000
const PATIENCE_MS = 3000
/** For a connection's row that somebody holds: while it waits no sign of life can come, however many wait one after the other. */
const LOCK_MS = 500
const STATEMENT_MS = 10_000

export interface Leases {
  /** Takes those of the connections that nobody runs; each gets a new epoch, and older owners' writes change nothing any more. */
  take(whatsappIds: readonly number[]): Promise<Map<number, number>>
  /** A new epoch for a connection we hold (its session starts afresh). Null when it is not ours any more. */
  renew(whatsappId: number): Promise<number | null>
  give(whatsappId: number): Promise<void>
  close(): Promise<void>
}

interface LeaseOptions {
  readonly url: string
  /** The lock session ended: whatever this process runs is not its own any more. */
  readonly lost: () => void
  readonly log: { warn(fields: object, text: string): void }
}

/**
 * Leases on a session of their own. Not a pooled client: that would reconnect silently and believe that it still holds its locks.
 */
export function openLeases({ url, lost, log }: LeaseOptions): Leases {
  let session: Promise<pg.Client> | undefined
  let held = new Set<number>()
  let closed = false
  const pulse = setInterval(() => void beat(), PULSE_MS)

  function connect(): Promise<pg.Client> {
    session ??= open().catch(error => {
      session = undefined
      throw error
    })
    return session
  }

  async function open(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: PATIENCE_MS,
      application_name: `${OURS}-leases`,
      statement_timeout: STATEMENT_MS,
      lock_timeout: LOCK_MS,
    })
    client.on('error', () => ended(client))
    client.on('end', () => ended(client))
    await client.connect()
    current = client
    return client
  }

  let current: pg.Client | undefined

  function ended(client: pg.Client): void {
    if (client !== current) return
    current = undefined
    session = undefined
    if (closed) return
    const had = held.size
    held = new Set()
    if (had > 0) {
      log.warn({ connections: had }, 'the lock session ended: all connections are given up')
      lost()
    }
  }

  /** A session that does not answer is as good as gone: the server may have ended it long ago. */
  async function beat(): Promise<void> {
    const client = current
    if (!client || closed) return
    const late = Symbol('late')
    const answer = await Promise.race([
      client.query('select 1').catch(() => late),
      Bun.sleep(PATIENCE_MS).then(() => late),
    ])
    if (answer !== late || client !== current) return
    ended(client)
    client.end().catch(() => {})
  }

  return {
    async take(whatsappIds) {
      const wanted = whatsappIds.filter(id => !held.has(id))
      if (wanted.length === 0 || closed) return new Map()
      const client = await connect()
      const { rows } = await client.query<{ id: number }>(
        'select id from (select id, pg_try_advisory_lock($2, id) as got from unnest($1::int[]) as id) as tried where got',
        [wanted, LOCK_SPACE],
      )
      const epochs = new Map<number, number>()
      for (const { id } of rows) {
        held.add(id)
        const epoch = await nextEpoch(client, id).catch(error => {
          if (client !== current) throw error
          // Somebody holds its row: the next look tries again, and the others are not kept waiting for it.
          log.warn({ err: error, whatsappId: id }, 'a connection could not be taken yet')
          return null
        })
        if (epoch === null) await this.give(id)
        else epochs.set(id, epoch)
      }
      return epochs
    },
    async renew(whatsappId) {
      return current && held.has(whatsappId) ? nextEpoch(current, whatsappId) : null
    },
    async give(whatsappId) {
      if (!held.delete(whatsappId) || !current) return
      await current.query('select pg_advisory_unlock($1, $2)', [LOCK_SPACE, whatsappId])
    },
    async close() {
      closed = true
      clearInterval(pulse)
      held.clear()
      await current?.end().catch(() => {})
    },
  }
}

async function nextEpoch(client: pg.Client, whatsappId: number): Promise<number | null> {
  const { rows } = await client.query<{ epoch: string }>(
    'update whatsapp set epoch = epoch + 1 where id = $1 and deleted_at is null returning epoch',
    [whatsappId],
  )
  return rows[0] ? Number(rows[0].epoch) : null
}
