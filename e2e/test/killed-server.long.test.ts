// The server is killed while customers write: every message is stored once, and every customer sees it delivered.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { CompanyPagePhone } from '@balcao/simulator/page/phones'
import postgres from 'postgres'
import { pairPhone, waitUntil } from '../src/steps.ts'
import { startTestSystem, type TestSystem } from '../src/world.ts'

const KILLS = 3
const CUSTOMERS = 8
/** Nobody writes further ahead of the server than that: a slow machine makes the test longer, not harder. */
const AHEAD = 100
const WITHIN_MS = 90_000

let world: TestSystem
let sql: postgres.Sql

beforeAll(async () => {
  world = await startTestSystem()
  sql = postgres(world.databaseUrl, { max: 2, onnotice: () => {} })
}, 120_000)

afterAll(async () => {
  await sql?.end()
  await world?.stop()
})

test(`nothing is lost and nothing doubled when the server is killed ${KILLS} times`, async () => {
  const company = world.simulator.find('Celular da empresa') as CompanyPagePhone
  const connection = await pairPhone(world, sql, 'Loja Centro', company)
  const people = Array.from({ length: CUSTOMERS }, (_, n) =>
    world.simulator.whatsapp.customer({ number: `553198700000${n}`, name: `Cliente ${n}` }),
  )
  const sent: string[] = []
  let writing = true
  const written = (async () => {
    for (let n = 0; writing; n++) {
      if (n % 20 === 0)
        await waitUntil('the server keeps up', async () => !writing || (await countMissing(sent)) < AHEAD, WITHIN_MS)
      const person = people[n % CUSTOMERS]
      if (person) sent.push(await person.send(company.whatsapp, { type: 'text', text: `Mensagem ${n}` }))
      await Bun.sleep(15)
    }
  })()
  for (let kill = 0; kill < KILLS; kill++) {
    const before = await countStored(sent)
    await waitUntil('more messages', async () => (await countStored(sent)) > before + 40, WITHIN_MS)
    await world.killAndRestart()
    await waitUntil('the connection', () => isConnected(connection), WITHIN_MS)
  }
  writing = false
  await written
  await waitUntil('all of them', async () => (await countStored(sent)) === sent.length, WITHIN_MS)
  const [row] = await sql<{ rows: number }[]>`
    select count(*)::int as rows from message where provider_id = any(${sent})`
  expect(row?.rows).toBe(sent.length)
  const ticks = () => people.flatMap(person => person.chat(company.whatsapp)).filter(message => message.fromMe)
  await waitUntil('two ticks everywhere', () => ticks().every(message => message.tick === 'delivered'), WITHIN_MS)
}, 300_000)

async function isConnected(id: number): Promise<boolean> {
  const [row] = await sql<{ status: string }[]>`select status from whatsapp where id = ${id}`
  return row?.status === 'CONNECTED'
}

async function countMissing(ids: readonly string[]): Promise<number> {
  return ids.length - (await countStored(ids))
}

async function countStored(ids: readonly string[]): Promise<number> {
  const [row] = await sql<{ known: number }[]>`
    select count(distinct provider_id)::int as known from message where provider_id = any(${[...ids]})`
  return row?.known ?? 0
}
