// The doctor (decisions-2 §17): how a connection is doing and was, from what the database knows, and on a real connection that falls.
import { afterAll, describe, expect, test } from 'bun:test'
import type { Connection, ConnectionHealth } from '@balcao/contract'
import { setTrustRoot, startWhatsApp } from '@balcao/simulator/whatsapp/index'
import { describeLibrary } from '../src/desk/connections/library.ts'
import { sweepConnections } from '../src/operations/retention.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeTicket } from './desk-world.ts'
import { waitUntil } from './until.ts'

const whatsapp = await startWhatsApp({ ackDelayMs: 5 })
setTrustRoot(whatsapp.root)
const APP_SECRET = 'segredo-do-aplicativo'
const server = await startDeskServer({
  WHATSAPP_WEB_URL: whatsapp.url,
  GRAPH_APP_SECRET: APP_SECRET,
  METRICS_FROM: '127.0.0.1',
})
const { db, url } = server
const sql = getSql(db)
afterAll(() => whatsapp.stop())

await makePerson(db, { name: 'Marina', profile: 'admin' })
const marina = await server.as('Marina')

async function healthOf(id: number): Promise<ConnectionHealth> {
  const { status, body } = await marina.call<ConnectionHealth>('GET', `/whatsapp/${id}/health`)
  expect(status).toBe(200)
  return body
}

const TROUBLE = { code: '428', reason: 'network', attempt: 3, next: 'retry' }

async function goes(id: number, status: string, trouble: object | null = null, ago = '0 s'): Promise<void> {
  const value = trouble && JSON.stringify({ since: new Date().toISOString(), nextTryAt: null, ...trouble })
  await sql`update whatsapp set status = ${status}, trouble = ${value}::text::jsonb where id = ${id}`
  await sql`update whatsapp_status set at = now() - ${ago}::interval
    where id = (select max(id) from whatsapp_status where whatsapp_id = ${id})`
}

describe('GET /whatsapp/{id}/health', () => {
  test('decisions-2 §22: it has what the page says it has; of a connection of which nothing is known, nothing', async () => {
    const health = await healthOf(await makeConnection(db, 'Nova'))
    const { since: _since, checkedAt: _at, timeline, library, ...rest } = health
    expect(rest).toEqual({
      status: 'DISCONNECTED',
      reason: null,
      code: null,
      next: { action: 'none', at: null, attempt: 0 },
      lastIn: null,
      lastOut: null,
      waiting: 0,
      unsure: 0,
      lagSeconds: 0,
      restarts24h: 0,
      limits: [],
      battery: null,
      webhook: { lastAt: null, refused24h: 0 },
      liveTickets: 0,
      ignoredGroups24h: 0,
    })
    expect(timeline).toEqual([{ at: expect.any(String), status: 'DISCONNECTED', reason: null }])
    expect(library).toEqual({ name: '@whiskeysockets/baileys', version: expect.stringMatching(/^7\./), known: null })
  })

  test('why it is down, since when, and what is tried next', async () => {
    const id = await makeConnection(db, 'Caiu')
    await goes(id, 'CONNECTED', null, '3 hours')
    const nextTryAt = new Date(Date.now() + 42_000).toISOString()
    await goes(id, 'DISCONNECTED', { ...TROUBLE, nextTryAt }, '14 minutes')
    await goes(id, 'DISCONNECTED', { ...TROUBLE, nextTryAt, attempt: 4 }, '14 minutes')
    const { status, reason, code, next, since } = await healthOf(id)
    expect({ status, reason, code, next }).toEqual({
      status: 'DISCONNECTED',
      reason: 'network',
      code: '428',
      next: { action: 'retry', at: nextTryAt, attempt: 4 },
    })
    expect(Math.round((Date.now() - Date.parse(since)) / 60_000)).toBe(14)
    await goes(id, 'CONNECTED')
    expect(await healthOf(id)).toMatchObject({
      status: 'CONNECTED',
      reason: null,
      code: null,
      next: { action: 'none' },
    })
  })

  test('the timeline is of seven days, with how it stood when they began; it is kept eight days', async () => {
    const id = await makeConnection(db, 'Antiga')
    await sql`update whatsapp_status set at = now() - interval '30 days' where whatsapp_id = ${id}`
    for (const [status, ago] of [
      ['OPENING', '9 days'],
      ['CONNECTED', '8 days 1 hour'],
      ['TIMEOUT', '7 days 2 hours'],
      ['CONNECTED', '2 days'],
      ['DISCONNECTED', '1 hour'],
    ] as const)
      await goes(id, status, status === 'DISCONNECTED' ? TROUBLE : null, ago)
    const shown = async () => (await healthOf(id)).timeline.map(row => `${row.status} ${row.reason}`)
    expect(await shown()).toEqual(['TIMEOUT null', 'CONNECTED null', 'DISCONNECTED network'])
    await sweepConnections(db)
    expect(await shown()).toEqual(['TIMEOUT null', 'CONNECTED null', 'DISCONNECTED network'])
    const rows = await sql`select status from whatsapp_status where whatsapp_id = ${id} order by at`
    expect(rows.map(row => row['status'])).toEqual(['CONNECTED', 'TIMEOUT', 'CONNECTED', 'DISCONNECTED'])
  })

  test('what waits, what nobody knows of, how long it has waited, what came and went last, and who depends on it', async () => {
    const id = await makeConnection(db, 'Com fila')
    const contactId = await makeContact(db, 'Cliente')
    const ticketId = await makeTicket(db, { contactId, whatsappId: id, status: 'open' })
    await makeTicket(db, { contactId, whatsappId: id, status: 'closed' })
    const out = async (outbox: string, message: string, seq: number, ago: string) => {
      const [row] = await sql<{ id: string }[]>`
        insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, state)
        values (${ticketId}, ${contactId}, ${id}, ${seq}, now(), true, 'oi', ${message}) returning id`
      await sql`insert into outbox (whatsapp_id, contact_id, message_id, operation, payload, state, created_at, done_at)
        values (${id}, ${contactId}, ${row?.id ?? 0}, 'message', '{}', ${outbox}, now() - ${ago}::interval,
          case when ${outbox} = 'done' then now() - ${ago}::interval end)`
    }
    await out('queued', 'queued', 1, '90 seconds')
    await out('sending', 'sending', 2, '30 seconds')
    await out('unknown', 'unknown', 3, '1 hour')
    // A receipt has told of this one, and somebody sent that one again.
    await out('unknown', 'delivered', 4, '1 hour')
    await out('done', 'sent', 5, '2 minutes')
    await sql`update whatsapp set last_message_at = now() - interval '1 minute', battery = 11 where id = ${id}`
    const health = await healthOf(id)
    expect(health).toMatchObject({ waiting: 2, unsure: 1, liveTickets: 1, battery: 11 })
    expect(Math.abs(health.lagSeconds - 90)).toBeLessThan(30)
    expect(Date.parse(health.lastIn ?? '')).toBeGreaterThan(Date.parse(health.lastOut ?? ''))
  })

  test('what its provider posts, what had no good signature, and that news of limits are told', async () => {
    const id = await makeConnection(db, 'Oficial', 'cloud_api')
    const post = (body: string, signature: string) =>
      fetch(`${url}/webhooks/cloud/${id}`, { method: 'POST', body, headers: { 'x-hub-signature-256': signature } })
    const good = `sha256=${new Bun.CryptoHasher('sha256', APP_SECRET).update('{}').digest('hex')}`
    await sql`update whatsapp set wanted = true where id = ${id}`
    const answers = await Promise.all([post('{}', good), post('{}', 'sha256=00'), post('{"a":1}', good)])
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 401])
    await waitUntil('they are counted', async () => (await healthOf(id)).webhook.refused24h === 2)
    const { webhook } = await healthOf(id)
    expect(Math.abs(Date.now() - Date.parse(webhook.lastAt ?? ''))).toBeLessThan(60_000)
    await sql`update whatsapp_count set hour = hour - interval '25 hours' where whatsapp_id = ${id}`
    expect((await healthOf(id)).webhook).toEqual({ ...webhook, refused24h: 0 })
    const at = new Date().toISOString()
    const news = [
      { code: 'limit_lowered', at, about: '1K' },
      { code: 'name_approved', at },
    ]
    await sql`update whatsapp set news = ${JSON.stringify(news)}::text::jsonb where id = ${id}`
    expect((await healthOf(id)).limits).toEqual([{ code: 'limit_lowered', at, about: '1K' }])
  })

  test('a library is known to be broken by its version; of one that runs elsewhere nobody knows', () => {
    const graph = (version: string) => ({ graph: { url: '', version, appSecret: null, verifyToken: '' } })
    const day = Date.parse('2026-11-22')
    expect(describeLibrary('cloud_api', graph('v20.0'), day).known).toBe('graph_ended')
    expect(describeLibrary('cloud_api', graph('v9.0'), day).known).toBe('graph_ended')
    expect(describeLibrary('cloud_api', graph('v26.0'), day).known).toBeNull()
    expect(describeLibrary('cloud_api', graph('v21.0'), day).known).toBeNull()
    expect(describeLibrary('cloud_api', graph('v21.0'), Date.parse('2027-02-01')).known).toBe('graph_ended')
    expect(describeLibrary('meow', graph('v26.0')).version).toBeNull()
  })

  test('is for administrators, of connections that are there', async () => {
    const id = await makeConnection(db, 'Alheia')
    for (const [name, profile] of [
      ['Rafael', 'gerente'],
      ['Bruna', 'user'],
    ] as const) {
      await makePerson(db, { name, profile })
      const person = await server.as(name)
      expect((await person.call('GET', `/whatsapp/${id}/health`)).body.error).toBe('ERR_NO_PERMISSION')
    }
    expect((await marina.call('GET', '/whatsapp/999999/health')).body.error).toBe('ERR_NO_WAPP_FOUND')
    expect((await marina.call('GET', '/whatsapp/x/health')).status).toBe(404)
  })
})

test('a real connection that falls and comes back, is restarted and is signed out by the phone, tells each of it', async () => {
  const company = whatsapp.company({ number: '553132224010', name: 'Loja Centro' })
  const { body: made } = await marina.call<Connection>('POST', '/whatsapp', { name: 'Loja Centro', api: 'baileys' })
  const { id } = made
  const now = async () => (await marina.call<Connection>('GET', `/whatsapp/${id}`)).body
  const is = (status: string) => waitUntil(`it is ${status}`, async () => (await now()).status === status)
  await is('qrcode')
  expect((await healthOf(id)).next).toEqual({ action: 'read_qr', at: null, attempt: 0 })
  let shown = ''
  const looking = setInterval(() => void now().then(row => (shown = row.qrcode ?? shown)), 50)
  await waitUntil('a code is there', () => shown !== '')
  await company.scan(() => shown)
  await is('CONNECTED')
  clearInterval(looking)
  expect(await healthOf(id)).toMatchObject({ reason: null, restarts24h: 0 })

  whatsapp.disconnect(company, 428)
  const fell = async () => (await healthOf(id)).timeline.some(row => row.reason === 'network')
  await waitUntil('that it fell is told', fell)
  await is('CONNECTED')

  await marina.call('POST', '/whatsapp/restart/', { whatsappId: id })
  await waitUntil('it is back', async () => (await healthOf(id)).restarts24h === 1)
  await is('CONNECTED')

  whatsapp.disconnect(company, 401)
  await is('LOGGEDOUT')
  const { timeline } = await healthOf(id)
  const steps = timeline.map(({ status, reason }) => (reason ? `${status} ${reason}` : status))
  expect(steps.filter((one, at) => one !== steps[at - 1])).toEqual(
    expect.arrayContaining(['qrcode', 'CONNECTED', 'DISCONNECTED network', 'LOGGEDOUT logged_out']),
  )
  expect(steps.at(-1)).toBe('LOGGEDOUT logged_out')
})

test('the figures of every connection stand under /metrics', async () => {
  const id = await makeConnection(db, 'Medida', 'meow')
  await goes(id, 'CONNECTED')
  const text = await (await fetch(`${url}/metrics`)).text()
  for (const name of ['waiting', 'unsure', 'lag_seconds'])
    expect(text).toContain(`balcao_company_connection_${name}{connection="${id}",kind="meow"} 0`)
  expect(text).toContain(`balcao_company_connection_up{connection="${id}",kind="meow"} 1`)
})
