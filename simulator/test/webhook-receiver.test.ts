// The stand-in for a program that is told what happens: what its page shows to whoever tries webhooks by hand.
import { afterAll, afterEach, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { startWebhookReceiver } from '../src/webhooks/receiver.ts'

const receiver = startWebhookReceiver()
afterAll(() => receiver.stop())
afterEach(() => {
  receiver.secret = ''
})

const SECRET = `whsec_${Buffer.from('a secret of the desk').toString('base64')}`

async function send(event: object, { id = 'msg_1', secret = SECRET } = {}): Promise<number> {
  const body = JSON.stringify(event)
  const at = '1772452800'
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`
  const headers = { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature }
  return (await fetch(`${receiver.url}/desk`, { method: 'POST', headers, body })).status
}

/** The page as a browser reads it: the names of its elements, each once, and the words between them, of each call by itself. */
async function readPage() {
  const answer = await fetch(receiver.url)
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const html = await answer.text()
  const elements = new Set([...html.matchAll(/<(\w+)/g)].map(([, name]) => name))
  const [heading = '', ...calls] = html.split('<li>').map(part => decode(part.replace(/<[^>]*>/g, ' ')))
  return { elements: [...elements].toSorted(), heading, calls }
}

function decode(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

test('shows each call, the newest first, and whether its signature is that of the desk', async () => {
  expect((await readPage()).heading).toContain('0 calls')
  await send({ type: 'message.received', data: { ticketId: 7 } })
  expect((await readPage()).calls[0]).toContain('signature not checked')
  receiver.secret = SECRET
  await send({ type: 'ticket.opened', data: { ticketId: 8 } }, { id: 'msg_2' })
  await send({ type: 'ticket.closed', data: {} }, { id: 'msg_3', secret: 'whsec_b3RoZXI=' })
  const { heading, calls } = await readPage()
  expect(heading).toContain('3 calls')
  const shown = calls.map(call => /(\w+\.\w+) +(msg_\d) +((?:NOT )?signed)/.exec(call)?.slice(1))
  expect(shown).toEqual([
    ['ticket.closed', 'msg_3', 'NOT signed'],
    ['ticket.opened', 'msg_2', 'signed'],
    ['message.received', 'msg_1', 'NOT signed'],
  ])
  expect(calls[1]).toContain('"ticketId": 8')
})

test('shows what customers wrote as text, whatever it looks like', async () => {
  const hostile =
    '</pre></li></ol><script>fetch("https://evil.example")</script><img src=x onerror=alert(1)> &amp; &lt;b>'
  await send({ type: hostile, data: { messageText: hostile } }, { id: '<svg/onload=alert(1)>' })
  const { calls, elements } = await readPage()
  expect(elements).toEqual(['b', 'code', 'h1', 'li', 'meta', 'ol', 'pre', 'title'])
  for (const words of [hostile, '<svg/onload=alert(1)>', JSON.stringify(hostile)]) expect(calls[0]).toContain(words)
})
