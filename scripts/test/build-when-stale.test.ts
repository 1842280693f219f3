import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MODULE = join(import.meta.dir, '../build-when-stale.ts')

test('what is built on the way to something else says so beside its output', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'balcao-build-'))
  const script = join(folder, 'build.ts')
  await Bun.write(script, "console.log('built the pages')")
  const build = JSON.stringify({ script, made: ['missing'], sources: [] })
  const code = `const { makeWhenStale } = await import(${JSON.stringify(MODULE)}); await makeWhenStale(${build}); console.log('{}')`
  const child = Bun.spawn([process.execPath, '-e', code], { stdio: ['ignore', 'pipe', 'pipe'] })
  const words = await Promise.all([child.stdout, child.stderr].map(stream => new Response(stream).text()))
  expect([await child.exited, ...words]).toEqual([0, '{}\n', 'built the pages\n'])
  await rm(folder, { recursive: true, force: true })
})
