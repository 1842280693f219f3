// Many messages out of a desk that is killed again and again: `bun backend/test/soak-out.ts 10000 20`. Prints what was lost and doubled.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeWorkingHours } from '../src/app/seed/always-open.ts'
import { closeDatabase, openDatabase } from '../src/platform/database/client.ts'
import { ensurePostgres } from '../src/platform/database/embedded.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { startNetwork } from './network.ts'
import { makeOutgoingFixture } from './outgoing-world.ts'
import { killOwners, startOwner } from './owner-child.ts'
import { waitUntil } from './until.ts'

const messages = Number(process.argv[2] ?? 10_000)
const kills = Number(process.argv[3] ?? 20)
const CUSTOMERS = 200
const ROUGH = { ok: false, outcome: 'retry', code: '130429', text: 'Too fast', afterMs: 20 } as const

const folder = await mkdtemp(join(tmpdir(), 'balcao-soak-'))
const engine = await ensurePostgres({ dataDir: join(folder, 'pg') })
await migrate(engine.url)
await removeWorkingHours(engine.url)
const db = openDatabase(engine.url)
const network = startNetwork()
const world = await makeOutgoingFixture(db, CUSTOMERS)
const env = { DATABASE_URL: engine.url, NETWORK_URL: network.url }

try {
  const started = performance.now()
  let owner = await startOwner(env)
  const writing = write()
  let done = 0
  for (let kill = 1; kill <= kills; kill++) {
    const mark = Math.floor((messages * kill) / (kills + 1))
    await waitUntil(`${mark} were sent`, () => network.arrived.length >= mark, 600_000)
    await owner.kill()
    owner = await startOwner(env)
    done = kill
  }
  await writing
  await waitUntil('all are settled', async () => (await waiting()) === 0, 600_000)
  const seconds = (performance.now() - started) / 1000
  report(done, seconds)
} finally {
  await killOwners()
  network.stop()
  await closeDatabase(db)
  await engine.stop()
  await rm(folder, { recursive: true, force: true })
}

async function write(): Promise<void> {
  for (let n = 0; n < messages; n++) {
    const customer = n % CUSTOMERS
    if (n % 97 === 0) network.answerNext(world.tickets[customer]?.to ?? '', ROUGH)
    await world.write(customer, String(n))
  }
}

async function waiting(): Promise<number> {
  const [row] = await getSql(db)<
    { n: number }[]
  >`select count(*)::int as n from outbox where state in ('queued', 'sending')`
  return row?.n ?? -1
}

function report(killed: number, seconds: number): void {
  const shown = network.shown
  const texts = shown.map(one => ('text' in one.message ? Number(one.message.text) : -1))
  const perCustomer = new Map<string, number[]>()
  for (const [at, { to }] of shown.entries()) perCustomer.set(to, [...(perCustomer.get(to) ?? []), texts[at] ?? -1])
  const disordered = [...perCustomer.values()].filter(list =>
    list.some((n, at) => at > 0 && n < (list[at - 1] ?? 0)),
  ).length
  console.table({
    messages,
    kills: killed,
    lost: messages - new Set(texts).size,
    doubled: texts.length - new Set(texts).size,
    'sent again under the same id': network.arrived.length - shown.length,
    'customers whose order broke': disordered,
    'messages a second, kills included': Math.round(messages / seconds),
  })
}
