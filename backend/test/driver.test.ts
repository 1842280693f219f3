// What we ask of the driver when connections break: patches/postgres@3.4.9.patch holds these promises.
import { expect, test } from 'bun:test'
import postgres from 'postgres'
import { closeDatabase, openDatabase } from '../src/platform/database/client.ts'
import { joinNext } from '../src/platform/database/raw.ts'
import { createTestDatabase } from './database.ts'
import { waitUntil } from './until.ts'

const { url, db, beforeDrop } = await createTestDatabase()
const admin = db.$client
await admin`create table note (text text not null)`

test('what is left of a transaction whose connection broke is refused, and never written outside it', async () => {
  const sql = pool(1)
  let late: unknown
  const whole = sql.begin(async tx => {
    const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
    await tx`insert into note values ('first')`
    await end(own?.pid ?? 0)
    // The pool has a new connection by now, on the same seat.
    await sql`select 1`
    late = await tx`insert into note values ('second')`.then(() => 'written', codeOf)
  })
  expect(await whole.then(() => 'committed', codeOf)).toBe('CONNECTION_CLOSED')
  await waitUntil('the rest was tried', () => late !== undefined)
  expect(late).toBe('CONNECTION_CLOSED')
  expect(await notes()).toEqual([])
})

test('whoever holds a connection that broke is told so, every time, and giving it back harms nobody', async () => {
  const sql = pool(2)
  const held = await sql.reserve()
  const [own] = await held<{ pid: number }[]>`select pg_backend_pid() as pid`
  await end(own?.pid ?? 0)
  // The first may meet the breaking itself.
  await held`select 1`.catch(() => {})
  for (let again = 0; again < 3; again++)
    expect(await held`select 1`.then(() => 'answered', codeOf)).toBe('CONNECTION_CLOSED')
  held.release()
  expect(await Promise.all(Array.from({ length: 5 }, () => sql`select 1 as n`.then(rows => rows[0]?.n)))).toEqual([
    1, 1, 1, 1, 1,
  ])
})

test('a pool whose connections are ended again and again under load answers every question, and all of them afterwards', async () => {
  const sql = pool(4)
  let done = 0
  const asking = Array.from({ length: 24 }, async (_, n) => {
    for (let times = 0; times < 15; times++) {
      const question: Promise<unknown> =
        n % 3 === 0
          ? sql.begin(async tx => {
              await tx`select ${'x'.repeat(n * 90)}::text`
              await tx`select 1`
            })
          : sql`select ${'x'.repeat(n * 90)}::text`
      await question.catch(() => {})
      done++
    }
  })
  let ended: readonly number[] = []
  const ending = (async () => {
    while (done < 24 * 15) {
      const rows = await admin<{ pid: number }[]>`
        select pid, pg_terminate_backend(pid) from pg_stat_activity where application_name = 'fragile'`
      ended = rows.map(({ pid }) => pid)
      await Bun.sleep(3)
    }
  })()
  await Promise.all([...asking, ending])
  // A connection that was told to end takes a question yet.
  await waitUntil('the last are gone', async () => {
    const [row] = await admin<
      { n: number }[]
    >`select count(*)::int as n from pg_stat_activity where pid = any(${[...ended]}::int[])`
    return row?.n === 0
  })
  const after = await Promise.all(
    Array.from({ length: 20 }, (_, n) => sql`select ${n}::int as n`.then(rows => rows[0]?.n)),
  )
  expect(after).toEqual(Array.from({ length: 20 }, (_, n) => n))
})

test('a transaction that begins on a connection with a full line has that connection for itself', async () => {
  const sql = pool(2, { max_pipeline: 2 })
  await Promise.all([sql`select pg_sleep(0.1)`, sql`select pg_sleep(0.1)`])
  const busy = Array.from({ length: 4 }, () => sql`select pg_sleep(0.2)`.execute())
  const whole = Array.from({ length: 4 }, (_, n) =>
    sql.begin(async tx => {
      await tx`insert into note values (${`pipelined ${n}`})`
    }),
  )
  await Promise.all([...busy, ...whole])
  expect(await notes()).toHaveLength(4)
})

test('connections that are ended while many reserve them are all given out again', async () => {
  const sql = pool(3)
  let done = 0
  const asking = Array.from({ length: 12 }, async () => {
    for (let times = 0; times < 10; times++) {
      const held = await sql.reserve().catch(() => null)
      if (held) await held`select 1`.catch(() => {})
      held?.release()
      done++
    }
  })
  while (done < 12 * 10)
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'fragile'`
  await Promise.all(asking)
  const reserved = await Promise.all([sql.reserve(), sql.reserve(), sql.reserve()])
  for (const held of reserved) held.release()
})

test('rows of a statement that ran before say what they said the first time', async () => {
  const ours = openDatabase(url, { max: 1 })
  beforeDrop(() => closeDatabase(ours))
  for (const sql of [pool(1), ours.$client]) {
    const read = () => sql`
      select n, n::int2 as small, n::int8 as large, n::float8 / 3 as share, n::float4 as half, n::numeric as exact, n % 2 = 0 as even,
        nullif(n, -1) as gap, -2147483648 as least, 2147483647 as most, 'ação ' || n as text, repeat('é😀', 20000) as long,
        array[n, null] as list, array['a,"b', 'ç'] as words, json_build_object('n', n) as made, jsonb_build_object('ü', n) as stored,
        n as "constructor", n as "with ""quotes""", null::timestamptz as never,
        timestamptz '2026-11-21 09:26:00.5-03' + n * interval '1 day 61.001 s' as at, timestamptz '1969-12-31 23:59:59.999+00' as before
      from unnest(${[-30_000, -1, 0, 1, 255, 30_000]}::int[]) n`
    const first = await read()
    expect(await read()).toEqual(first)
    expect(await read()).toEqual(first)
  }
  const [instant] = await ours.$client`select timestamptz '2026-11-21 09:26:00.5-03' as at where ${true}`
  expect(instant).toEqual({ at: '2026-11-21T12:26:00.500Z' })
})

test('lists of every type are known without asking, and there is no type of ours', async () => {
  const statements: string[] = []
  const sql = postgres(url, { max: 1, debug: (_, text) => statements.push(text) })
  beforeDrop(() => sql.end())
  const lists = { int4: [1, -2], int8: ['1'], float8: [0.5], text: ['a,"b', 'ç'] }
  const [row] = await sql`
    select ${lists.int4}::int4[] as int4, ${lists.int8}::int8[] as int8, ${lists.float8}::float8[] as float8,
      ${lists.text}::text[] as text, array[${'a'}::text] as made, array[true, false] as flags, array['{"a":1}'::jsonb] as stored`
  expect(row).toEqual({ ...lists, made: ['a'], flags: [true, false], stored: [{ a: 1 }] })
  expect(statements).toHaveLength(1)
  const [own] = await admin`
    select count(*)::int as count from pg_type join pg_namespace n on n.oid = typnamespace
    where typtype in ('e', 'd', 'r') and nspname = 'public'`
  expect(own).toEqual({ count: 0 })
})

test('a statement whose columns became others meanwhile is read as they are now', async () => {
  const sql = pool(1)
  await admin`create table changing (id int4)`
  await admin`insert into changing values (7)`
  const read = () => sql`select * from changing where ${true}`
  await read()
  expect([...(await read())]).toEqual([{ id: 7 }])
  await admin`alter table changing alter column id type text using 'n' || id, add column more int4 default 5`
  expect([...(await read())]).toEqual([{ id: 'n7', more: 5 }])
  expect([...(await read())]).toEqual([{ id: 'n7', more: 5 }])
})

test('what a statement has join it goes over the same connection, and is answered also when that one fails', async () => {
  const sql = pool(2)
  const readPid = () => sql<{ pid: number }[]>`select pg_backend_pid() as pid where ${true}`
  const divide = (by: number) => sql`select 1 / ${by}::int as n`
  // Each connection knows both statements.
  await Promise.all([readPid(), readPid()])
  await Promise.all([divide(1), divide(1)])
  const [one, other] = await Promise.all([readPid(), readPid()])
  expect(one[0]?.pid).not.toBe(other[0]?.pid ?? 0)
  const [first, joined, apart] = await Promise.all([joinNext(readPid()), readPid(), readPid()])
  expect(joined).toEqual(first)
  expect(apart).not.toEqual(first)
  const [failed, answered] = await Promise.allSettled([joinNext(divide(0)), readPid()])
  expect([failed.status, answered.status]).toEqual(['rejected', 'fulfilled'])
  // Nobody joins what was sent long ago, and a transaction has a connection for itself.
  const [alone, whole] = await Promise.all([joinNext(readPid()), sql.begin(tx => tx`select pg_backend_pid() as pid`)])
  expect(whole).not.toEqual(alone)
})

/** A pool that is ended by its name. */
function pool(max: number, more: { max_pipeline?: number } = {}): postgres.Sql {
  const sql = postgres(url, { max, backoff: () => 0.02, connection: { application_name: 'fragile' }, ...more })
  beforeDrop(() => sql.end({ timeout: 1 }))
  return sql
}

async function end(pid: number): Promise<void> {
  await admin`select pg_terminate_backend(${pid})`
  await waitUntil(
    'it is gone',
    async () => (await admin`select 1 from pg_stat_activity where pid = ${pid}`).length === 0,
  )
}

async function notes(): Promise<string[]> {
  return (await admin<{ text: string }[]>`select text from note`).map(({ text }) => text)
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : error
}
