// A server that cannot start says why in a sentence (decisions-2 §21: the server's machine), and ends with 1.
import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildCommand } from '@balcao/simulator/processes'

test('where DATA_DIR is no folder, or cannot be made', async () => {
  const home = await mkdtemp(join(tmpdir(), 'balcao-starting-'))
  await Bun.write(join(home, 'file'), 'kept')
  for (const dataDir of [join(home, 'file'), join(home, 'file', 'below')]) {
    const output = await started({ DATA_DIR: dataDir })
    expect(output).toEqual([1, '', expect.stringContaining(`\n  - DATA_DIR ${dataDir} cannot be written: `)])
    expect(output[2]).not.toContain(' at ')
  }
  await rm(home, { recursive: true, force: true })
})

test('where the database is away, refuses who asks, or is another one', async () => {
  const home = await mkdtemp(join(tmpdir(), 'balcao-starting-'))
  const wrong = new URL(process.env.TEST_PG ?? '')
  wrong.password = 'wrong'
  for (const [url, why] of [
    ['postgres://x:y@127.0.0.1:1/x', /^The database cannot be used: connect ECONNREFUSED 127.0.0.1:1\n$/],
    [wrong.href, /^The database cannot be used: password authentication failed .+\n$/],
    [process.env.TEST_PG?.replace(/[^/]+$/, 'nowhere') ?? '', /^The database cannot be used: database .+\n$/],
  ] as const)
    expect(await started({ DATABASE_URL: url, DATA_DIR: home })).toEqual([1, '', expect.stringMatching(why)])
  await rm(home, { recursive: true, force: true })
})

async function started(env: Record<string, string>) {
  const server = Bun.spawn(buildCommand('backend/src/main.ts'), {
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err] = await Promise.all([server.stdout, server.stderr].map(each => new Response(each).text()))
  return [await server.exited, out, err]
}
