// How the demo's month is made and loaded: lived by the product's own calls under a clock of its own, and read as rows at a start.
import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seedDemo } from '@balcao/backend/app/seed/seed'
import { getSql } from '@balcao/backend/platform/database/raw'
import { createTestDatabase } from '../../backend/test/database.ts'
import { FIRST_DAY } from '../src/month/live.ts'
import { PAST_MONTH } from '../src/month/load.ts'
import { readMonth, type SavedMonth } from '../src/month/save.ts'

const DAY = 86_400_000
const CLOUD = { phoneNumberId: '5501', wabaId: '9901', token: 'token', number: '+55 31 90000-0001' }

test('a day of the month is lived again as its story says: calls leave their periods, log and receipts, all of them on that day', async () => {
  await using folder = await makeFolder()
  const file = join(folder.path, 'rows.zst')
  const make = Bun.spawn([process.execPath, join(import.meta.dir, '../src/month/make.ts'), file, '1'], {
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const [code, trouble] = await Promise.all([make.exited, new Response(make.stderr).text()])
  expect([code, code === 0 ? '' : trouble]).toEqual([0, ''])
  const day = await readMonth(file, () => true)
  expect(day?.end).toBe(new Date(FIRST_DAY + DAY).toISOString())
  const read = (table: string, column: string) => readColumn(day, table, column)
  for (const [table, column] of [
    ['ticket', 'created_at'],
    ['message', 'created_at'],
    ['ticket_span', 'begun_at'],
    ['log_entry', 'created_at'],
  ] as const) {
    const instants = read(table, column).map(at => Date.parse(String(at)))
    expect([table, instants.length > 20]).toEqual([table, true])
    const elsewhere = instants.filter(at => !(at >= FIRST_DAY && at < FIRST_DAY + DAY))
    expect([table, elsewhere]).toEqual([table, []])
  }
  expect(read('ticket_span', 'status')).toEqual(expect.arrayContaining(['pending', 'open', 'paused']))
  expect(read('message', 'state')).toEqual(expect.arrayContaining(['received', 'delivered', 'read']))
  expect(read('log_entry', 'source')).toEqual(expect.arrayContaining(['web', 'phone']))
}, 240_000)

test('at a start nothing is lived: whatever the number of rows, a table is filled by a few statements', async () => {
  const [alone, withMonth] = [await countStatements(false), await countStatements(true)]
  expect(withMonth.messages).toBeGreaterThan(20 * alone.messages)
  expect(withMonth.statements - alone.statements).toBeLessThan(5 * withMonth.tables)
}, 120_000)

/** Of the whole seed, on a database of its own. */
async function countStatements(hasPast: boolean) {
  await using folder = await makeFolder()
  const { db } = await createTestDatabase({ jobs: true })
  let statements = 0
  Object.assign(db.$client.options, { debug: () => void statements++ })
  await seedDemo(db, { dataDir: folder.path, cloud: CLOUD, ...(hasPast && { past: PAST_MONTH }) })
  Object.assign(db.$client.options, { debug: false })
  const [row] = await getSql(db)<{ messages: number; tables: number }[]>`
    select (select count(*)::int from message) as messages,
      (select count(*)::int from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r') as tables`
  return { statements, messages: row?.messages ?? 0, tables: row?.tables ?? 0 }
}

function readColumn(month: SavedMonth | undefined, table: string, column: string): unknown[] {
  return (month?.tables.find(({ name }) => name === table)?.rows ?? []).map(row => row[column])
}

async function makeFolder() {
  const path = await mkdtemp(join(tmpdir(), 'balcao-month-made-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}
