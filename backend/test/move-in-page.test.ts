// Moving in with the page (docs/decisions/0325): a dump comes in parts, is looked at, brought, and taken back; whoever presses twice.
import { beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { truncate, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { MoveIn } from '@balcao/contract'
import { MOVE_IN_PART } from '@balcao/contract/move-in/move-in'
import { refreshCalendar } from '../src/insight/figures/calendar.ts'
import { getDumpPath, sweepDumps } from '../src/operations/move-in/dump-file.ts'
import { enqueueJob } from '../src/platform/worker/enqueue.ts'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makePerson, makeQueue } from './desk-world.ts'
import { makeDump } from './move-in-dump.ts'
import { waitUntil } from './until.ts'

const { db, config, as } = await startDeskServer({ MOVE_IN_MAX_GB: '0.01' })
const sql = db.$client
await makePerson(db, { name: 'Marina', profile: 'admin', queueIds: [await makeQueue(db, 'Vendas')] })
await makePerson(db, { name: 'Bruna', profile: 'admin' })
await makePerson(db, { name: 'Gil', profile: 'gerente' })
await makeConnection(db, 'Loja Centro')
await sql`update whatsapp set is_default = true`
const [marina, bruna, gil] = [await as('Marina'), await as('Bruna'), await as('Gil')]
type Person = typeof marina

beforeAll(() => refreshCalendar(db, new Date()))

function readFixture(name: string): Promise<Uint8Array> {
  return Bun.file(join(import.meta.dir, `fixtures/move-in/${name}.sql`)).bytes()
}

function announce(person: Person, source: string, size: number, name = 'dump.sql') {
  return person.call<MoveIn & { error: string }>('POST', '/move-in', { source, name, size, openTag: 'Em andamento' })
}

function put(person: Person, id: number, at: number, bytes: Uint8Array) {
  return person.call<{ received: number; error: string }>('PUT', `/move-in/${id}/dump?at=${at}`, bytes)
}

function act(person: Person, id: number, action: string, body: object = {}) {
  return person.call<MoveIn & { error: string }>('POST', `/move-in/${id}/${action}`, body)
}

async function list(person: Person) {
  return (await person.call<{ moves: MoveIn[]; most: number }>('GET', '/move-in')).body
}

async function settle(id: number): Promise<MoveIn> {
  const find = async () => (await list(marina)).moves.find(move => move.id === id)
  const isAtRest = async () => !['reading', 'writing', 'undoing'].includes((await find())?.state ?? 'reading')
  await waitUntil('the move stands still', isAtRest)
  const move = await find()
  if (!move) throw new Error('The move is gone')
  return move
}

async function send(source: string, bytes: Uint8Array): Promise<MoveIn> {
  const { id } = (await announce(marina, source, bytes.length)).body
  await put(marina, id, 0, bytes)
  expect((await act(marina, id, 'read')).status).toBe(202)
  return settle(id)
}

async function throwAway(id: number): Promise<void> {
  expect((await act(marina, id, 'undo')).status).toBe(202)
  expect((await settle(id)).state).toBe('undone')
}

test('only administrators move in', async () => {
  expect((await gil.call('GET', '/move-in')).status).toBe(403)
  expect((await announce(gil, 'ticketz', 10)).status).toBe(403)
})

test('a dump above the limit is refused before anything of it comes', async () => {
  const { most } = await list(marina)
  expect(most).toBe(Math.floor(0.01 * 1024 ** 3))
  const { status, body } = await announce(marina, 'ticketz', most + 1)
  expect([status, body.error]).toEqual([413, 'ERR_FILE_TOO_LARGE'])
})

test('parts go on where the last one ended, whatever is sent twice; only who began sends them', async () => {
  const bytes = await readFixture('whaticket')
  const half = Math.floor(bytes.length / 2)
  const { id, state, dump } = (await announce(marina, 'whaticket', bytes.length)).body
  expect([state, dump]).toEqual(['uploading', { name: 'dump.sql', size: bytes.length, received: 0 }])
  expect((await announce(marina, 'whaticket', 10)).body.error).toBe('ERR_MOVE_IN_BUSY')
  expect((await put(marina, id, 0, bytes.subarray(0, half))).body.received).toBe(half)
  expect((await put(marina, id, 0, bytes.subarray(0, half))).body.received).toBe(half)
  expect((await put(marina, id, half + 5, bytes.subarray(half + 5))).body.received).toBe(half)
  expect((await put(bruna, id, half, bytes.subarray(half))).body.error).toBe('ERR_MOVE_IN_STATE')
  expect((await act(marina, id, 'read')).body.error).toBe('ERR_MOVE_IN_STATE')
  expect((await list(bruna)).moves[0]).toMatchObject({ state: 'uploading', dump: { received: half } })
  expect((await put(marina, id, half, new Uint8Array(MOVE_IN_PART))).status).toBe(413)
  // What came of the part that was too large is not taken back: it goes on behind it, or the file is another one.
  await act(marina, id, 'undo')
  await settle(id)
  expect(existsSync(getDumpPath(config.dataDir, id))).toBe(false)
})

test('the last part of five gigabytes stands behind all others', async () => {
  const [size, end] = [5_000_000_000, new TextEncoder().encode('\\.\n')]
  const { id } = (await announce(marina, 'ticketz', 1000)).body
  await put(marina, id, 0, new TextEncoder().encode('--\n'))
  // As if all others had come: what is between takes no room.
  await sql`update move_in set file_size = ${size} where id = ${id}`
  const path = getDumpPath(config.dataDir, id)
  await truncate(path, size - end.length)
  const { status, body } = await put(marina, id, size - end.length, end)
  expect([status, body.received]).toEqual([200, size])
  expect((await list(marina)).moves[0]).toMatchObject({ state: 'uploading', dump: { size, received: size } })
  expect(await Bun.file(path).slice(0, 4).text()).toBe('--\n\0')
  expect(
    await Bun.file(path)
      .slice(size - end.length)
      .bytes(),
  ).toEqual(end)
  await throwAway(id)
  expect(existsSync(path)).toBe(false)
})

test('is read, looked at, brought by another administrator, and taken back; pressed twice it is done once', async () => {
  const bytes = await readFixture('whaticket')
  const { id, state, preview, dump } = await send('whaticket', bytes)
  expect([state, preview?.kinds.find(({ kind }) => kind === 'message')?.count]).toEqual(['ready', 2])
  expect([dump?.received, existsSync(getDumpPath(config.dataDir, id))]).toEqual([0, false])
  const answers = await Promise.all([act(bruna, id, 'write'), act(marina, id, 'write')])
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 409])
  expect((await settle(id)).state).toBe('done')
  expect((await sql`select count(*)::int as n from message`)[0]?.n).toBe(2)
  expect((await sql`select count(*)::int as n from job where kind = 'moveIn.write'`)[0]?.n).toBe(1)
  await sql`update ticket set version = version + 1`
  expect((await act(marina, id, 'undo')).body.error).toBe('ERR_MOVE_IN_IN_USE')
  await sql`update ticket set version = 1`
  await throwAway(id)
  expect((await act(marina, id, 'undo')).body.error).toBe('ERR_MOVE_IN_STATE')
  expect((await sql`select count(*)::int as n from message`)[0]?.n).toBe(0)
})

test('of several companies one is chosen, and the dump stays for that', async () => {
  const { id, state, error, preview } = await send('ticketz', await readFixture('ticketz'))
  expect([state, error, preview?.companies.length]).toEqual(['failed', 'ERR_MOVE_IN_COMPANY', 2])
  expect((await act(marina, id, 'write')).body.error).toBe('ERR_MOVE_IN_STATE')
  await act(marina, id, 'read', { company: '9' })
  expect(await settle(id)).toMatchObject({ state: 'failed', error: 'ERR_MOVE_IN_COMPANY' })
  await act(bruna, id, 'read', { company: '1' })
  expect(await settle(id)).toMatchObject({ state: 'ready', error: null })
  expect((await sql`select count(*)::int as n from move_in_row where record->>'name' = 'Alheio'`)[0]?.n).toBe(0)
  await throwAway(id)
  expect((await sql`select count(*)::int as n from move_in_row`)[0]?.n).toBe(0)
})

test('a reading of the chosen company that was stopped is read again, and not brought by what was seen before', async () => {
  const { id } = await send('ticketz', await readFixture('ticketz'))
  // It waits for its first rows until it has been stopped.
  await sql.begin(async tx => {
    await tx`lock table move_in_row in access exclusive mode`
    await act(marina, id, 'read', { company: '1' })
    await act(marina, id, 'stop')
  })
  expect(await settle(id)).toMatchObject({ state: 'stopped', preview: null })
  expect((await act(marina, id, 'write')).body.error).toBe('ERR_MOVE_IN_STATE')
  expect((await act(marina, id, 'read')).status).toBe(202)
  expect(await settle(id)).toMatchObject({ state: 'ready', error: null })
  await throwAway(id)
})

test('archives and the packed form of pg_dump are refused with their first part; a cut or empty file is refused in words', async () => {
  for (const head of ['PK\x03\x04', 'PGDMP\x01\x0e']) {
    const { id } = (await announce(marina, 'chatwoot', 5000)).body
    const { status, body } = await put(marina, id, 0, new TextEncoder().encode(head.padEnd(3000, 'x')))
    expect([status, body.error]).toEqual([422, 'ERR_MOVE_IN_UNREADABLE'])
    expect((await list(marina)).moves[0]).toMatchObject({ state: 'failed', error: 'ERR_MOVE_IN_UNREADABLE' })
  }
  const bytes = await readFixture('chatwoot')
  for (const cut of [
    bytes.subarray(0, 2000),
    bytes.subarray(0, -30),
    Bun.gzipSync(Buffer.from(bytes)).subarray(0, 500),
  ])
    expect(await send('chatwoot', cut)).toMatchObject({ state: 'failed', error: 'ERR_MOVE_IN_CUT' })
  const words = new TextEncoder().encode('nada de um banco\n')
  expect(await send('chatwoot', words)).toMatchObject({ state: 'failed', error: 'ERR_MOVE_IN_UNREADABLE' })
  expect((await announce(marina, 'chatwoot', 0)).status).toBe(422)
  // Nothing of them stays once something else is read.
  const { id } = await send('whaticket', await readFixture('whaticket'))
  expect((await sql`select count(*)::int as n from move_in_row where move_in_id <> ${id}`)[0]?.n).toBe(0)
  await throwAway(id)
})

test('where the database’s disk is full it is said, nothing stays, and the next one is read', async () => {
  await sql`
    create function refuse_for_test() returns trigger language plpgsql as $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`
  await sql`
    create trigger refuse_for_test before insert on move_in_row for each row when (new.kind = 'message') execute function refuse_for_test()`
  // A thousand rows are stored before its messages come.
  const dump = new TextEncoder().encode([...makeDump(3000)].join(''))
  const failed = await send('ticketz', dump)
  expect(failed).toMatchObject({ state: 'failed', error: 'ERR_NO_SPACE', dump: { received: 0 } })
  await waitUntil('nothing of it is left', async () => (await sql`select 1 from move_in_row`).length === 0)
  await sql`drop trigger refuse_for_test on move_in_row`
  const { id, state } = await send('ticketz', dump)
  expect(state).toBe('ready')
  await throwAway(id)
})

test.each([
  ['failed', 'ERR_NO_SPACE'],
  ['ready', null],
] as const)(
  'a process that ends once a move stands as %s, before its job has ended, leaves no second reading',
  async (state, error) => {
    const { id } = await send('whaticket', await readFixture('whaticket'))
    // Its rows are there, and its dump still lies where somebody of this machine named it.
    const dump = join(import.meta.dir, 'fixtures/move-in/whaticket.sql')
    await sql`update move_in set state = ${state}, error = ${error}, dump = ${dump}, preview = null where id = ${id}`
    const [job] = await sql<{ id: number }[]>`
      update job set state = 'running', ended_at = null where id = (select job_id from move_in where id = ${id}) returning id`
    const jobId = job?.id ?? 0
    await enqueueJob(db, 'moveIn.read', { payload: { jobId }, key: `job:${jobId}`, attempts: 2 })
    const findJob = async () => (await sql`select state, error from job where id = ${jobId}`)[0]
    await waitUntil('its job has ended', async () => (await findJob())?.state !== 'running')
    expect(await findJob()).toEqual({ state: error === null ? 'done' : 'failed', error })
    expect(await settle(id)).toMatchObject({ state, error, preview: null })
    expect((await sql`select 1 from move_in_row`).length > 0).toBe(error === null)
    await throwAway(id)
  },
)

test('a dump that nobody goes on with is removed after a day', async () => {
  const { id } = (await announce(marina, 'ticketz', 100)).body
  await put(marina, id, 0, new Uint8Array(50).fill(45))
  const path = getDumpPath(config.dataDir, id)
  expect(await sweepDumps({ db, config })).toBe(0)
  const before = new Date(Date.now() - 25 * 3_600_000)
  await utimes(path, before, before)
  expect(await sweepDumps({ db, config })).toBe(1)
  expect((await list(marina)).moves[0]).toMatchObject({ state: 'uploading', dump: { received: 0 } })
  await throwAway(id)
})

test('an address of files with a password in it is refused, and stored nowhere', async () => {
  const address = 'https://ana:segredo@exemplo.example/public'
  expect(await act(marina, 1, 'files', { address })).toMatchObject({ status: 422, body: { error: 'ERR_VALIDATION' } })
  expect([...(await sql`select 1 from move_in where files_from like '%segredo%'`)]).toEqual([])
  const good = await act(marina, 2_000_000, 'files', { address: 'https://exemplo.example/pasta@2024/public' })
  expect(good.status).toBe(404)
})
