// Which process runs a connection: the one that holds its advisory lock. Locks live on one Postgres session of their own; when that
// session ends, so do all of them, and another process may take over at once. One that is frozen ends nothing: others end it.
import { createWaitingLine } from '@balcao/contract/kit/waiting-line'
import pg from 'pg'
import { OURS } from '../../platform/database/client.ts'

/** Any number, the same in every version of the product: the first half of the advisory locks' keys. */
const LOCK_SPACE = 7114
/** The lock session is asked for a sign of life this often, and given this long. */
const PULSE_MS = 1000
const PATIENCE_MS = 3000
/** An owner whose lock session was asked nothing for so long is frozen: another one ends it. Before that it sends nothing more itself. */
const FROZEN_MS = 4000
/** For a connection's row that somebody holds: while it waits no sign of life can come, however many wait one after the other. */
const LOCK_MS = 500
const STATEMENT_MS = 10_000

export interface Leases {
  /** Takes those of the connections that nobody runs; each gets a new epoch, and older owners' writes change nothing any more. */
  take(whatsappIds: readonly number[]): Promise<Map<number, number>>
  /** A new epoch for a connection we hold (its session starts afresh). Null when it is not ours any more. */
  renew(whatsappId: number): Promise<number | null>
  give(whatsappId: number): Promise<void>
  /** Whether the lock session has answered lately. If not, others may run our connections already, or will in a moment. */
  isFresh(): boolean
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
    line = createWaitingLine(1)
    current = client
    lastSign = Date.now()
    return client
  }

  let current: pg.Client | undefined
  let lastSign = 0
  /** The session is asked one thing at a time: a client of `pg` takes no second statement while it runs one. */
  let line = createWaitingLine(1)

  /** Asks the lock session; its answer is a sign of life. */
  async function ask<Row extends pg.QueryResultRow>(client: pg.Client, text: string, values: unknown[] = []) {
    const { rows } = await line.run(() => client.query<Row>(text, values))
    if (client === current) lastSign = Date.now()
    return rows
  }

  /** Takes the locks nobody has. */
  async function lock(client: pg.Client, ids: readonly number[]): Promise<number[]> {
    const rows = await ask<{ id: number }>(
      client,
      'select id from (select id, pg_try_advisory_lock($2, id) as got from unnest($1::int[]) as id) as tried where got',
      [ids, LOCK_SPACE],
    )
    return rows.map(({ id }) => id)
  }

  async function nextEpoch(whatsappId: number, client: pg.Client): Promise<number | null> {
    const [row] = await ask<{ epoch: string }>(
      client,
      'update whatsapp set epoch = epoch + 1 where id = $1 and (deleted_at is null or wanted) returning epoch',
      [whatsappId],
    )
    return row ? Number(row.epoch) : null
  }

  /** Ends the lock sessions of frozen owners of these connections, and the transactions they are stuck in. Returns whether there were any. */
  async function endFrozen(client: pg.Client, ids: readonly number[]): Promise<boolean> {
    const ended = await ask(client, END_FROZEN, [ids, LOCK_SPACE, `${OURS}-leases`, FROZEN_MS])
    if (ended.length === 0) return false
    log.warn({ owners: ended.length }, 'an owner gave no sign of life: its connections are taken over')
    // It stands still since a pulse after its last sign of life.
    await ask(client, END_STUCK, [LIMITED, FROZEN_MS - PULSE_MS])
    return true
  }

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
      ask(client, 'select 1').catch(() => late),
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
      const free = await lock(client, wanted)
      const others = wanted.filter(id => !free.includes(id))
      if (others.length > 0 && (await endFrozen(client, others))) free.push(...(await lock(client, others)))
      const epochs = new Map<number, number>()
      for (const id of free) {
        held.add(id)
        const epoch = await nextEpoch(id, client).catch(error => {
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
      return current && held.has(whatsappId) ? nextEpoch(whatsappId, current) : null
    },
    async give(whatsappId) {
      if (!held.delete(whatsappId) || !current) return
      await ask(current, 'select pg_advisory_unlock($1, $2)', [LOCK_SPACE, whatsappId])
    },
    isFresh: () => current !== undefined && Date.now() - lastSign < PATIENCE_MS,
    async close() {
      closed = true
      clearInterval(pulse)
      held.clear()
      await current?.end().catch(() => {})
    },
  }
}

/** A lock session asks something every second: one at rest for longer is of a process that stands still. It is waited for until its locks are free. */
const END_FROZEN = `
  select pg_terminate_backend(a.pid, 1000) from pg_stat_activity a
  where a.datname = current_database() and a.application_name = $3 and a.state = 'idle'
    and a.state_change < clock_timestamp() - $4 * interval '1 millisecond' and exists (select 1 from pg_locks l
      where l.pid = a.pid and l.locktype = 'advisory' and l.classid::bigint = $2 and l.objid::bigint = any($1::bigint[]) and l.granted)`

/** What it was in the middle of keeps rows locked; nobody who is well lets a transaction rest for so long. */
const END_STUCK = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name = any($1::text[]) and state like 'idle in transaction%'
    and state_change < clock_timestamp() - $2 * interval '1 millisecond'`

/** Sessions of pools, which the server ends by itself after a while. */
const LIMITED = ['web', 'work', 'live'].map(purpose => `${OURS}-${purpose}`)
