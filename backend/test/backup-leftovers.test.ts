// decisions-2 §20 Backup: what a killed command left goes before the next one runs, and keeps no command from running when it cannot go.
import { expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInstallationBackup } from '../src/operations/backup/installation.ts'
import { removeEach } from '../src/operations/backup/remove-each.ts'
import { removeScratchDatabases } from '../src/operations/backup/scratch.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { createTestDatabase } from './database.ts'
import { DATA_KEY } from './desk-world.ts'

const made = await createTestDatabase()
const sql = getSql(made.db)

const [row] = await sql<{ prefix: string }[]>`
  select 'balcao_verify_' || oid || '_' as prefix from pg_database where datname = current_database()`
const [stuck, ready] = ['dead0000', 'dead0001'].map(end => `${row?.prefix}${end}`) as [string, string]

/** Two that were left, of which Postgres refuses to drop the first. */
async function leaveDatabases(): Promise<void> {
  for (const name of [stuck, ready]) await sql.unsafe(`create database ${name}`)
  await sql.unsafe(`alter database ${stuck} is_template true`)
}

async function listLeft(): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select datname as name from pg_database where starts_with(datname, ${row?.prefix ?? ''}) order by 1`
  return rows.map(({ name }) => name)
}

made.beforeDrop(async () => {
  for (const name of await listLeft()) {
    await sql.unsafe(`alter database ${name} is_template false`)
    await sql.unsafe(`drop database ${name}`)
  }
})

test('each is tried, and what failed first is thrown when the others are gone', async () => {
  const tried: number[] = []
  const removing = removeEach([1, 2, 3, 4], async n => {
    tried.push(n)
    if (n % 2 === 0) throw new Error(`busy ${n}`)
    return n
  })
  await expect(removing).rejects.toThrow('busy 2')
  expect([tried, await removeEach([1, 3], async n => n)]).toEqual([[1, 2, 3, 4], 4])
})

test('one that cannot go: the other one goes, a backup is written all the same, and a warning says why', async () => {
  await leaveDatabases()
  await expect(removeScratchDatabases(made.url)).rejects.toThrow('template')
  expect(await listLeft()).toEqual([stuck])
  const home = await mkdtemp(join(tmpdir(), 'balcao-leftovers-test-'))
  const env = { DATA_DIR: join(home, 'data'), DATA_KEY, DATABASE_URL: made.url }
  const warnings: string[] = []
  const warnOfLeftovers = (error: unknown) => void warnings.push(String(error))
  try {
    const file = join(home, 'copia.tar')
    await createInstallationBackup(env, { file, warnOfLeftovers })
    expect(await readdir(home)).toContain('copia.tar')
    expect(warnings).toEqual([expect.stringContaining('template')])
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}, 60_000)
