// The parts of the kind `wwebjs` that need no browser: what is written down of sends, what is looked for after an opening, and what
// counts as sent (docs/decisions/0213).
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EventPublisher } from '../../src/messaging/channels/shared/event-publisher.ts'
import { verifyFileStream } from '../../src/messaging/channels/shared/verify-file.ts'
import { WebJournal } from '../../src/messaging/channels/wwebjs/journal.ts'
import { clearLeftovers } from '../../src/messaging/channels/wwebjs/leftovers.ts'
import type { ChildLine } from '../../src/messaging/channels/wwebjs/line.ts'
import { fileFacts } from '../../src/messaging/channels/wwebjs/parse-message.ts'
import type { SendCommand, WebEvent, WebMessage } from '../../src/messaging/channels/wwebjs/protocol.ts'
import { WebReceiver } from '../../src/messaging/channels/wwebjs/receiver.ts'
import { isUnreachable, planReconnect } from '../../src/messaging/channels/wwebjs/reconnect.ts'
import { WebSender } from '../../src/messaging/channels/wwebjs/sender.ts'
import type { ChannelEvent, DriverHost, SendResult } from '../../src/platform/channel/driver.ts'

const folders: string[] = []
const LUCIA = '553198762210@c.us'
const MINUTE = 60_000
let folder = ''
let journal: WebJournal
let delivered: ChannelEvent[]
let requests: { readonly c: string; readonly t?: number }[]
/** What the child answers to the next commands. */
let answer: (command: SendCommand | { readonly c: string }) => unknown

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'balcao-wwebjs-parts-'))
  folders.push(folder)
  journal = new WebJournal(folder)
  delivered = []
  requests = []
  answer = () => null
})
afterAll(() => Promise.all(folders.map(one => rm(one, { recursive: true, force: true }))))

const line = {
  async ask(command: { readonly c: string }) {
    requests.push(command)
    return answer(command)
  },
} as unknown as ChildLine
const teller = {
  say: (events: readonly ChannelEvent[]) => void delivered.push(...events),
  tell: async (events: readonly ChannelEvent[]) => void delivered.push(...events),
} as unknown as EventPublisher
const host = {
  connectionId: 1,
  acceptsCalls: async () => true,
  log: { error() {}, warn() {}, info() {} },
} as unknown as DriverHost

const makeWebMessage = (text: string, id: string, more: Partial<WebMessage> = {}): WebMessage => ({
  id: { fromMe: true, remote: LUCIA, id },
  type: 'chat',
  t: Math.floor(Date.now() / 1000),
  body: text,
  ...more,
})
const sends = (text: string): SendCommand => ({ c: 'send', to: LUCIA, kind: 'text', text })

describe('what is written down of a send', () => {
  test('finds its message once, after a restart too, and not one from before or in another chat', () => {
    journal.begun('first', sends('Bom dia'))
    const again = new WebJournal(folder)
    expect(
      again.traceOf(makeWebMessage('Bom dia', 'OLD', { t: Math.floor(Date.now() / 1000) - 60 }), [LUCIA]),
    ).toBeNull()
    expect(again.traceOf(makeWebMessage('Bom dia', 'ELSEWHERE'), ['5511@c.us'])).toBeNull()
    expect(again.traceOf(makeWebMessage('Boa tarde', 'OTHER'), [LUCIA])).toBeNull()
    expect(again.traceOf(makeWebMessage('Bom dia', 'IT'), [LUCIA])).toBe('first')
    expect(again.traceOf(makeWebMessage('Bom dia', 'TYPED'), [LUCIA])).toBeNull()
    // By its id it is known for good.
    expect(new WebJournal(folder).traceOf(makeWebMessage('changed since', 'IT'), [])).toBe('first')
  })

  test('half a line, written when the power was cut, spoils no other', async () => {
    journal.begun('first', sends('Um'))
    const path = join(folder, 'sends.jsonl')
    await writeFile(path, `${await Bun.file(path).text()}{"trace":"half","to"`)
    expect(new WebJournal(folder).traceOf(makeWebMessage('Um', 'IT'), [LUCIA])).toBe('first')
  })

  test('what was said before the pairing is nobody’s; what is open is looked for from its beginning', () => {
    expect(journal.isPaired).toBe(false)
    journal.paired()
    const paired = journal.pairedAt
    journal.seen(paired + 20 * MINUTE)
    expect(journal.since).toBe(paired + 20 * MINUTE)
    journal.begun('open', sends('Oi'))
    expect(journal.since).toBeLessThanOrEqual(Date.now())
    expect(journal.since).toBeGreaterThanOrEqual(paired)
  })
})

describe('what is looked for after an opening', () => {
  const receiver = () =>
    new WebReceiver(
      host,
      teller,
      journal,
      () => ({}),
      () => line,
      () => {},
    )

  test('goes back twenty minutes, and never to before the pairing', async () => {
    journal.paired()
    answer = () => ({ messages: [], people: {} })
    await receiver().catchUp(line)
    expect(requests).toEqual([{ c: 'since', t: Math.floor(journal.pairedAt / 1000) }])
    journal.seen(journal.pairedAt + 60 * MINUTE)
    await receiver().catchUp(line)
    expect(requests[1]?.t).toBe(Math.floor((journal.pairedAt + 40 * MINUTE) / 1000))
  })

  test('until the chats are read, a message that comes says nothing of what came before it', async () => {
    journal.paired()
    const one = receiver()
    const before = journal.since
    const message = makeWebMessage('Oi', 'NEW', {
      id: { fromMe: false, remote: LUCIA, id: 'NEW' },
      t: Math.floor(Date.now() / 1000) + 600,
    })
    one.take({ type: 'message', message, people: {} } as WebEvent)
    await Bun.sleep(5)
    expect(journal.since).toBe(before)
    answer = () => ({ messages: [], people: {} })
    await one.catchUp(line)
    one.take({ type: 'message', message, people: {} } as WebEvent)
    await Bun.sleep(5)
    expect(journal.since).toBe(message.t * 1000)
  })

  test('a ring and the line the phone writes about it are one call; one of long after is another', async () => {
    const one = receiver()
    const people = { [LUCIA]: { pn: LUCIA } }
    one.take({ type: 'call', id: 'RING', from: LUCIA, video: false, people } as WebEvent)
    const log = (id: string, t: number): WebEvent => ({
      ...{ type: 'message', people },
      message: makeWebMessage('', id, { type: 'call_log', t, id: { fromMe: false, remote: LUCIA, id } }),
    })
    one.take(log('LINE', Math.floor(Date.now() / 1000) + 20))
    one.take(log('LATER', Math.floor(Date.now() / 1000) + 600))
    await Bun.sleep(5)
    const calls = delivered.flatMap(event => (event.type === 'call' ? [`${event.id} ${event.state}`] : []))
    expect(calls).toEqual(['RING offer', 'RING missed', 'LATER missed'])
  })
})

test('a page that cannot be reached is the network, and tried again', () => {
  expect(isUnreachable(new Error('net::ERR_NAME_NOT_RESOLVED at https://web.whatsapp.com/'))).toBe(true)
  expect(isUnreachable(new Error('Execution context was destroyed'))).toBe(false)
  expect(planReconnect({ state: 'TIMEOUT' }, 1, undefined, () => 0.5)).toMatchObject({
    reason: 'network',
    afterMs: 2000,
  })
})

describe('what counts as sent', () => {
  const sender = (confirmMs = 60_000) => new WebSender(host, teller, journal, () => line, { confirmMs })
  const send = (by: WebSender): Promise<SendResult> =>
    by.send('553198762210@s.whatsapp.net', { type: 'text', text: 'Oi' }, 'trace')

  test('a tick that was there before the answer counts, a refusal too', async () => {
    const one = sender()
    answer = () => {
      one.acked(makeWebMessage('Oi', 'A'), 1)
      return makeWebMessage('Oi', 'A')
    }
    expect(await send(one)).toMatchObject({ ok: true, id: 'A' })
    answer = () => {
      one.acked(makeWebMessage('Oi', 'B'), -1)
      return makeWebMessage('Oi', 'B', { ack: 1 })
    }
    expect(await send(one)).toMatchObject({ ok: false, outcome: 'refused', code: 'ack_error' })
    // What was refused is nobody's message any more.
    expect(journal.traceOf(makeWebMessage('Oi', 'B'), [LUCIA])).not.toBe('trace')
  })

  test('with the page gone nobody waits for a tick: nobody knows, and its id is told', async () => {
    const one = sender()
    answer = () => makeWebMessage('Oi', 'C')
    const sent = send(one)
    await Bun.sleep(5)
    one.lineLost()
    expect(await sent).toMatchObject({ ok: false, outcome: 'unknown', code: 'no_confirmation' })
    expect(delivered).toMatchObject([{ type: 'ack', ref: { id: 'C' }, trace: 'trace', ack: 'pending' }])
  })

  test('what our message says of the chat’s timer is told where the desk does not have it, also that there is none', async () => {
    const to = '553198762210@s.whatsapp.net'
    const day = 86_400
    const cases = [
      [undefined, day],
      [day, day],
      [day, 0],
      [0, 0],
      [day, undefined],
      [day, 'a day'],
    ] as const
    for (const [timer, ephemeralDuration] of cases) {
      answer = () => makeWebMessage('Oi', 'D', { ack: 1, ephemeralDuration })
      await sender().send(to, { type: 'text', text: 'Oi', ...(timer && { timer }) }, null)
    }
    const event = {
      type: 'timer' as const,
      chat: { jid: to, pn: '553198762210', group: false },
      at: expect.any(Number),
    }
    expect(delivered).toEqual([
      { ...event, seconds: day },
      { ...event, seconds: 0 },
    ])
  })

  test('what the child certainly did not hand over is not looked for', async () => {
    answer = () => {
      throw Object.assign(new Error('no'), { code: 'ENOENT' })
    }
    expect(await send(sender())).toMatchObject({ ok: false })
    expect(journal.traceOf(makeWebMessage('Oi', 'TYPED'), [LUCIA])).toBeNull()
  })
})

test('what an earlier run left is ended only where it is ours: a number may be somebody else’s by now', async () => {
  const [stranger, own] = [
    Bun.spawn(['sleep', '60']),
    Bun.spawn(['sh', '-c', 'echo begun; sleep 60; :', folder], { detached: true }),
  ]
  await mkdir(join(folder, 'session'), { recursive: true })
  await writeFile(join(folder, 'session', 'SingletonLock'), '')
  await writeFile(join(folder, 'run.json'), JSON.stringify({ child: own.pid, browser: stranger.pid }))
  // A process bears its name only once its program has begun.
  await own.stdout.getReader().read()
  clearLeftovers(folder)
  await own.exited
  await Bun.sleep(200)
  expect([stranger.exitCode, stranger.signalCode]).toEqual([null, null])
  expect(existsSync(join(folder, 'session', 'SingletonLock'))).toBe(false)
  stranger.kill()
})

test('a file that comes shorter than WhatsApp says, or with other bytes, is not taken for whole', async () => {
  const bytes = Buffer.from('os bytes de uma foto')
  const filehash = createHash('sha256').update(bytes).digest('base64')
  const read = (bytes: Uint8Array<ArrayBuffer>, message: unknown) =>
    new Response(verifyFileStream(new Blob([bytes]).stream(), fileFacts(message))).bytes()
  const message = { type: 'image', size: bytes.length, filehash }
  expect(Buffer.from(await read(bytes, message)).toString()).toBe('os bytes de uma foto')
  await expect(read(bytes.subarray(0, 8), message)).rejects.toMatchObject({ code: 'cut_short' })
  await expect(read(Buffer.from('os bytes de uma fita'), message)).rejects.toMatchObject({ code: 'cut_short' })
  expect(fileFacts({ size: '20', filehash: 'de uma versão futura' })).toEqual({})
})
