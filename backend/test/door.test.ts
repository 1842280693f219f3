// A database on several hosts (growth): a primary that is only slow or full for a moment keeps everybody who is in; one that nobody
// listens at any more, or that is silent for long, sends them away.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { connect, createServer, type Server, type Socket } from 'node:net'
import postgres from 'postgres'
import { type Door, openDoor } from '../src/database/door.ts'
import { testDatabase } from './database.ts'
import { until } from './until.ts'

/** What Postgres says when all its connections are taken. */
const FULL = errorMessage('53300', 'sorry, too many clients already')
const WITHIN_MS = 30_000
const { url } = await testDatabase()
/** What becomes of whoever comes anew; those who are in stay. */
let newcomers: 'pass' | 'stall' | 'full' = 'pass'
let turnedAway = 0
let came = 0
let front: Server
let door: Door
let sql: postgres.Sql

beforeEach(async () => {
  newcomers = 'pass'
  turnedAway = 0
  came = 0
  front = createServer(stand)
  await new Promise<void>(done => front.listen(0, '127.0.0.1', done))
  const at = front.address()
  const through = new URL(url)
  through.host = `127.0.0.1:${typeof at === 'object' && at ? at.port : 0}`
  door = await openDoor([through.href])
  sql = postgres(door.url, { max: 1, onnotice: () => {} })
})

afterEach(async () => {
  await sql.end({ timeout: 1 })
  await door.close()
  front.close()
})

test('one look that has no answer ends nobody, nor does a server that is full', async () => {
  const before = await who()
  newcomers = 'stall'
  await until('a look has stalled', () => turnedAway === 1, WITHIN_MS)
  newcomers = 'full'
  await until('looks find no room', () => turnedAway >= 6, WITHIN_MS)
  newcomers = 'pass'
  expect(await who()).toBe(before)
}, 60_000)

test('nobody is asked for a newcomer’s sake while the primary is known, and it stays known though it is full for a moment', async () => {
  await who()
  const before = came
  const many = await Promise.all(Array.from({ length: 20 }, () => newcomer()))
  expect(many).toEqual(many.map(() => true))
  // They themselves, and the looks of the seconds that went by.
  expect(came - before).toBeLessThan(20 + 15)
  newcomers = 'full'
  expect(await newcomer()).toBe(false)
  newcomers = 'pass'
  expect(await newcomer()).toBe(true)
}, 60_000)

test('one that is silent look after look is lost', async () => {
  await who()
  const away = sentAway()
  newcomers = 'stall'
  await away
  expect(turnedAway).toBeGreaterThanOrEqual(3)
  newcomers = 'pass'
  expect(await who()).toBeGreaterThan(0)
}, 60_000)

test('one that refuses is lost at once', async () => {
  await who()
  const away = sentAway()
  front.close()
  await away
  expect(turnedAway).toBe(0)
}, 30_000)

/** Somebody is at work, until the connection ends. */
async function sentAway(): Promise<void> {
  await sql`select pg_sleep(60)`.then(
    () => Promise.reject(new Error('Nobody was sent away')),
    () => {},
  )
}

/** Whether somebody who comes anew gets in. */
async function newcomer(): Promise<boolean> {
  const own = postgres(door.url, { max: 1, onnotice: () => {} })
  try {
    return (await own`select 1 as one`).length === 1
  } catch {
    return false
  } finally {
    await own.end({ timeout: 1 })
  }
}

async function who(): Promise<number> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  return row?.pid ?? 0
}

function stand(near: Socket): void {
  near.on('error', () => near.destroy())
  came++
  if (newcomers !== 'pass') turnedAway++
  if (newcomers === 'stall') return void near.resume()
  if (newcomers === 'full') return void near.once('data', () => near.end(FULL))
  const { hostname, port } = new URL(url)
  const far = connect(Number(port), hostname)
  far.on('error', () => near.destroy())
  near.pipe(far)
  far.pipe(near)
  near.on('close', () => far.destroy())
  far.on('close', () => near.destroy())
}

function errorMessage(code: string, text: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${text}\0\0`)
  const head = Buffer.from('E....')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}
