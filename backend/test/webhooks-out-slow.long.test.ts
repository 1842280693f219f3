// Addresses that take a call and never come to an end: how long one is waited for, and what is read of it.
import { afterAll, expect, test } from 'bun:test'
import type { Webhook, WebhookDelivery } from '@balcao/contract'
import { CALL_MS } from '../src/messaging/webhooks-out/call.ts'
import { startDeskServer } from './desk-server.ts'
import { makePerson } from './desk-world.ts'
import { waitUntil } from './until.ts'

const DRIP_MS = 100
const ended: string[] = []

/** A body that goes on for as long as somebody reads it. */
function answerWithoutEnd(path: string, text: string, pauseMs: number): Response {
  const bytes = new TextEncoder().encode(text)
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await Bun.sleep(pauseMs)
      controller.enqueue(bytes)
    },
    cancel: () => void ended.push(path),
  })
  return new Response(stream)
}

const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 60,
  fetch(request) {
    const { pathname } = new URL(request.url)
    if (pathname === '/silent') return new Promise<Response>(() => {})
    return pathname === '/drip'
      ? answerWithoutEnd(pathname, 'x', DRIP_MS)
      : answerWithoutEnd(pathname, 'y'.repeat(65_536), 0)
  },
})
afterAll(() => receiver.stop(true))

const host = `127.0.0.1:${receiver.port}`
const server = await startDeskServer({ ALLOW_PRIVATE_HOSTS: host })
await makePerson(server.db, { name: 'Ana', profile: 'admin' })
const ana = await server.as('Ana')

test('a call ends after ten seconds, whatever the other side says meanwhile, and an answer without end at once', async () => {
  const tries = ['/silent', '/drip', '/flood'].map(async path => {
    const form = { name: path, address: `http://${host}${path}`, events: ['connection.state'] }
    const { body: webhook } = await ana.call<Webhook>('POST', '/integrations', form)
    const { body } = await ana.call<WebhookDelivery & { milliseconds: number }>(
      'POST',
      `/integrations/${webhook.id}/test`,
      { type: 'connection.state' },
    )
    return body
  })
  const [silent, drip, flood] = await Promise.all(tries)
  expect(silent).toMatchObject({ state: 'failed', status: null })
  expect(drip).toMatchObject({ state: 'done', status: 200 })
  expect(drip?.answer).toMatch(/^x+$/)
  expect(flood).toMatchObject({ state: 'done', status: 200, answer: 'y'.repeat(1000) })
  for (const one of [silent, drip]) expect(one?.milliseconds).toBeGreaterThanOrEqual(CALL_MS)
  // Of what came in those ten seconds the drip is the longest: it was not read for longer than that.
  expect(drip?.answer.length).toBeLessThanOrEqual(CALL_MS / DRIP_MS)
  expect(flood?.milliseconds).toBeLessThan(CALL_MS)
  await waitUntil('nobody reads any more', () => ended.length === 2)
})
