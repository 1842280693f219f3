// Files of messages that moved in (docs/decisions/0326): from a folder or an address, never out of it, again where they were missing, and
// gone with the move.
import { afterAll, expect, test } from 'bun:test'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MoveIn, MoveInSource } from '@balcao/contract'
import { beginMove, bringFiles, goOn, stopMove, undoMove } from '../src/operations/move-in/begin.ts'
import { isPlain } from '../src/operations/move-in/read/files.ts'
import { loadMoveInState } from '../src/operations/move-in/state.ts'
import { makePerson } from './desk-world.ts'
import { startMoveInDesk } from './move-in-desk.ts'
import { waitUntil } from './until.ts'

const folder = await mkdtemp(join(tmpdir(), 'balcao-files-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const requests: string[] = []
const { promise: isDown, resolve: breakDown } = Promise.withResolvers<void>()
const oldDesk = Bun.serve({
  port: 0,
  fetch(request) {
    const { pathname } = new URL(request.url)
    requests.push(pathname)
    if (pathname.startsWith('/slow/')) return isDown.then(() => new Response('', { status: 503 }))
    if (pathname === '/public/nota%20fiscal.pdf') return new Response('%PDF-1.4 nota')
    if (pathname === '/public/pagina.txt') return new Response('<html>', { headers: { 'content-type': 'text/html' } })
    return new Response('nada', { status: 404 })
  },
})
afterAll(() => oldDesk.stop(true))
const { db, sql, here, asker, settle } = await startMoveInDesk({
  ALLOW_PRIVATE_HOSTS: `127.0.0.1:${oldDesk.port}`,
})
const brunaId = await makePerson(db, { name: 'Bruna', profile: 'admin' })

/** Names of files as messages have them. */
const NAMES = [
  ...['foto.png', 'empresa/tabela.txt', 'nota fiscal.pdf', 'pagina.txt', 'sumiu.ogg', 'vazio.txt'],
  ...['../fora.txt', '/etc/hostname', 'atalho.txt', '..%2ffora.txt', '%2e%2e/fora.txt', 'pasta'],
]

async function bring(source: MoveInSource, text: string): Promise<number> {
  const dump = join(folder, '../', `balcao-dump-${crypto.randomUUID()}.sql`)
  await Bun.write(dump, text)
  try {
    const id = await beginMove(here, asker, { source, from: { dump }, openTag: 'Em andamento' })
    expect((await settle(id)).state).toBe('ready')
    await goOn(here, asker, id)
    expect((await settle(id)).state).toBe('done')
    return id
  } finally {
    await rm(dump)
  }
}

async function fetchFrom(id: number, from: string): Promise<MoveIn> {
  await bringFiles(here, asker, id, from)
  return settle(id)
}

function copy(table: string, columns: string, rows: readonly (readonly string[])[]): string {
  return `COPY public.${table} (${columns}) FROM stdin;\n${rows.map(row => `${row.join('\t')}\n`).join('')}\\.\n\n`
}

function listFiles() {
  return sql<{ name: string; state: string; error: string | null; owner: string | null }[]>`
    select m.media->>'name' as name, m.media->>'state' as state, m.media->>'error' as error, f.owner from message m
    left join media f on f.id = m.media_id where m.media is not null order by m.id`
}

const AT = '2024-03-01 12:00:00+00'
const makeTicketz = (names: readonly string[]) =>
  [
    copy('"Companies"', 'id, name, "createdAt"', [['1', 'Loja', AT]]),
    copy('"Contacts"', 'id, name, number, "companyId"', [['1', 'Ana', '5531984507712', '1']]),
    copy('"Tickets"', 'id, status, "contactId", "createdAt", "updatedAt", "companyId"', [
      ['1', 'closed', '1', AT, AT, '1'],
    ]),
    copy(
      '"Messages"',
      'id, body, "fromMe", "mediaType", "mediaUrl", "ticketId", "createdAt", "companyId"',
      names.map((name, n) => [`M${n}`, '', 'f', 'document', name, '1', `2024-03-01 12:00:${10 + n}+00`, '1']),
    ),
  ].join('')
const TICKETZ = makeTicketz(NAMES)

test('from a folder: what is there becomes part of its message, what leads out of it never does', async () => {
  await mkdir(join(folder, 'public/empresa'), { recursive: true })
  await mkdir(join(folder, 'public/pasta'))
  await Bun.write(join(folder, 'fora.txt'), 'segredo')
  await Bun.write(
    join(folder, 'public/foto.png'),
    Bun.file(join(import.meta.dir, '../../shell/public/icons/badge.png')),
  )
  await Bun.write(join(folder, 'public/empresa/tabela.txt'), 'tabela de preços')
  await Bun.write(join(folder, 'public/vazio.txt'), '')
  await symlink(join(folder, 'fora.txt'), join(folder, 'public/atalho.txt'))
  const id = await bring('ticketz', TICKETZ)
  expect((await loadMoveInState(here, id)).counts).toMatchObject({ message: NAMES.length, fileNamed: NAMES.length })
  const move = await fetchFrom(id, join(folder, 'public'))
  expect([move.state, move.error, move.counts.file]).toEqual(['done', null, 2])
  const files = await listFiles()
  expect(files.filter(({ state }) => state === 'ready').map(({ name, owner }) => [name, owner])).toEqual([
    ['foto.png', 'message'],
    ['tabela.txt', 'message'],
  ])
  expect(files.filter(({ error }) => error === 'ERR_NO_FILE_FOUND')).toHaveLength(NAMES.length - 2)
  const faults = await sql<{ path: string; fault: string }[]>`select path, fault from move_in_file order by message_id`
  expect(faults.map(({ path, fault }) => `${path} ${fault}`)).toEqual(
    NAMES.slice(2).map(name => `${name} ${name === 'vazio.txt' ? 'empty' : 'missing'}`),
  )
})

test('from an address: those that were missing, once more; a page in place of a file is none', async () => {
  const [move] = await sql<{ id: number }[]>`select id from move_in order by id desc limit 1`
  const id = move?.id ?? 0
  const { counts, error } = await fetchFrom(id, `http://127.0.0.1:${oldDesk.port}/public/`)
  expect([counts.file, error]).toEqual([3, null])
  expect(requests.filter(path => !path.startsWith('/public/') || /fora|hostname/.test(path))).toEqual([])
  expect(requests).not.toContain('/public/foto.png')
  expect((await listFiles()).find(({ name }) => name === 'nota fiscal.pdf')?.state).toBe('ready')
})

test('a private address, one where nobody answers, and a folder that is not there are refused in words', async () => {
  const [move] = await sql<{ id: number }[]>`select id from move_in order by id desc limit 1`
  const id = move?.id ?? 0
  for (const from of ['https://127.0.0.1/public/', 'https://10.0.0.1/public', '/nowhere/at/all'])
    expect(await fetchFrom(id, from)).toMatchObject({ state: 'done', error: 'ERR_MOVE_IN_FILES' })
  expect((await fetchFrom(id, join(folder, 'public'))).error).toBeNull()
})

test('undone, the files go with their messages, and a fetch that was stopped and ends behind it changes nothing', async () => {
  const [move] = await sql<{ id: number }[]>`select id from move_in order by id desc limit 1`
  const id = move?.id ?? 0
  await bringFiles(here, asker, id, `http://127.0.0.1:${oldDesk.port}/slow/`)
  await waitUntil('a file is asked for', () => requests.some(path => path.startsWith('/slow/')))
  await stopMove(here, id)
  await undoMove(here, { viewer: { ...asker.viewer, id: brunaId } }, id)
  expect((await settle(id)).state).toBe('undone')
  breakDown()
  const listWork = () => sql`select 1 from graphile_worker._private_jobs where key like 'job:%'`
  await waitUntil('the fetch has ended', async () => (await listWork()).length === 0)
  expect(await loadMoveInState(here, id)).toMatchObject({ state: 'undone', error: null })
  expect((await sql<{ n: number }[]>`select count(*)::int as n from media where owner <> 'upload'`)[0]?.n).toBe(0)
  expect((await sql<{ n: number }[]>`select count(*)::int as n from move_in_file`)[0]?.n).toBe(0)
})

test('of Chatwoot by their keys in the store', async () => {
  const fixture = await Bun.file(join(import.meta.dir, 'fixtures/move-in/chatwoot.sql')).text()
  const store = [
    copy('active_storage_attachments', 'id, name, record_type, record_id, blob_id', [
      ['1', 'file', 'Attachment', '1', '7'],
      ['2', 'avatar', 'Contact', '1', '8'],
    ]),
    copy('active_storage_blobs', 'id, key, filename, content_type', [['7', 'abcdefgh', 'oculos.txt', 'text/plain']]),
  ].join('')
  await mkdir(join(folder, 'storage/ab/cd'), { recursive: true })
  await Bun.write(join(folder, 'storage/ab/cd/abcdefgh'), 'óculos')
  const id = await bring('chatwoot', fixture.replace('--\n-- PostgreSQL database dump complete', `${store}$&`))
  expect((await fetchFrom(id, join(folder, 'storage'))).counts).toMatchObject({ fileNamed: 2, file: 1 })
  expect((await listFiles()).filter(({ state }) => state === 'ready').map(({ name }) => name)).toEqual(['oculos.txt'])
})

test('names that lead nowhere else', () => {
  expect(['a.txt', 'a/b.txt', 'a b%20c.txt', '...txt'].filter(isPlain)).toHaveLength(4)
  const bad = ['', '/a', 'a//b', '../a', 'a/..', '.', '%2e%2e/a', '.%2E/a', 'a%2fb', 'a\\b', 'a\0']
  expect(bad.filter(isPlain)).toEqual([])
})

test('a file that cannot be read is missing, and those behind it come', async () => {
  const id = await bring('ticketz', makeTicketz(['mem', 'comm']))
  // A disk that fails: nobody reads the beginning of a process, whoever they are.
  const move = await fetchFrom(id, `/proc/${process.pid}`)
  expect([move.state, move.error, move.counts.file]).toEqual(['done', null, 1])
  const faults = await sql<
    { path: string; fault: string }[]
  >`select path, fault from move_in_file where move_in_id = ${id} order by message_id`
  expect([...faults]).toEqual([{ path: 'mem', fault: 'missing' }])
})
