// Power cuts while flows talk: the process is killed between any two steps of a turn, another one goes on. Nothing is told to Typebot twice,
// nothing is said twice, and no customer waits for a flow that nobody sees to.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ask, type Flow, sayText, show, wait } from '@balcao/simulator/typebot/blocks'
import { runMigrations } from 'graphile-worker'
import { getSql } from '../src/platform/database/raw.ts'
import { createTestDatabase } from './database.ts'
import { type DeskProcess, freePort, killDesks, startDeskProcess } from './desk-process.ts'
import { DATA_KEY, PASSWORD } from './desk-world.ts'
import { type FlowCustomer, makeFlowFixture, startTypebot } from './typebot-world.ts'
import { waitUntil } from './until.ts'

/** In the first, the second and the third turn: when the flow begins, is answered, and goes on by itself. */
const PLACES = [
  'typebot:noted#1',
  'typebot:after-commit#1',
  'typebot:noted#2',
  'typebot:answered#2',
  'typebot:files#2',
  'typebot:before-commit#2',
  'typebot:after-commit#2',
  'typebot:answered#3',
  'typebot:after-commit#3',
]

const { db, url } = await createTestDatabase()
const sql = getSql(db)
const dataDir = await mkdtemp(join(tmpdir(), 'balcao-flow-crash-'))
const PORT = String(await freePort())
const typebot = startTypebot()

beforeAll(() => runMigrations({ connectionString: url }), 30_000)
afterEach(killDesks)
afterAll(async () => {
  await typebot.stop()
  await rm(dataDir, { recursive: true, force: true })
})

async function start(crashAt?: string): Promise<DeskProcess> {
  await forgetTheDead()
  const env = { ...typebot.env, DATABASE_URL: url, DATA_DIR: dataDir, DATA_KEY, PORT, ADMIN_PASSWORD: PASSWORD }
  return startDeskProcess({
    ...env,
    ADMIN_EMAIL: 'dono@saojose.example',
    WHATSAPP_WEB_URL: 'ws://127.0.0.1:9',
    GRAPH_URL: 'http://127.0.0.1:9',
    ...(crashAt ? { CRASH_AT: crashAt } : {}),
  })
}

/** What a dead process holds is given to another after ten seconds, when its connections are gone: both have happened. */
async function forgetTheDead(): Promise<void> {
  await waitUntil('nobody works', async () => {
    const held = await sql`
      select 1 from pg_locks where locktype = 'advisory' and classid = 7114004
        and database = (select oid from pg_database where datname = current_database())`
    return held.length === 0
  })
  await sql`update graphile_worker._private_jobs set locked_at = now() - interval '1 minute' where locked_at is not null`
  await sql`update graphile_worker._private_job_queues set locked_at = now() - interval '1 minute' where locked_at is not null`
}

const asking: Flow = function* () {
  yield sayText('Nome?')
  const name = yield ask('text input')
  yield sayText(`Prazer, ${name}!`)
  yield show('image', { url: `${typebot.url}/files/foto.png` })
  yield wait(0.01, true)
  yield sayText('E o e-mail?')
  yield ask('email input')
}

const callsWith = (text: string) => typebot.calls.filter(({ body }) => JSON.stringify(body).includes(text)).length

/** With the flow, or with people who read why; never in between. */
async function expectSeenTo(customer: FlowCustomer): Promise<void> {
  const { id, status } = await customer.ticket()
  const [flow] = await sql`select 1 from typebot_session where ticket_id = ${id}`
  expect([status, flow !== undefined, await customer.lines()]).toEqual(
    status === 'bot' ? ['bot', true, []] : ['pending', false, ['flowInterrupted']],
  )
}

describe('decisions-2 §10: killed in the middle of a turn', () => {
  test.each(PLACES)(
    'at %s: nothing is told or said twice, and nobody waits for ever',
    async place => {
      const world = await makeFlowFixture(db, typebot)
      const desk = await start(place)
      const lucia = await world.customer(asking)
      const name = `Lúcia ${place}`
      await lucia.say('oi')
      if (!place.endsWith('#1')) {
        await waitUntil('the flow asked', async () => (await lucia.listSent()).length > 0)
        await lucia.say(name)
      }
      await waitUntil(`it was killed at ${place}`, () => desk.hasEnded)
      await start()
      await lucia.settled()

      const texts = await lucia.listSent()
      expect(texts).toEqual([...new Set(texts)])
      expect(callsWith(name)).toBeLessThanOrEqual(1)
      await expectSeenTo(lucia)
      // What was committed stands, and what comes after a commit goes on.
      const { status } = await lucia.ticket()
      expect(status).toBe(place.startsWith('typebot:after-commit') ? 'bot' : 'pending')
      if (place === 'typebot:after-commit#2')
        expect(texts).toEqual(['Nome?', `Prazer, ${name}!`, '[image]', 'E o e-mail?'])
    },
    60_000,
  )

  test('at any moment, with many at once: in order, nothing twice, and everybody is with the flow or with people', async () => {
    const first = await start()
    const world = await makeFlowFixture(db, typebot)
    typebot.publish('fluxo', function* () {
      yield sayText('eco')
      for (;;) yield sayText(`${yield ask('text input')}`)
    })
    const customers = await Promise.all(Array.from({ length: 4 }, () => world.customer()))
    const before = typebot.calls.length
    typebot.slowness = 15
    let n = 0
    const everybody = async (times: number) => {
      for (let turn = 0; turn < times; turn++) {
        n++
        for (const customer of customers) await customer.say(`m${String(n).padStart(3, '0')} ${customer.number}`)
      }
    }
    await everybody(2)
    await first.kill()
    for (let kill = 0; kill < 2; kill++) {
      const desk = await start()
      const seen = typebot.calls.length + 3 + Math.floor(Math.random() * 12)
      const writing = everybody(3)
      await waitUntil('some were told', () => typebot.calls.length >= seen, 15_000).catch(() => {})
      await desk.kill()
      await writing
    }
    await start()
    typebot.slowness = 0
    for (const customer of customers) await customer.settled()
    const heard = typebot.calls.slice(before).map(({ path, body }) => `${path} ${JSON.stringify(body.message)}`)
    expect(heard.filter((each, at) => heard.indexOf(each) !== at && each.includes('continueChat'))).toEqual([])
    for (const customer of customers) {
      const texts = (await customer.listSent()).filter(text => text.startsWith('m'))
      expect(texts).toEqual([...new Set(texts)].sort())
      await expectSeenTo(customer)
    }
    expect(typebot.mostAtOnce).toBe(1)
  })
})
