// Somebody holds what others want: whoever wants it is told so in time, and nobody else waits.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type EventListener, openEventListener } from '@balcao/simulator/event-listener'
import { APP_SECRET, postWebhook } from '@balcao/simulator/graph/post-webhook'
import postgres from 'postgres'
import { openDatabase } from '../src/platform/database/client.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { type DeskServer, type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeTicket } from './desk-world.ts'
import { waitUntil } from './until.ts'

const server: DeskServer = await startDeskServer({ GRAPH_APP_SECRET: APP_SECRET })
const { db, url } = server
const databaseUrl = server.config.databaseUrl ?? ''
/** Somebody at a console: not one of our processes. */
const stranger = postgres(databaseUrl, { max: 2, onnotice: () => {} })
const sql = getSql(db)
let bruna: SignedInPerson
let ear: EventListener
let ticket = 0
let other = 0
let line = 0

beforeAll(async () => {
  const queue = await makeQueue(db, 'Financeiro')
  line = await makeConnection(db, 'Loja', 'cloud_api')
  await sql`update whatsapp set wanted = true, config = '{"phoneNumberId":"5501","wabaId":"9901"}' where id = ${line}`
  const userId = await makePerson(db, { name: 'Bruna', profile: 'admin', queueIds: [queue] })
  const open = { whatsappId: await makeConnection(db, 'Celular'), status: 'open', queueId: queue, userId } as const
  ticket = await makeTicket(db, { ...open, contactId: await makeContact(db, 'Padaria') })
  other = await makeTicket(db, { ...open, contactId: await makeContact(db, 'Açougue') })
  bruna = await server.as('Bruna')
  ear = openEventListener(url, async () => (await bruna.call<{ token: string }>('POST', '/auth/socket', {})).body.token)
  await ear.listening
})
afterAll(async () => {
  ear.close()
  await stranger.end({ timeout: 1 })
})

describe('a ticket that somebody holds locked', () => {
  test('stops neither readiness, nor the inbox, nor live events, nor who comes in; a dozen who want it are told that it is busy', async () => {
    const holding = hold(tx => tx`select 1 from ticket where id = ${ticket} for update`)
    await holding.held
    const asking = Array.from({ length: 12 }, (_, n) =>
      bruna.call<{ error?: string }>('POST', `/messages/${ticket}`, { body: `espera ${n}` }),
    )
    // As many as there are connections for calls (0269).
    await waitUntil('they wait', async () => (await waiting()) >= 8)
    expect((await fetch(`${url}/ready`)).status).toBe(200)
    const from = '5531998762210'
    const message = { whatsappId: line, phoneNumberId: '5501', from, id: 'wamid.1', body: 'chega mesmo assim' }
    await waitUntil('the line is taken', async () => (await postWebhook(url, message)) === 200)
    await waitUntil('it is heard', () => ear.heard('chega mesmo assim'))
    expect(await waiting()).toBeGreaterThan(0)
    const answers = await Promise.all(asking)
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.error}`))).toEqual(new Set(['503 ERR_BUSY']))
    await holding.end()
    const [none] = await sql`select count(*)::int as n from message where body like 'espera %'`
    expect(none?.n).toBe(0)
  })
})

describe('a transaction that is left open', () => {
  test("of somebody else's does not stop live events for ever", async () => {
    const holding = hold(tx => tx`select pg_current_xact_id()`)
    await holding.held
    const { status } = await bruna.call('POST', `/messages/${other}`, { body: 'apesar do console aberto' })
    expect(status).toBe(201)
    await waitUntil('it is heard', () => ear.heard('apesar do console aberto'))
    const late = openEventListener(
      url,
      async () => (await bruna.call<{ token: string }>('POST', '/auth/socket', {})).body.token,
    )
    await late.listening
    const again = await bruna.call('POST', `/messages/${other}`, { body: 'e para quem chega agora' })
    expect(again.status).toBe(201)
    await waitUntil('who came meanwhile hears it, too', () => late.heard('e para quem chega agora'))
    late.close()
    await holding.end()
  })

  test('of our own is ended by its limit, and its events never come', async () => {
    const own = openDatabase(databaseUrl, { max: 1, purpose: 'work' })
    const never = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const outcome = own
      .transaction(async tx => {
        await getSql(tx)`select pg_current_xact_id()`
        begun.resolve()
        await never.promise
      })
      .then(
        () => 'committed',
        () => 'ended',
      )
    await begun.promise
    expect(await outcome).toBe('ended')
    await own.$client.end({ timeout: 1 })
  })
})

/** A transaction of a stranger that stays open until it is ended. */
function hold(work: (tx: postgres.TransactionSql) => Promise<unknown>) {
  const held = Promise.withResolvers<void>()
  const over = Promise.withResolvers<void>()
  const whole = stranger.begin(async tx => {
    await work(tx)
    held.resolve()
    await over.promise
  })
  return {
    held: held.promise,
    async end() {
      over.resolve()
      await whole
    },
  }
}

/** How many sessions of requests wait for a lock. */
async function waiting(): Promise<number> {
  const [row] = await stranger<{ n: number }[]>`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and application_name = 'balcao-web'`
  return row?.n ?? 0
}
