// The bundle on the machine's Node, which has no Bun in it: it starts, draws, and speaks to the desk.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { takeRounds } from '../../backend/test/rounds.ts'
import { waitUntil } from '../../backend/test/until.ts'
import { buildBundle } from '../build.ts'
import { startCompany } from './desk.ts'
import { createMachine, type Machine, runInPipe, runInTerminal, startInPipe } from './terminal.ts'

const { server, machine } = await startCompany()
let folder: Machine
let program: readonly string[]

beforeAll(async () => {
  folder = await createMachine()
  program = ['node', await buildBundle(join(folder.folder, 'dist'))]
}, 60_000)
afterAll(() => folder.leave())

test('answers, signs in, and watches', async () => {
  const { version } = await Bun.file(join(import.meta.dir, '../../package.json')).json()
  expect((await runInPipe(machine, ['--version'], { program })).out).toBe(`${version}\n`)
  const { out } = await runInPipe(machine, ['queues', '--json'], { program })
  expect(JSON.parse(out).queues).toHaveLength(2)
  // Also before its line is open.
  for (let times = 0; times < 5; times++) {
    using watching = runInTerminal(machine, ['tickets', 'watch'], { program })
    await watching.until('Acompanhando')
    watching.kill('SIGINT')
    expect([await watching.ended(), watching.raw().includes(' at ')]).toEqual([130, false])
  }
})

test('draws with Ink', async () => {
  await Bun.write(join(machine.folder, 'um.csv'), 'nome,numero\nPadaria Estrela,31 98450-7712')
  using seen = runInTerminal(machine, ['import', 'contacts', 'um.csv', '--yes'], { program })
  await seen.until('✓ Pronto: 1 novo, 0 atualizado')
  expect([await seen.ended(), seen.isAsBefore(), seen.raw().includes('━')]).toEqual([0, true, true])
})

test('what only the server’s machine can do says so elsewhere', async () => {
  const { code, err } = await runInPipe(folder, ['migrate'], {
    program,
    env: { DATABASE_URL: server.config.databaseUrl ?? '' },
  })
  expect([code, err.includes('npm run balcao')]).toEqual([1, true])
})

test('decisions-2 §21: what opens the database runs where the program itself lies; the folder one is in is asked only if it is one’s own', async () => {
  const elsewhere = await createMachine()
  try {
    await writeCheckout(elsewhere.folder, 'working folder')
    const runMigrate = async () => (await runInPipe(elsewhere, ['migrate'], { program })).out
    expect(await runMigrate()).toBe('working folder\n')
    await chmod(elsewhere.folder, 0o777)
    expect(await runMigrate()).toBe('')
    await writeCheckout(folder.folder, 'own place')
    expect(await runMigrate()).toBe('own place\n')
    await chmod(elsewhere.folder, 0o700)
    expect(await runMigrate()).toBe('own place\n')
  } finally {
    await elsewhere.leave()
  }
})

test('decisions-2 §21: an installation has no checkout; what opens its database runs on the Bun that lies there, by whatever the program was started', async () => {
  const [installation, elsewhere] = [await createMachine(), await createMachine()]
  try {
    const installed = await buildBundle(join(installation.folder, 'cli/dist'))
    const runMigrate = (runtime: string) => runInPipe(elsewhere, ['migrate'], { program: [runtime, installed] })
    expect((await runMigrate('node')).err).toContain('npm run balcao')
    await writeCheckout(installation.folder, 'installation', { bun: 'bin/bun', program: 'cli/dist/other.mjs' })
    expect((await runMigrate('node')).out).toBe('installation\n')
    await Bun.write(
      join(installation.folder, 'cli/node_modules/@balcao/backend/platform/database/migrate-installation.js'),
      'export const migrateInstallation = async () => ({ applied: 3, migrations: 7 })',
    )
    // On Bun it is there already and hands nothing over.
    expect(await runMigrate(process.execPath)).toMatchObject({ code: 0, out: expect.stringContaining('7') })
  } finally {
    await Promise.all([installation.leave(), elsewhere.leave()])
  }
})

describe('a command that is told to end', () => {
  test('in the checkout hears of it through the program that started it, and its exit status says by what', async () => {
    for (const [signal, status] of takeRounds(ENDINGS, 1)) {
      const command = ['node', join(import.meta.dir, '../bin/balcao.mjs')]
      using watching = runInTerminal(machine, ['tickets', 'watch'], { program: command })
      await watching.until('Acompanhando')
      watching.kill(signal)
      expect([signal, await watching.ended()]).toEqual([signal, status])
    }
  }, 60_000)

  test('on the server’s machine hears of it through the program that handed it over', async () => {
    const elsewhere = await createMachine()
    try {
      await writeCheckout(elsewhere.folder, '')
      const script = 'trap "touch ended; exit 143" TERM\necho begun\nwhile :; do sleep 0.05; done'
      await Bun.write(join(elsewhere.folder, CHECKOUT.bun), `#!/bin/sh\n${script}\n`)
      // The one that a program lies in comes first.
      const bundle = await buildBundle(join(elsewhere.folder, 'dist'))
      const child = startInPipe(elsewhere, ['migrate'], { program: ['node', bundle] })
      await child.stdout.getReader().read()
      child.kill('SIGTERM')
      expect([await child.exited, await Bun.file(join(elsewhere.folder, 'ended')).exists()]).toEqual([143, true])
    } finally {
      await elsewhere.leave()
    }
  })

  test('removes what must not stay however long that takes; a second time it leaves at once', async () => {
    const start = () => Bun.spawn([process.execPath, join(import.meta.dir, 'ending-process.ts')], { stdout: 'pipe' })
    const [patient, hasty] = [start(), start()]
    const [waited, left] = [follow(patient.stdout), follow(hasty.stdout)]
    for (const [child, heard] of [
      [patient, waited],
      [hasty, left],
    ] as const) {
      await waitUntil('it has begun', () => heard().includes('begun'))
      child.kill('SIGTERM')
      // Two that follow at once are one press.
      await waitUntil('it says that it takes long', () => heard().includes('removing'))
    }
    await waitUntil('a second one ends it', () => {
      hasty.kill('SIGTERM')
      return hasty.exitCode !== null
    })
    expect([hasty.exitCode, left()]).toEqual([143, 'begun\nremoving\n'])
    expect([await patient.exited, waited()]).toEqual([143, 'begun\nremoving\nremoved\n'])
  }, 60_000)
})

const ENDINGS = [
  ['SIGTERM', 143],
  ['SIGHUP', 129],
  ['SIGINT', 130],
] as const

/** What it has said so far. */
function follow(stream: ReadableStream<Uint8Array>): () => string {
  let text = ''
  const read = async () => {
    for await (const bytes of stream) text += new TextDecoder().decode(bytes)
  }
  read().catch(() => {})
  return () => text
}

const CHECKOUT = { bun: 'node_modules/bun/bin/bun.exe', program: 'cli/src/main.ts' }

/** Something that looks like a checkout or an installation; its Bun says where it lies. */
async function writeCheckout(root: string, says: string, places = CHECKOUT): Promise<void> {
  const bun = join(root, places.bun)
  await Bun.write(join(root, places.program), '')
  await Bun.write(join(root, 'package.json'), '{"name":"balcao"}')
  await Bun.write(bun, `#!/bin/sh\necho ${says}\n`)
  await chmod(bun, 0o755)
}
