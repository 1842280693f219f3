// Power cuts of a connection that runs in a browser, while customers and the desk write: its process is killed, its browser, and the whole
// desk. Nothing is lost, nothing reaches anybody twice, and what nobody can know is said to be unknown.
import { afterAll, afterEach, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startWhatsApp } from '@balcao/simulator/whatsapp/index'
import { getSql } from '../src/platform/database/raw.ts'
import { createTestDatabase } from './database.ts'
import { type DeskProcess, freePort, killDesks, startDeskProcess } from './desk-process.ts'
import { createBrowser } from './desk-server.ts'
import { DATA_KEY, PASSWORD } from './desk-world.ts'
import { waitUntil } from './until.ts'

const OWNER = 'dono@saojose.example'
const { db, url } = await createTestDatabase()
const sql = getSql(db)
const dataDir = await mkdtemp(join(tmpdir(), 'balcao-crash-'))
const PORT = String(await freePort())
const world = await startWhatsApp({ ackDelayMs: 5 })
const company = world.company({ number: '553132224010', name: 'Loja Centro' })
const customers = [0, 1, 2].map(n => world.customer({ number: `553199876221${n}`, name: `Cliente ${n}` }))

afterEach(killDesks)
afterAll(async () => {
  await world.stop()
  await rm(dataDir, { recursive: true, force: true })
})

function start(): Promise<DeskProcess> {
  const admin = { ADMIN_EMAIL: OWNER, ADMIN_PASSWORD: PASSWORD }
  return startDeskProcess({ ...world.env, ...admin, DATABASE_URL: url, DATA_DIR: dataDir, DATA_KEY, PORT })
}

test('killed in every way while both sides write, nothing is lost and nothing is there twice', async () => {
  const [row] = await sql<{ id: number }[]>`
    insert into whatsapp (name, api) values ('Loja Centro', 'wwebjs') returning id`
  const whatsappId = row?.id ?? 0
  let desk = await start()
  const owner = createBrowser(desk.url)
  const { body } = await owner.call<{ token: string }>('POST', '/auth/login', { email: OWNER, password: PASSWORD })
  owner.token = body.token
  await owner.call('POST', `/whatsappsession/${whatsappId}`)
  const now = async () =>
    (
      await sql<{ qrcode: string | null; status: string }[]>`
      select qrcode, status from whatsapp where id = ${whatsappId}`
    )[0]
  const isConnected = async () => (await now())?.status === 'CONNECTED' && company.browsers.some(({ online }) => online)
  await waitUntil('a code is shown', async () => Boolean((await now())?.qrcode))
  await company.scan(async () => (await now())?.qrcode ?? '')
  await waitUntil('it is connected', isConnected)

  let written = 0
  let requests = 0
  const everybodyWrites = async () => {
    for (const customer of customers) await customer.send(company, { type: 'text', text: `mensagem ${++written}` })
  }
  const deskWrites = async () => {
    const tickets = await sql<{ id: number }[]>`select id from ticket where whatsapp_id = ${whatsappId} order by id`
    for (const { id } of tickets) {
      const answer = await owner.call('POST', `/messages/${id}`, { body: `resposta ${requests + 1}` })
      expect(answer.status).toBe(201)
      requests += 1
    }
  }
  const came = async () => {
    const [found] = await sql<{ n: number }[]>`
      select count(*)::int as n from message where whatsapp_id = ${whatsappId} and not from_me`
    return found?.n ?? 0
  }
  await everybodyWrites()
  await waitUntil('tickets are there', async () => (await came()) === written)
  await sql`update ticket set status = 'open', user_id = (select min(id) from "user") where whatsapp_id = ${whatsappId}`

  const run = (): Record<'child' | 'browser', number> =>
    JSON.parse(readFileSync(join(dataDir, 'wwebjs', String(whatsappId), 'run.json'), 'utf8'))
  const cuts = [
    async () => process.kill(run().child, 'SIGKILL'),
    async () => process.kill(run().browser, 'SIGKILL'),
    async () => {
      await desk.kill()
      await everybodyWrites()
      desk = await start()
    },
  ]
  for (const cut of cuts) {
    await Promise.all([everybodyWrites(), deskWrites()])
    const goesOn = Promise.all([everybodyWrites(), deskWrites()])
    await goesOn
    await cut()
    await everybodyWrites()
    await waitUntil('it is back', isConnected)
  }

  await waitUntil('everything came in', async () => (await came()) >= written)
  const states = async () => sql<{ body: string; state: string; rows: string }[]>`
    select m.body, m.state, o.state as rows from message m join outbox o on o.message_id = m.id and o.operation = 'message'
    where m.whatsapp_id = ${whatsappId} and m.body like 'resposta%' order by m.id`
  const isSettled = async () => (await states()).every(one => one.rows === 'done' || one.rows === 'unknown')
  await waitUntil('everything went out', isSettled)

  const theirs = await sql<{ body: string }[]>`
    select body from message where whatsapp_id = ${whatsappId} and not from_me`
  expect(theirs.map(one => one.body).sort()).toEqual(
    Array.from({ length: written }, (_, n) => `mensagem ${n + 1}`).sort(),
  )
  const ours = await sql<
    { body: string }[]
  >`select body from message where whatsapp_id = ${whatsappId} and body like 'resposta%'`
  const wanted = Array.from({ length: requests }, (_, n) => `resposta ${n + 1}`).sort()
  expect(ours.map(one => one.body).sort()).toEqual(wanted)
  // Beside them the desk may have said by itself that nobody is there at this hour.
  const shown = customers.flatMap(customer =>
    customer.chat(company).flatMap(({ content }) => (content.type === 'text' ? content.text : [])),
  )
  const sure = (await states()).filter(one => one.rows === 'done')
  // Of what was on its way in that very moment the page may have had nothing yet: a person is asked, for a customer one at most.
  expect(wanted.length - sure.length).toBeLessThanOrEqual(cuts.length * customers.length)
  expect(shown.filter(text => text.startsWith('resposta')).sort()).toEqual(sure.map(one => one.body).sort())
})
