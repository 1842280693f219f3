import { expect, test } from 'bun:test'
import { createEmptyDatabase } from '../../backend/test/database.ts'
import { dropLeftDatabases, runOnServer } from '../src/engine.ts'

const { url } = await createEmptyDatabase()

test('databases of runs that were ended in the middle go at the next start, those that are kept stay', async () => {
  // Not those of benchmarks that run beside this test, nor of a run of this one that failed.
  const prefix = `left${crypto.randomUUID().slice(0, 8)}`
  const names = [`${prefix}_inbox_0a1b2c3d`, `${prefix}_seeded_500000_7`, `other_${prefix}_inbox_0a1b2c3d`]
  try {
    for (const name of names) await runOnServer(url, `create database ${name}`)
    await dropLeftDatabases(url, prefix)
    const found = await runOnServer(url, `select datname from pg_database where datname like '%${prefix}%' order by 1`)
    expect(found.map(({ datname }) => datname)).toEqual(names.slice(1))
  } finally {
    for (const name of names) await runOnServer(url, `drop database if exists ${name}`)
  }
})
