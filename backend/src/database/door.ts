// A database on several hosts, of which one may be written: a door on this machine behind which that one stands. Every driver of ours is
// given the door's address, so none has to know of the others; when the primary goes, what went through the door breaks, and what comes
// next goes to whoever is the primary then.
import { connect, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { sqlStateOf } from './faults.ts'

export interface Door {
  /** The address of the database through the door. */
  readonly url: string
  close(): Promise<void>
}

/** The primary is asked this often whether it still is, and each host has this long to answer. */
const LOOK_MS = 1000
const PATIENCE_MS = 2000
/** So many looks in a row without an answer, and it is lost: one may fail by chance, and everybody would be sent away. */
const LOOKS = 3
/** Nobody is the primary while a standby is made one: a connection that is wanted meanwhile waits this long. */
const LONGEST_WAIT_MS = 4000
const AGAIN_MS = 100
const KEEP_ALIVE_MS = 30_000

/** The addresses of one database, one a host; more than one when its hosts are separated by commas. */
export function addressesIn(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = /^([a-z]+:\/\/(?:[^@/]*@)?)([^/?#]*)(.*)$/.exec(url) ?? []
  return hosts.split(',').map(host => before + host + after)
}

/** Opens the door to whichever of these is the primary. */
export async function openDoor(addresses: readonly string[]): Promise<Door> {
  const through = new Set<Socket>()
  let primary: string | null = null
  let finding: Promise<string | null> | null = null
  /** Looks in a row that had no answer. */
  let silent = 0
  let closed = false

  /** Asks all at once; the first in order that may be written. */
  async function find(): Promise<string | null> {
    const answers = await Promise.all(addresses.map(answerOf))
    primary = addresses.find((_, at) => answers[at] === 'primary') ?? null
    silent = 0
    return primary
  }

  /** However many want it, it is looked for once; while it is known nobody is asked for a newcomer's sake. */
  function foundAnew(): Promise<string | null> {
    finding ??= find().finally(() => {
      finding = null
    })
    return finding
  }

  async function wanted(): Promise<string | null> {
    for (const end = Date.now() + LONGEST_WAIT_MS; !closed; await Bun.sleep(AGAIN_MS)) {
      const found = primary ?? (await foundAnew())
      if (found !== null || Date.now() > end) return found
    }
    return null
  }

  /** Whoever went through is sent away: behind the door nobody stands any more who may be written. */
  function lost(was: string): void {
    if (primary !== was) return
    primary = null
    for (const socket of through) socket.destroy()
  }

  async function letThrough(near: Socket): Promise<void> {
    const address = await wanted()
    if (address === null || near.destroyed) return void near.destroy()
    const { hostname, port } = new URL(address)
    const far = connect(Number(port || 5432), hostname.replace(/^\[|\]$/g, ''))
    far.setNoDelay(true)
    // Whoever is still for hours is not forgotten by what lies between.
    far.setKeepAlive(true, KEEP_ALIVE_MS)
    through.add(near)
    near.on('close', () => {
      through.delete(near)
      far.destroy()
    })
    far.on('error', () => far.destroy())
    far.on('close', () => {
      near.destroy()
      // One that was ended in order is no sign of anything; the next look says what it was.
      if (silent === 0) look().catch(() => {})
    })
    pass(near, far)
    pass(far, near)
    near.resume()
  }

  let looking: Promise<void> | null = null
  function look(): Promise<void> {
    looking ??= stillThere().finally(() => {
      looking = null
    })
    return looking
  }

  async function stillThere(): Promise<void> {
    const was = primary
    if (was === null || closed) return
    const answer = await answerOf(was)
    if (primary !== was) return
    if (answer === 'primary' || answer === 'full') silent = 0
    else if (answer === 'silent' && ++silent < LOOKS) return
    else lost(was)
  }

  const server = createServer({ pauseOnConnect: true, noDelay: true }, near => {
    near.on('error', () => near.destroy())
    letThrough(near).catch(() => near.destroy())
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const timer = setInterval(() => void look().catch(() => {}), LOOK_MS)
  const at = server.address()
  const url = new URL(addresses[0] ?? '')
  url.host = `127.0.0.1:${typeof at === 'object' && at ? at.port : 0}`
  url.searchParams.delete('target_session_attrs')
  return {
    url: url.href,
    async close() {
      closed = true
      clearInterval(timer)
      for (const socket of through) socket.destroy()
      server.close()
    },
  }
}

function pass(from: Socket, to: Socket): void {
  from.on('data', bytes => {
    if (!to.write(bytes)) from.pause()
  })
  to.on('drain', () => from.resume())
  from.on('end', () => to.end())
}

/**
 * `standby`: it may not be written · `refused`: nobody listens there · `full`: it is there and has no room for one more, which says
 * nothing of those who are in · `silent`: it did not answer in time, or with something else.
 */
type Answer = 'primary' | 'standby' | 'refused' | 'full' | 'silent'

async function answerOf(address: string): Promise<Answer> {
  const client = new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
    application_name: 'balcao-door',
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
    return rows[0]?.standby === false ? 'primary' : 'standby'
  } catch (error) {
    const code = sqlStateOf(error)
    if (code === 'ECONNREFUSED') return 'refused'
    return code === '53300' ? 'full' : 'silent'
  } finally {
    client.end().catch(() => {})
  }
}
