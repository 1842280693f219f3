// The bundle on the machine's Node, which has no Bun in it: it starts, draws, and speaks to the desk.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { buildBundle } from '../build.ts'
import { aCompany } from './desk.ts'
import { aMachine, inPipe, inTerminal, type Machine } from './terminal.ts'

const { server, machine } = await aCompany()
let folder: Machine
let program: readonly string[]

beforeAll(async () => {
  folder = await aMachine()
  program = ['node', await buildBundle(join(folder.folder, 'dist'))]
}, 60_000)
afterAll(() => folder.leave())

test('answers, signs in, and watches', async () => {
  const { version } = await Bun.file(join(import.meta.dir, '../../package.json')).json()
  expect((await inPipe(machine, ['--version'], { program })).out).toBe(`${version}\n`)
  const { out } = await inPipe(machine, ['queues', '--json'], { program })
  expect(JSON.parse(out).queues).toHaveLength(2)
  using watching = inTerminal(machine, ['tickets', 'watch'], { program })
  await watching.until('Acompanhando')
  watching.kill('SIGINT')
  expect(await watching.ended()).toBe(130)
}, 60_000)

test('draws with Ink', async () => {
  await Bun.write(join(machine.folder, 'um.csv'), 'nome,numero\nPadaria Estrela,31 98450-7712')
  using seen = inTerminal(machine, ['import', 'contacts', 'um.csv', '--yes'], { program })
  await seen.until('✓ Pronto: 1 novos, 0 atualizados')
  expect([await seen.ended(), seen.isAsBefore(), seen.raw().includes('━')]).toEqual([0, true, true])
}, 60_000)

test('what only the server’s machine can do says so elsewhere', async () => {
  const { code, err } = await inPipe(folder, ['migrate'], {
    program,
    env: { DATABASE_URL: server.config.databaseUrl ?? '' },
  })
  expect([code, err.includes('npm run balcao')]).toEqual([1, true])
}, 60_000)
