// What can befall the database and the disk, one after the other. A new fault is one entry here: how it strikes, what must hold
// meanwhile, and what ends it.
import postgres from 'postgres'
import type { SmallDisk } from '../../backend/test/small-disk.ts'
import type { ChaosDesk } from './chaos-desk.ts'
import { runOnServer } from './engine.ts'
import { waitUntil } from './measure.ts'

export interface Fault {
  readonly name: string
  /** What lasts until it is ended: `away`, the database is not there; `full`, there is no room for files. */
  readonly lasting?: 'away' | 'full'
  /** Nobody who listens is cut off by it. */
  readonly keepsSockets?: true
  /** Resolves when it has struck; what it gives back ends it. */
  strike(desk: ChaosDesk): Promise<() => Promise<void>>
}

const OURS = "backend_type = 'client backend' and application_name like 'balcao%'"
const doNothing = async () => {}

export const FAULTS: readonly Fault[] = [
  {
    name: 'one backend is killed',
    async strike({ engineUrl }) {
      const [one] = await listClients(engineUrl)
      kill([one ?? 0], 'SIGKILL')
      return doNothing
    },
  },
  {
    name: 'all backends are killed',
    async strike({ engineUrl }) {
      kill(await listClients(engineUrl), 'SIGKILL')
      return doNothing
    },
  },
  {
    name: 'all connections are ended at once',
    keepsSockets: true,
    async strike({ engineUrl }) {
      await runOnServer(engineUrl, `select pg_terminate_backend(pid) from pg_stat_activity where ${OURS}`)
      return doNothing
    },
  },
  {
    name: 'Postgres is killed',
    async strike({ engineUrl }) {
      kill([await findPostmaster(engineUrl)], 'SIGKILL')
      return doNothing
    },
  },
  {
    name: 'Postgres is started anew',
    async strike({ engineUrl }) {
      kill([await findPostmaster(engineUrl)], 'SIGINT')
      return doNothing
    },
  },
  {
    name: 'Postgres freezes',
    lasting: 'away',
    async strike({ engineUrl }) {
      const all = [await findPostmaster(engineUrl), ...(await listProcesses(engineUrl))]
      kill(all, 'SIGSTOP')
      return async () => kill(all, 'SIGCONT')
    },
  },
  {
    name: 'the connection table is full',
    lasting: 'away',
    keepsSockets: true,
    async strike({ engineUrl }) {
      const fillers = await fill(engineUrl)
      return async () => {
        await Promise.all(fillers.map(one => one.end({ timeout: 0 })))
      }
    },
  },
  {
    name: 'the disk is full',
    lasting: 'full',
    async strike({ disks, servers }) {
      const each = (work: (disk: SmallDisk, pid: number) => Promise<void>) =>
        Promise.all(servers.map(({ pid }, at) => disks[at] && work(disks[at], pid)))
      await each((disk, pid) => disk.fill(pid, 2_000_000))
      return async () => {
        await each((disk, pid) => disk.empty(pid))
      }
    },
  },
]

/** Takes every place there is, ours as well: nobody of the desk gets a connection until they are given back. */
async function fill(engineUrl: string): Promise<postgres.Sql[]> {
  const [row] = await runOnServer(
    engineUrl,
    'select setting::int as n from pg_settings where name = $$max_connections$$',
  )
  const places = Number(row?.n)
  const options = { max: 1, connect_timeout: 5, backoff: () => 0.02, onnotice: () => {} }
  const boss = postgres(engineUrl, options)
  await boss`select 1`
  const fillers = Array.from({ length: places }, () => postgres(engineUrl, options))
  let held = 0
  for (const one of fillers) take(one)

  function take(one: postgres.Sql): void {
    one`select 1`.then(
      () => held++,
      error => {
        if (error.code !== 'CONNECTION_ENDED' && error.code !== 'CONNECTION_DESTROYED') setTimeout(take, 20, one)
      },
    )
  }
  const isFull = async () => {
    // Whoever of the desk still has a place loses it, and a filler that waits takes it.
    await boss`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'balcao%'`
    // One place is the boss's; any other that is left would be somebody's of the desk.
    return held >= places - 1
  }
  await waitUntil(isFull, 60, 'the connection table is full')
  return [...fillers, boss]
}

async function findPostmaster(engineUrl: string): Promise<number> {
  const [row] = await runOnServer(engineUrl, 'show data_directory')
  const text = await Bun.file(`${row?.data_directory}/postmaster.pid`).text()
  return Number(text.split('\n')[0])
}

async function listClients(engineUrl: string): Promise<number[]> {
  const rows = await runOnServer(engineUrl, `select pid from pg_stat_activity where ${OURS} order by random()`)
  return rows.map(({ pid }) => Number(pid))
}

async function listProcesses(engineUrl: string): Promise<number[]> {
  return (await runOnServer(engineUrl, 'select pid from pg_stat_activity')).map(({ pid }) => Number(pid))
}

function kill(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended by itself.
    }
  }
}
