// A feature is registered once: whatever has calls or jobs stands in the list of them.
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import * as jobLists from '../src/app/job-list.ts'
import type { JobKind } from '../src/platform/worker/kind.ts'

const SOURCES = join(import.meta.dir, '../src')

test.each([
  ['routes.ts', ['../src/app/routes.ts', '../src/app/route-list.ts']],
  ['jobs.ts', ['../src/app/job-list.ts']],
])('every %s of a feature is in the list of the server', async (name, lists) => {
  const texts = await Promise.all(lists.map(list => Bun.file(join(import.meta.dir, list)).text()))
  const own = lists.map(list => join(import.meta.dir, list).replace(/[^/]+$/, name))
  const files = [...new Bun.Glob(`*/**/${name}`).scanSync(SOURCES)].filter(file => !own.includes(join(SOURCES, file)))
  expect(files.length).toBeGreaterThan(10)
  expect(files.filter(file => !texts.some(text => text.includes(`/${file}'`)))).toEqual([])
})

test('no work of the clock waits behind programs of others: what asks them has a crew of its own', () => {
  const parts = { log: {}, config: { dataDir: '', s3: null, backup: {} } }
  const kinds: JobKind[] = Object.values(jobLists).flatMap(list => list(parts as never))
  expect(kinds.filter(({ crew, cron }) => crew === 'flow' && cron !== undefined)).toEqual([])
  const asking = ['transcribe', 'preview-link', 'typebot']
  expect(kinds.filter(({ kind }) => asking.includes(kind)).map(({ crew }) => crew)).toEqual(['flow', 'flow', 'flow'])
})
