// Why something did not go out: one of our codes, whatever the provider says; and nobody knows where its answer cannot be read.
import { afterAll, describe, expect, test } from 'bun:test'
import { SEND_ERRORS } from '@balcao/contract'
import { GRAPH_ERRORS } from '@balcao/simulator/graph/errors'
import { createCloudApiDriver } from '../../src/messaging/channels/cloud-api/driver.ts'
import { toSendError } from '../../src/platform/channel/send-errors.ts'
import { createTestDatabase } from '../database.ts'
import { ChannelDesk } from './desk.ts'

const { db } = await createTestDatabase()
let answer: () => Response | Promise<Response> = () => new Response('')
const meta = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => answer() })
afterAll(() => meta.stop(true))

describe('the reason of a failure', () => {
  test('is a code of ours for every error of Meta that is known, and one for all others', () => {
    for (const code of Object.keys(GRAPH_ERRORS))
      expect([code, toSendError(code)]).not.toEqual([code, 'ERR_SEND_REFUSED'])
    expect([toSendError(131047), toSendError('131047')]).toEqual(['ERR_WINDOW_CLOSED', 'ERR_WINDOW_CLOSED'])
    expect(toSendError('463')).toBe('ERR_SEND_BLOCKED')
    expect(toSendError('132001')).toBe('ERR_SEND_TEMPLATE')
    for (const code of ['4711', 'constructor', '', '-1']) expect(toSendError(code)).toBe('ERR_SEND_REFUSED')
    for (const code of ['no_file', 'not_sent', 'connection_deleted', '503'])
      expect(SEND_ERRORS).toContain(toSendError(code))
  })
})

describe('a send that Meta took and whose answer is lost is unknown, not failed', () => {
  const half = '{"messaging_product":"whatsapp","messages":[{"id":"wamid.H'
  const cases: Record<string, () => Response> = {
    'cut in the middle': () => new Response(half, { status: 200 }),
    'no JSON': () => new Response('<html>ok</html>', { status: 200, headers: { 'content-type': 'text/html' } }),
    empty: () => new Response(null, { status: 200 }),
    'JSON of another kind': () => Response.json([1, 2]),
    'an error without a code': () => Response.json({ error: 'lost' }),
    'without an id': () => Response.json({ messages: [] }),
    'a gateway that gave up': () => new Response('Bad Gateway', { status: 502 }),
  }
  for (const [how, samples] of Object.entries(cases))
    test(how, async () => {
      answer = samples
      const result = await send()
      expect(result).toMatchObject({ ok: false, outcome: 'unknown' })
    })

  test('that never ends', async () => {
    answer = () => new Response(new ReadableStream({ start: body => body.enqueue(new TextEncoder().encode(half)) }))
    expect(await send(500)).toMatchObject({ ok: false, outcome: 'unknown' })
  })

  test('refused in clear words it has failed', async () => {
    answer = () => Response.json({ error: { code: 131026, message: 'Message undeliverable' } }, { status: 400 })
    expect(await send()).toMatchObject({ ok: false, outcome: 'refused', code: '131026' })
  })
})

async function send(callMs = 5000) {
  const graph = { url: `http://127.0.0.1:${meta.port}`, version: 'v26.0', appSecret: null, verifyToken: 'x' }
  const facts = { phoneNumberId: '5501', wabaId: '9901', tokenMeta: 'token' }
  const desk = await ChannelDesk.open(db, 'cloud_api', { whatsappWebUrl: null, graph }, facts)
  const driver = createCloudApiDriver(desk.connection, desk.host, { callMs })
  try {
    return await driver.send('5531998762210', null, { type: 'text', text: 'Bom dia' })
  } finally {
    await desk.close()
  }
}
