import { expect, test } from 'bun:test'
import { createEmptyDatabase } from '../../backend/test/database.ts'
import { dropLeftDatabases, runOnServer } from '../src/engine.ts'

const { url } = await createEmptyDatabase()

test('databases of runs that were ended in the middle go at the next start, those that are kept stay', async () => {
  // Not those of benchmarks that run beside this test.
  const names = ['left_inbox_0a1b2c3d', 'left_seeded_500000_7', 'other_left_inbox_0a1b2c3d']
  for (const name of names) await runOnServer(url, `create database ${name}`)
  await dropLeftDatabases(url, 'left')
  const found = await runOnServer(url, "select datname from pg_database where datname like '%left_%' order by 1")
  for (const name of names) await runOnServer(url, `drop database if exists ${name}`)
  expect(found.map(({ datname }) => datname)).toEqual(names.slice(1))
})
