// The server is killed while customers write: every message is stored once, and every customer sees it delivered.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { CompanyPagePhone } from '@balcao/simulator/page/phones'
import postgres from 'postgres'
import { startWorld, type World } from '../src/world.ts'

const KILLS = 3
const CUSTOMERS = 8

let world: World
let sql: postgres.Sql

beforeAll(async () => {
  const postgresUrl = process.env.TEST_PG
  world = await startWorld(postgresUrl ? { postgresUrl } : {})
  sql = postgres(world.databaseUrl, { max: 2, onnotice: () => {} })
}, 120_000)

afterAll(async () => {
  await sql?.end()
  await world?.stop()
})

test(`nothing is lost and nothing doubled when the server is killed ${KILLS} times`, async () => {
  const company = world.simulator.find('Celular da empresa') as CompanyPagePhone
  const connection = await pair(company)
  const people = Array.from({ length: CUSTOMERS }, (_, n) =>
    world.simulator.whatsapp.customer({ number: `553198700000${n}`, name: `Cliente ${n}` }),
  )
  const sent: string[] = []
  let writing = true
  const written = (async () => {
    for (let n = 0; writing; n++) {
      const person = people[n % CUSTOMERS]
      if (person) sent.push(await person.send(company.whatsapp, { type: 'text', text: `Mensagem ${n}` }))
      await Bun.sleep(15)
    }
  })()
  for (let kill = 0; kill < KILLS; kill++) {
    const before = await stored(sent)
    await until('more messages', async () => (await stored(sent)) > before + 40)
    await world.killAndRestart()
    await until('the connection', async () => (await statusOf(connection)).status === 'CONNECTED')
  }
  writing = false
  await written
  await until('all of them', async () => (await stored(sent)) === sent.length)
  const [row] = await sql<{ rows: number }[]>`
    select count(*)::int as rows from message where provider_id = any(${sent})`
  expect(row?.rows).toBe(sent.length)
  const ticks = () => people.flatMap(person => person.chat(company.whatsapp)).filter(message => message.fromMe)
  await until('two ticks everywhere', async () => ticks().every(message => message.tick === 'delivered'))
}, 120_000)

/** Asks for a QR code as an administrator and reads it with the company's phone. @returns the connection's id */
async function pair(company: CompanyPagePhone): Promise<number> {
  const [row] = await sql<{ id: number }[]>`
    select id from whatsapp where api = 'baileys' and deleted_at is null order by id limit 1`
  if (!row) throw new Error('The demo has no connection by phone')
  const [admin] = world.accounts
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ email: admin?.email, password: admin?.password })
  const signedIn = await fetch(`${world.url}/auth/login`, { method: 'POST', headers, body })
  const { token } = (await signedIn.json()) as { token: string }
  const asked = await fetch(`${world.url}/whatsappsession/${row.id}`, {
    method: 'PUT',
    headers: { ...headers, authorization: `Bearer ${token}` },
    body: '{}',
  })
  expect(asked.status).toBe(200)
  await until('a code', async () => (await statusOf(row.id)).qrcode)
  await company.whatsapp.scan(async () => (await statusOf(row.id)).qrcode ?? '')
  await until('the pairing', async () => (await statusOf(row.id)).status === 'CONNECTED')
  return row.id
}

async function statusOf(id: number): Promise<{ status: string; qrcode: string | null }> {
  const [row] = await sql<{ status: string; qrcode: string | null }[]>`
    select status, qrcode from whatsapp where id = ${id}`
  return row ?? { status: '', qrcode: null }
}

async function stored(ids: readonly string[]): Promise<number> {
  const [row] = await sql<{ known: number }[]>`
    select count(distinct provider_id)::int as known from message where provider_id = any(${[...ids]})`
  return row?.known ?? 0
}

async function until(what: string, check: () => Promise<unknown>, timeoutMs = 40_000): Promise<void> {
  const end = Date.now() + timeoutMs
  while (!(await check())) {
    if (Date.now() > end) throw new Error(`Not within ${timeoutMs} ms: ${what}`)
    await Bun.sleep(50)
  }
}
