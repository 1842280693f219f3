// Moving in by the terminal of the server's machine: looked at, asked about, brought, stopped, gone on with, and undone.
import { afterAll, expect, test } from 'bun:test'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { unseal } from '@balcao/backend/platform/seal'
import type { MoveIn } from '@balcao/contract'
import { createTestDatabase } from '../../backend/test/database.ts'
import { startDeskServer } from '../../backend/test/desk-server.ts'
import { DATA_KEY, makeConnection, makePerson } from '../../backend/test/desk-world.ts'
import { makeDump } from '../../backend/test/move-in-dump.ts'
import { waitUntil } from '../../backend/test/until.ts'
import { CTRL_C, createMachine, runInPipe, runInTerminal, startInPipe } from './terminal.ts'

const { db, config } = await startDeskServer()
const sql = db.$client
const machine = await createMachine()
afterAll(machine.leave)
await makePerson(db, { name: 'Marina', profile: 'admin' })
await makeConnection(db, 'Loja Centro')
await sql`update whatsapp set is_default = true`
const env = { DATABASE_URL: config.databaseUrl ?? '', DATA_DIR: config.dataDir, DATA_KEY }
const DUMP = join(import.meta.dir, '../../backend/test/fixtures/move-in/ticketz.sql')
const FROM = ['import', 'from', 'ticketz', DUMP]

const run = (...words: string[]) => runInPipe(machine, words, { env })
const open = (...words: string[]) => runInTerminal(machine, words, { env })

async function countMessages(): Promise<number> {
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from message`
  return row?.n ?? 0
}

test('without a move there is nothing to go on with, to undo or to bring files of', async () => {
  for (const words of [['resume'], ['undo', '--yes'], ['files', machine.folder]]) {
    const { code, err } = await run('import', ...words)
    expect([code, err]).toEqual([1, '✗ Não há mudança nenhuma.\n'])
  }
})

test('what is no file and no known database is refused before anything is read', async () => {
  for (const [place, words] of [
    ['/nowhere/dump.sql', '/nowhere/dump.sql não existe.'],
    ['mongodb://desk/x', 'Por endereço, só Postgres, MySQL e MariaDB.'],
  ] as const) {
    const { code, err } = await run('import', 'from', 'ticketz', place)
    expect([code, err.includes(words)]).toEqual([2, true])
  }
})

test('no password is an argument: it is asked for, or comes with the address by the pipe', async () => {
  for (const place of [
    'postgres://ana:segredo@127.0.0.1:1/x',
    'postgres://ana:se/g?redo@127.0.0.1:1/x',
    'mysql://ana@127.0.0.1:1/x?password=segredo',
  ]) {
    const { code, err } = await run('import', 'from', 'ticketz', place)
    expect([code, err.includes('Não ponha senha no endereço')]).toEqual([2, true])
  }
  const files = await run('import', 'files', 'https://ana:segredo@127.0.0.1:1/public/')
  expect([files.code, files.err.includes('Não ponha usuário nem senha no endereço')]).toEqual([2, true])
  const received: Buffer[] = []
  const old = createServer(socket =>
    socket.on('data', bytes => {
      received.push(bytes)
      socket.destroy()
    }),
  )
  await new Promise<void>(done => old.listen(0, '127.0.0.1', done))
  const at = old.address()
  const place = `127.0.0.1:${typeof at === 'object' && at ? at.port : 0}/x`
  const piped = await runInPipe(machine, ['import', 'from', 'ticketz', '-'], {
    env,
    input: `postgres://ana:segredo@${place}\n`,
  })
  expect([piped.code, received.length > 0]).toEqual([1, true])
  using seen = open('import', 'from', 'ticketz', `postgres://ana@${place}`)
  await seen.until('Senha de ana')
  seen.type('segre@do\r')
  expect(await seen.ended()).toBe(1)
  expect(seen.text()).not.toContain('segre')
  old.close()
  const rows = await sql<{ address: string | null }[]>`select address from move_in order by id desc limit 2`
  const addresses = rows.map(({ address }) => unseal(DATA_KEY, address ?? ''))
  expect(addresses).toEqual([`postgres://ana:segre%40do@${place}`, `postgres://ana:segredo@${place}`])
})

test('a move that no server takes up says so', async () => {
  const idle = await createTestDatabase({ jobs: true })
  await makePerson(idle.db, { name: 'Marina', profile: 'admin' })
  const child = startInPipe(machine, [...FROM, '--preview'], { env: { ...env, DATABASE_URL: idle.url } })
  let words = ''
  const read = async () => {
    for await (const bytes of child.stderr) words += new TextDecoder().decode(bytes)
  }
  const reading = read()
  await waitUntil('it is told', () => words.includes('Nenhum servidor começou ainda'), 30_000)
  child.kill('SIGINT')
  await reading
  expect(await child.exited).toBe(130)
}, 60_000)

test('--preview says what would come, in words and as JSON, and writes nothing', async () => {
  const { code, out } = await run(...FROM, '--company', '1', '--preview')
  expect(code).toBe(0)
  expect(out).toContain('Viriam (nada gravado ainda):')
  expect(out).toMatch(/Contatos +6 +1\n/)
  expect(out).toMatch(/Mensagens +7 +2\n/)
  expect(out).toContain('Contatos: o número não é um telefone (1)')
  expect(out).toContain('Nada foi trazido.')
  const answer = await run(...FROM, '--company', '1', '--preview', '--json')
  const move: MoveIn = JSON.parse(answer.out)
  expect([answer.code, move.state, move.preview?.openTickets]).toEqual([0, 'ready', 3])
  expect(await countMessages()).toBe(0)
})

test('in a pipe nobody confirms, and of several companies one must be named', async () => {
  const { code, err } = await run(...FROM, '--company', '1')
  expect([code, err.includes('use --yes')]).toEqual([2, true])
  const several = await run(...FROM, '--yes')
  expect(several.code).toBe(1)
  for (const words of ['1  Casa da Ração', '2  Outra Loja']) expect(several.err).toContain(words)
  expect(await countMessages()).toBe(0)
})

test('in a terminal it asks which company and whether to bring it; no brings nothing, yes all', async () => {
  for (const [answer, words, expected] of [
    ['n', 'Nada foi trazido.', 1],
    ['s', 'Pronto: 5 contatos, 4 atendimentos, 7 mensagens.', 0],
  ] as const) {
    using seen = open(...FROM)
    await seen.until('Qual delas? (número)')
    expect(seen.text()).toContain('2  Outra Loja')
    seen.type('1\r')
    await seen.until(/Trazer\? \[.*\]/)
    expect(seen.text()).toContain('NÃO VEM')
    seen.type(`${answer}\r`)
    await seen.until(words)
    expect([await seen.ended(), seen.isAsBefore()]).toEqual([expected, true])
  }
  expect(await countMessages()).toBe(7)
})

test('files follow from a folder, and what is not found is counted', async () => {
  const missing = await run('import', 'files', join(machine.folder, 'nada'))
  expect([missing.code, missing.err.includes('não existe.')]).toEqual([2, true])
  const folder = join(machine.folder, 'public')
  await mkdir(folder)
  const none = await run('import', 'files', folder)
  expect([none.code, none.err]).toEqual([0, '! Arquivos aqui: 0 de 1. Não achados: 1.\n'])
  await Bun.write(join(folder, '1700-foto.jpg'), Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]))
  const found = await run('import', 'files', folder)
  expect([found.code, found.out]).toEqual([0, '✓ Arquivos aqui: 1 de 1. Não achados: 0.\n'])
})

test('undo asks first, and takes all back', async () => {
  expect((await run('import', 'undo')).code).toBe(2)
  using seen = open('import', 'undo')
  await seen.until('Apagar tudo o que veio?')
  seen.type('n\r')
  expect(await seen.ended()).toBe(1)
  expect(await countMessages()).toBe(7)
  const { code, out } = await run('import', 'undo', '--yes', '--json')
  const move: MoveIn = JSON.parse(out)
  expect([code, move.state, await countMessages()]).toEqual([0, 'undone', 0])
})

test('Ctrl+C stops it where it is, and resume brings the rest', async () => {
  const dump = join(machine.folder, 'dump.sql')
  await Bun.write(dump, [...makeDump(60)].join(''))
  using seen = open('import', 'from', 'ticketz', dump)
  await seen.until('Trazer?')
  await sql.begin(async tx => {
    // It waits for its first rows until it has been stopped.
    await tx`lock table move_in_row in access exclusive mode`
    seen.type('s\r')
    await seen.until('Trazendo 0/')
    seen.type(CTRL_C)
    expect([await seen.ended(), seen.isAsBefore()]).toEqual([130, true])
  })
  expect(await countMessages()).toBe(0)
  const { code, out } = await run('import', 'resume')
  expect([code, out]).toEqual([0, '✓ Pronto: 20 contatos, 60 atendimentos, 300 mensagens.\n'])
  const [other] = await sql`select count(distinct body)::int as n from message`
  expect(other?.n).toBe(300)
  expect((await run('import', 'resume')).code).toBe(1)
})

test('an undo that Ctrl+C stopped is not gone on with, and undone to its end', async () => {
  using seen = open('import', 'undo', '--yes')
  await sql.begin(async tx => {
    // It waits for its first rows until it has been stopped.
    await tx`lock table move_in_row in access exclusive mode`
    await seen.until('Desfazendo')
    seen.type(CTRL_C)
    expect(await seen.ended()).toBe(130)
  })
  const { code, err } = await run('import', 'resume')
  expect([code, err]).toEqual([1, '✗ Esta mudança não está num ponto em que isso seja possível.\n'])
  expect((await run('import', 'undo', '--yes')).code).toBe(0)
  expect(await countMessages()).toBe(0)
})
