// A desk of many years moves in while customers write: how long it takes, and what those who work have of it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beginMove, goOn } from '@balcao/backend/operations/move-in/begin'
import { loadMoveInState } from '@balcao/backend/operations/move-in/state'
import { closeDatabase, type Db, openDatabase } from '@balcao/backend/platform/database/client'
import { makeDump } from '../../backend/test/move-in-dump.ts'
import { type Benchmark, type Figure, readNumberOption } from './benchmark.ts'
import { type BenchDesk, withDesk } from './desk.ts'
import { measureGraph } from './latency.ts'
import { computePercentile } from './measure.ts'
import { DATA_KEY } from './people.ts'

const POLL_MS = 250
const LOOK_MS = 20

export const moveIn: Benchmark = {
  name: 'move-in',
  about:
    '100,000 tickets (--tickets) with 500,000 messages move in from Ticketz while customers write 40 a second (--rate)',
  onlyByName: true,
  async run(options) {
    const folder = await mkdtemp(join(process.env.BALCAO_TEMPORARY ?? tmpdir(), 'balcao-bench-'))
    const tickets = readNumberOption(options, 'tickets', 100_000)
    const steady = { rate: '40', ...options }
    try {
      const dump = join(folder, 'dump.sql')
      await writeDump(dump, tickets)
      return await withDesk({ cloud: 4, baileys: 0 }, async desk => {
        const quiet = await measureGraph(desk, steady)
        const db = openDatabase(desk.databaseUrl, { max: 2 })
        try {
          const moving = move(db, desk, dump)
          const beside: number[] = []
          let isOver = false
          const ended = moving.finally(() => (isOver = true))
          const longest = watchWriters(desk, () => isOver)
          while (!isOver) beside.push(...(await measureGraph(desk, steady)))
          return toFigures(await ended, beside, quiet, await longest)
        } finally {
          await closeDatabase(db)
        }
      })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

async function writeDump(path: string, tickets: number): Promise<void> {
  const writer = Bun.file(path).writer()
  for (const text of makeDump(tickets)) await writer.write(text)
  await writer.end()
}

/** The seconds of reading and of writing. */
async function move(
  db: Db,
  { sql }: BenchDesk,
  dump: string,
): Promise<{ reading: number; writing: number; messages: number }> {
  const [admin] = await sql<{ id: number }[]>`select id from "user" where profile = 'admin' order by id limit 1`
  await sql`update whatsapp set is_default = true where id = (select min(id) from whatsapp) and not exists (select 1 from whatsapp where is_default)`
  const asker = { viewer: { id: admin?.id ?? 0, profile: 'admin' as const, queueIds: [] } }
  const here = { db, config: { dataKey: DATA_KEY, dataDir: tmpdir() } }
  const begun = performance.now()
  const id = await beginMove(here, asker, { source: 'ticketz', from: { dump }, openTag: 'Em andamento' })
  await settle(here, id, 'ready')
  const read = performance.now()
  await goOn(here, asker, id)
  const { counts } = await settle(here, id, 'done')
  return { reading: (read - begun) / 1000, writing: (performance.now() - read) / 1000, messages: counts.message ?? 0 }
}

async function settle(here: Parameters<typeof loadMoveInState>[0], id: number, state: 'ready' | 'done') {
  for (;;) {
    const seen = await loadMoveInState(here, id)
    if (seen.state === state) return seen
    if (seen.state === 'failed' || seen.state === 'stopped') throw new Error(`The move ${seen.state}: ${seen.error}`)
    await Bun.sleep(POLL_MS)
  }
}

interface Writer {
  readonly query: string
  readonly ms: number
}

/** The transaction that wrote for longest, from when it had its number: live events are read up to the oldest one, so all messages wait. */
async function watchWriters({ databaseUrl }: BenchDesk, isOver: () => boolean): Promise<Writer> {
  const db = openDatabase(databaseUrl, { max: 1 })
  const begun = new Map<string, number>()
  let longest: Writer = { query: '', ms: 0 }
  try {
    while (!isOver()) {
      const writing = await db.$client<{ xid: string; query: string }[]>`
        select backend_xid::text as xid, left(regexp_replace(query, '\\s+', ' ', 'g'), 60) as query from pg_stat_activity
        where datname = current_database() and backend_xid is not null`
      const now = performance.now()
      for (const { xid, query } of writing) {
        const ms = now - (begun.get(xid) ?? now)
        begun.set(xid, now - ms)
        if (ms > longest.ms) longest = { query, ms }
      }
      for (const xid of begun.keys()) if (!writing.some(one => one.xid === xid)) begun.delete(xid)
      await Bun.sleep(LOOK_MS)
    }
    return longest
  } finally {
    await closeDatabase(db)
  }
}

function toFigures(
  { reading, writing, messages }: { reading: number; writing: number; messages: number },
  beside: readonly number[],
  quiet: readonly number[],
  longest: Writer,
): Figure[] {
  return [
    { label: 'reading and looking', value: reading, unit: 's' },
    { label: `writing ${messages} messages and their tickets`, value: writing, unit: 's' },
    { label: 'the whole move', value: reading + writing, unit: 's', aim: 300 },
    { label: `the longest transaction that wrote (${longest.query.trim()})`, value: longest.ms, unit: 'ms' },
    {
      ...{ label: 'Graph webhook to socket beside the move, p99', value: computePercentile(beside, 0.99), unit: 'ms' },
      ...{ reference: { label: 'without a move', value: computePercentile(quiet, 0.99) }, aim: 150 },
    },
  ]
}
