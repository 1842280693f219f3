// A desk of many years moves in while customers write: how long it takes, and what those who work have of it. Then everything that came is
// compared with what was there, and the same is brought once more: nothing may change.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beginMove, goOn } from '@balcao/backend/operations/move-in/begin'
import { loadMoveInState } from '@balcao/backend/operations/move-in/state'
import { closeDatabase, type Db, openDatabase } from '@balcao/backend/platform/database/client'
import { makeDump } from '../../backend/test/move-in-dump.ts'
import { type Benchmark, type Figure, type Options, readNumberOption } from './benchmark.ts'
import { type BenchDesk, withDesk } from './desk.ts'
import { measureGraph } from './latency.ts'
import { computePercentile } from './measure.ts'
import { MoveLedger, readMoved, recordDump } from './move-in-check.ts'
import { DATA_KEY } from './people.ts'

const POLL_MS = 250
/** What the aims are for. */
const FULL = 100_000
const RATE = 40
const LOOK_MS = 20

export const moveIn: Benchmark = {
  name: 'move-in',
  about: options => {
    const [tickets, rate] = [readTickets(options), readNumberOption(options, 'rate', RATE)]
    return `${format(tickets)} tickets (--tickets) with ${format(tickets * 5)} messages move in from Ticketz while customers write ${rate} a second (--rate)`
  },
  onlyByName: true,
  async run(options) {
    const folder = await mkdtemp(join(process.env.BALCAO_TEMPORARY ?? tmpdir(), 'balcao-bench-'))
    const steady = { rate: String(RATE), ...options }
    try {
      const dump = join(folder, 'dump.sql')
      const there = await writeDump(dump, readTickets(options))
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
          const moved = await ended
          const writer = await longest
          there.expectSame(await readMoved(desk.sql, moved.id), 'after the move')
          const again = await moveAgain(db, desk, dump, there)
          return [...toFigures(moved, beside, quiet, writer), again]
        } finally {
          await closeDatabase(db)
        }
      })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

function readTickets(options: Options): number {
  return readNumberOption(options, 'tickets', FULL)
}

function format(count: number): string {
  return count.toLocaleString('en')
}

/** What is written into it. */
async function writeDump(path: string, tickets: number): Promise<MoveLedger> {
  const ledger = new MoveLedger()
  const writer = Bun.file(path).writer()
  for (const text of recordDump(makeDump(tickets), ledger)) await writer.write(text)
  await writer.end()
  return ledger
}

/** The same once more: all is known, and stays as it is. */
async function moveAgain(db: Db, desk: BenchDesk, dump: string, there: MoveLedger): Promise<Figure> {
  const before = await countChanges(desk)
  const { id, reading, writing, counts } = await move(db, desk, dump)
  const came = Object.entries(counts).filter(([, count]) => count > 0)
  if (came.length > 0) throw new Error(`The second move brought ${JSON.stringify(came)}`)
  there.expectSame(await readMoved(desk.sql, id), 'after the second move')
  if (!Bun.deepEquals(before, await countChanges(desk))) throw new Error('The second move changed what was there')
  return { label: 'the same once more, of which nothing comes', value: reading + writing, unit: 's' }
}

/** What a change of anything that came would change: rows of other customers are none of it. */
async function countChanges({ sql }: BenchDesk): Promise<unknown> {
  const [row] = await sql`
    select count(*) as links, sum(t.version) as tickets, sum(c.version) as contacts, sum(s.spans) as spans
    from move_in_link l left join ticket t on l.kind = 'ticket' and t.id = l.own_id left join contact c on l.kind = 'contact' and c.id = l.own_id
      left join lateral (select count(*) as spans from ticket_span where ticket_id = t.id) s on true`
  return row
}

/** The seconds of reading and of writing, and how many came. */
async function move(db: Db, { sql }: BenchDesk, dump: string): Promise<MoveResult> {
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
  return { id, reading: (read - begun) / 1000, writing: (performance.now() - read) / 1000, counts }
}

interface MoveResult {
  readonly id: number
  readonly reading: number
  readonly writing: number
  readonly counts: Readonly<Record<string, number>>
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
  { reading, writing, counts }: MoveResult,
  beside: readonly number[],
  quiet: readonly number[],
  longest: Writer,
): Figure[] {
  const tickets = counts.ticket ?? 0
  return [
    { label: 'reading and looking', value: reading, unit: 's' },
    {
      label: `writing ${format(tickets)} tickets and ${format(counts.message ?? 0)} messages`,
      value: writing,
      unit: 's',
    },
    { label: 'the whole move', value: reading + writing, unit: 's', ...(tickets >= FULL && { aim: 300 }) },
    { label: `the longest transaction that wrote (${longest.query.trim()})`, value: longest.ms, unit: 'ms' },
    {
      ...{ label: 'Graph webhook to socket beside the move, p99', value: computePercentile(beside, 0.99), unit: 'ms' },
      ...{ reference: { label: 'without a move', value: computePercentile(quiet, 0.99) }, aim: 150 },
    },
  ]
}
