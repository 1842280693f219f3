// What one person or stranger sends holds up nobody else: the longest time for which the server answers nobody, under each hostile input.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Endpoint, endpoints, MB } from '@balcao/contract'
import { APP_SECRET } from '@balcao/simulator/graph/post-webhook'
import { buildCommand } from '@balcao/simulator/processes'
import { makeExample } from './contract-calls.ts'
import { createTestDatabase } from './database.ts'
import { freePort } from './desk-process.ts'
import { createBrowser, type SignedInPerson } from './desk-server.ts'
import {
  DATA_KEY,
  makeConnection,
  makeContact,
  makeMessage,
  makeOfficialLine,
  makePerson,
  makeQueue,
  makeTicket,
  PASSWORD,
  toEmail,
} from './desk-world.ts'
import { createFilmForm } from './film-form.ts'
import { takeRounds } from './rounds.ts'
import { waitUntil } from './until.ts'

/** In ms. */
const LONGEST = 50
/** What the fixed work of the desk's process costs on two quiet cores, in ms of processor. */
const REFERENCE_MS = 5
const ATTEMPTS = 4

const { db, url: databaseUrl } = await createTestDatabase()
const dataDir = await mkdtemp(join(tmpdir(), 'balcao-delay-'))
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const desk = Bun.spawn(buildCommand('backend/test/delay-process.ts'), {
  env: {
    ...process.env,
    ...{ LOG_LEVEL: 'silent', PORT: String(port), DATABASE_URL: databaseUrl, DATA_DIR: dataDir, DATA_KEY },
    ...{ WHATSAPP_WEB_URL: 'ws://127.0.0.1:9', GRAPH_URL: 'http://127.0.0.1:9', GRAPH_APP_SECRET: APP_SECRET },
  },
  stdio: ['ignore', 'pipe', 'inherit'],
})
afterAll(async () => {
  desk.kill('SIGKILL')
  await desk.exited
  await rm(dataDir, { recursive: true, force: true })
})
let bruna: SignedInPerson
let ticketId = 0
let official = 0
/** A conversation that waits, but for its contact. */
let waiting: Omit<Parameters<typeof makeTicket>[1], 'contactId'>
/** The least server there can be, in the process of the desk. */
let bare = ''
/** What a call that is nothing special costs on this machine, in ms. */
let usual = 0

beforeAll(async () => {
  const queueId = await makeQueue(db, 'Financeiro')
  const userId = await makePerson(db, { name: 'Bruna', profile: 'admin', queueIds: [queueId] })
  const whatsappId = await makeConnection(db, 'Loja Centro', 'meow')
  waiting = { whatsappId, status: 'pending', queueId }
  official = await makeOfficialLine(db)
  ticketId = await makeTicket(db, {
    contactId: await makeContact(db, 'Ana'),
    whatsappId,
    status: 'open',
    queueId,
    userId,
  })
  await makeMessage(db, ticketId, 'bom dia')
  for await (const words of desk.stdout.pipeThrough(new TextDecoderStream())) {
    const [, port] = /ready, and bare at (\d+)/.exec(words) ?? []
    if (!port) continue
    bare = `http://127.0.0.1:${port}`
    break
  }
  bruna = createBrowser(url)
  const login = { email: toEmail('Bruna'), password: PASSWORD }
  bruna.token = (await bruna.call<{ token: string }>('POST', '/auth/login', login)).body.token
  // What a first call loads is no cost of those that follow.
  for (const path of ['/tickets', `/messages/${ticketId}`, '/contacts', '/log', '/chats']) await bruna.call('GET', path)
  for (const path of ['/openapi.json', '/openapi']) await (await fetch(url + path)).text()
  await bruna.call('POST', '/chats', { isGroup: 'x' })
  await (await aSocket()).send('{}', 1)
  await longestDelay()
  for (let n = 0; n < 50; n++) await bruna.call('GET', '/tickets')
  usual = await longestDelay()
}, 60_000)

const MANY = 200_000
const MANY_FIELDS = JSON.stringify(Object.fromEntries(Array.from({ length: 150_000 }, (_, n) => [`k${n}`, 1])))
const wrong = (count: number) => Array(count).fill({})
const json =
  (path: string, body: unknown, method = 'POST') =>
  () =>
    bruna.call(method, path, typeof body === 'string' ? body : JSON.stringify(body))

const CALLS: Record<string, () => Promise<unknown>> = {
  '200,000 people that are none': json('/chats', { isGroup: true, users: wrong(MANY) }),
  'a list of everything a person may be wrong': json('/chats', {
    isGroup: 'x',
    userId: 'x',
    groupName: 7,
    users: [{}],
  }),
  '200,000 contacts that are none': json('/messages/forward/1', { contacts: wrong(MANY) }),
  '300,000 words where ids belong': json('/pergunta/order', { ids: Array(300_000).fill('a') }, 'PUT'),
  '200,000 ids': json('/pergunta/order', { ids: Array.from({ length: MANY }, (_, n) => n + 1) }, 'PUT'),
  '150,000 fields nobody knows': json('/tickets', MANY_FIELDS),
  'a contact with 200,000 fields of its own': json('/contacts', {
    number: '5531999990001',
    name: 'Ana',
    extraInfo: wrong(MANY),
  }),
  'a number of two million digits': json('/tickets', `{"contactId":${'9'.repeat(2_000_000)}}`),
  'a text of two million characters': json('/contacts', { number: '1', name: 'a'.repeat(2_000_000) }),
  'a text of 600,000 characters beyond the basic plane': json('/contacts', { number: '1', name: '👍'.repeat(400_000) }),
  'a message of bold words': json('/messages/1', { body: '*a '.repeat(600_000) }),
  'half characters': json('/messages/1', `{"body":"${'\\ud800'.repeat(300_000)}"}`),
  '98 lists within each other': json('/tickets', `{"contactId":${'['.repeat(98)}${']'.repeat(98)}}`),
  'a million lists within each other': json('/tickets', `{"contactId":${'['.repeat(1_000_000)}`),
  '500,000 lists beside each other': json('/tickets', `{"contactId":[${'[],'.repeat(500_000)}[]]}`),
  'no JSON of two million characters': json('/tickets', '{"a":'.repeat(400_000)),
  'something for a template without an end': json('/meta/templates', {
    ticketId: 1,
    template: { name: 'a', language: 'pt_BR', parameters: wrong(MANY), components: wrong(MANY) },
  }),
  'a report of a fault without an end': json('/log', { log: { message: 'x'.repeat(1_900_000) } }),
  'a list of 2,000 words in an address': () =>
    bruna.call('GET', `/tickets?queueIds=${encodeURIComponent(JSON.stringify(Array(2000).fill('x')))}`),
  '2,000 refusals one right after the other': async () => {
    for (let round = 0; round < 20; round++)
      await Promise.all(Array.from({ length: 100 }, () => bruna.call('POST', '/chats', { isGroup: 'x', users: [{}] })))
  },
  '500 people in a group that are none': json('/chats', { isGroup: true, users: wrong(500) }),
  '24,000 contacts that are none': json('/messages/forward/1', { contacts: wrong(24_000) }),
  '500 sign-ins in one piece that are none': () => inOnePiece(500, '/auth/login', '{"email":7}'),
  'a sign-in of two million characters': json('/auth/login', { email: 'a'.repeat(1_900_000), password: 'x' }),
  'a sheet whose headings are long texts': aSheet(Array(50).fill('ﷺ'.repeat(10_000)), ['Ana', '5531999990001'], 1),
  'a sheet of numbers that are long texts': aSheet(
    ['nome', ...Array(9).fill('telefone')],
    ['Ana', ...Array(9).fill(`x${' '.repeat(3000)}x`)],
    200,
  ),
  'the description of the API, fifty times': async () => {
    const paths = Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? '/openapi.json' : '/openapi'))
    await Promise.all(paths.map(async path => (await fetch(url + path)).arrayBuffer()))
  },
  'a form of 900 parts with 5,000 lines above each': aForm(900, 'a\r\n'.repeat(5000)),
  'a form of 900 parts with as many lines as there may be above each': aForm(900, 'a\r\n'.repeat(1300)),
  ...Object.fromEntries(
    ['POST /envioMassa', 'POST /envioMassa/test', 'POST /agendamento', 'PUT /agendamento/999'].map(key => [
      `a template of 150,000 fields in a form (${key})`,
      () => sendForm(key, { template: MANY_FIELDS }),
    ]),
  ),
  ...Object.fromEntries(
    ['/contacts/import', '/contacts/delegation', '/users/import/1'].map(path => [
      `columns of 150,000 fields in a form (${path})`,
      () => sendForm(`POST ${path}`, { columns: MANY_FIELDS }),
    ]),
  ),
  'four forms with a film of 60 MB each': () => together(4, () => sendFilm(60)),
  'twenty forms with a text of a million lines': () =>
    together(20, aForm(1, '', '\r\n'.repeat(1_000_000), '/messages/1')),
  'thirty bodies of two million characters': () => together(30, json('/messages/1', { body: 'a\n'.repeat(650_000) })),
  '500 calls in one piece, each with a token of 12,000 characters that is none': () =>
    inOnePiece(500, '/tickets', '', [`Authorization: Bearer e30.${'a'.repeat(12_000)}.a`], 'GET'),
  '500 calls in one piece, each with a hundred headers': () =>
    inOnePiece(
      500,
      '/tickets',
      '',
      Array.from({ length: 90 }, (_, n) => `X-${n}: ${'a'.repeat(100)}`),
      'GET',
    ),
  '500 renewals in one piece, each with 4,000 cookies': () =>
    inOnePiece(500, '/auth/refresh_token', '', [`Cookie: ${'a=b;'.repeat(3500)}`]),
  '500 files in one piece, each with a cookie of 12,000 characters that is none': () =>
    inOnePiece(500, '/media/aaaaaaaaaaaaaaaa', '', [`Cookie: balcao_files=e30.${'a'.repeat(12_000)}.a`], 'GET'),
  '300 who take the next conversation at once': async () => {
    for (let n = 0; n < 300; n++) await makeTicket(db, { contactId: await makeContact(db, `Espera ${n}`), ...waiting })
    const answers = await Promise.all(Array.from({ length: 300 }, () => bruna.call('POST', '/tickets/next', {})))
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  },
  'a webhook of four million characters nobody signed': () =>
    fetch(`${url}/webhooks/cloud/${official}`, { method: 'POST', body: '['.repeat(4_000_000) }),
  'a webhook of a thousand messages and as many receipts in turns': sendNotification,
}

/** As many as a house of agents who all send a picture. */
const FILES = 60
const file = new Uint8Array(2 * MB).fill(7)

async function measureUploads(address: string): Promise<number> {
  await longestDelay()
  const headers = { authorization: `Bearer ${bruna.token}` }
  const answers = await Promise.all(
    Array.from({ length: FILES }, () => fetch(address, { method: 'PUT', headers, body: file })),
  )
  for (const answer of answers) expect(answer.ok).toBe(true)
  return (await readDelay()).busiest
}

let notifications = 0

/** Of messages that nobody has sent before. */
async function sendNotification(): Promise<void> {
  const start = 1000 * notifications++
  const changes = Array.from({ length: 1000 }, (_, at) => {
    const n = start + at
    const from = `5531${90_000_0000 + n}`
    const message = { id: `wamid.${n}`, from, timestamp: '1764342000', type: 'text', text: { body: 'bom dia' } }
    const status = { id: `wamid.o${n}`, recipient_id: from, status: 'read', timestamp: '1764342000' }
    const value = { messaging_product: 'whatsapp', metadata: { phone_number_id: '5501' } }
    return [
      { field: 'messages', value: { ...value, messages: [message] } },
      { field: 'messages', value: { ...value, statuses: [status] } },
    ]
  })
  const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: '9901', changes: changes.flat() }] })
  const signature = `sha256=${new Bun.CryptoHasher('sha256', APP_SECRET).update(body).digest('hex')}`
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
  const answer = await fetch(`${url}/webhooks/cloud/${official}`, { method: 'POST', headers, body })
  expect(answer.status).toBe(200)
}

function together(count: number, send: () => Promise<unknown>): Promise<unknown> {
  return Promise.all(Array.from({ length: count }, send))
}

function aForm(count: number, lines: string, text = 'x', path = '/quickAnswers'): () => Promise<unknown> {
  const part = `--fim\r\n${lines}Content-Disposition: form-data; name="a"\r\n\r\n${text}\r\n`
  const headers = { 'content-type': 'multipart/form-data; boundary=fim' }
  return () => bruna.call('POST', path, `${part.repeat(count)}--fim--\r\n`, headers)
}

/** A form of these texts, with a sheet of one person. */
async function sendForm(key: string, texts: Readonly<Record<string, string>>): Promise<void> {
  const form = new FormData()
  for (const [name, text] of Object.entries(texts)) form.append(name, text)
  form.append('medias', new File(['nome;telefone;email\nAna;5531999990001;ana@example.com'], 'pessoas.csv'))
  const [method = '', path = ''] = key.split(' ')
  expect((await bruna.call(method, path, form)).status).toBeWithin(400, 500)
}

/** A message with a film of so many megabytes, as fast as the machine takes it. */
async function sendFilm(megabytes: number): Promise<void> {
  const answer = await fetch(`${url}/messages/${ticketId}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bruna.token}`, 'content-type': 'multipart/form-data; boundary=fim' },
    body: createFilmForm(megabytes),
  })
  expect(answer.status).toBe(201)
}

/** A look at a sheet of contacts. */
function aSheet(heads: readonly string[], row: readonly string[], count: number): () => Promise<void> {
  return async () => {
    const text = [heads, ...Array(count).fill(row)].map(cells => cells.join(';')).join('\n')
    const form = new FormData()
    form.append('medias', new File([text], 'contatos.csv'))
    expect((await bruna.call('POST', '/contacts/import?preview=true', form)).status).toBe(200)
  }
}

const FRAMES: Record<string, [frame: string, count: number]> = {
  '3,000 frames that are none': [JSON.stringify({ type: 'typing', ticketId: 8, state: 'composing' }), 3000],
  '50,000 frames that are none': [JSON.stringify({ type: 'typing', ticketId: 8, state: 'composing' }), 50_000],
  '3,000 frames that are no JSON': ['{'.repeat(1000), 3000],
  '3,000 frames of lists within each other': [`{"type":${'['.repeat(8000)}${']'.repeat(8000)}}`, 3000],
  '500 frames that are too large': ['x'.repeat(100_000), 500],
  '20,000 frames of somebody who writes': [JSON.stringify({ type: 'typing', ticketId: 1, state: 'typing' }), 20_000],
  '20,000 frames of somebody who looks': [JSON.stringify({ type: 'joinChatBox', ticketId: 1 }), 20_000],
  '20,000 first words': [JSON.stringify({ type: 'hello', cursor: '1.0' }), 20_000],
  '20,000 signs of life': [JSON.stringify({ type: 'pulse' }), 20_000],
}

// Before the others: what they leave to be done would be measured along.
test(`${FILES} files of 2 MB at once hold up the others no longer than at a server that keeps none`, async () => {
  let [least, desk] = [0, 0]
  // How much of it lies there at once is chance, at both: the longest of six rounds at least, of as many more as it takes, or of sixteen.
  for (let n = 0; n < 16 && (n < 6 || desk > 1.5 * least); n++) {
    least = Math.max(least, await measureUploads(`${bare}/`))
    desk = Math.max(desk, await measureUploads(`${url}/uploads?name=a.bin`))
  }
  expect(desk).toBeLessThanOrEqual(1.5 * least)
}, 240_000)

describe(`the desk answers the others within ${LONGEST} ms whatever it is sent:`, () => {
  for (const [name, send] of Object.entries(CALLS))
    test(name, async () => {
      expect(await measureExcess(send)).toBe(0)
    })

  for (const [name, text] of takeRounds(Object.entries(TEXTS), 3))
    test(`${name} in every text of every command`, async () => {
      const slow: string[] = []
      for (const [key, { body, form }] of COMMANDS) {
        const [method = '', path = ''] = key.split(' ')
        const example = makeExample(body ?? form, text)
        const address = path.replace(':ticketId', '1').replace(/:\w+/, '999')
        let status = 0
        const excess = await measureExcess(async () => {
          status = (await bruna.call(method, address, body ? JSON.stringify(example) : toForm(example))).status
        })
        if (status >= 500 || excess > 0) slow.push(`${key}: ${status}, ${Math.round(excess)} ms too long`)
      }
      expect(slow).toEqual([])
    })

  for (const [name, [frame, count]] of Object.entries(FRAMES))
    test(name, async () => {
      const send = async () => (await aSocket()).send(frame, count)
      expect(await measureExcess(send)).toBe(0)
    })
})

describe('a socket', () => {
  test('is closed after a few frames that are none, and each of them is told', async () => {
    const socket = await aSocket()
    await socket.send(JSON.stringify({ type: 'typing', ticketId: 8, state: 'composing' }), 20)
    await waitUntil('it is closed', async () => socket.code === 1008)
    expect(socket.errors).toHaveLength(5)
  })

  test('is closed at the head of a frame of 16 MB: nobody keeps what comes of it', async () => {
    const { body } = await bruna.call<{ token: string }>('POST', '/auth/socket')
    const closed = Promise.withResolvers<void>()
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13'
    const hello = `GET /socket?token=${body.token} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n${key}\r\n\r\n`
    const head = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0xf0, 0, 0, 1, 2, 3, 4])
    await Bun.connect({
      ...{ hostname: '127.0.0.1', port },
      socket: {
        open: socket => void socket.write(hello),
        data(socket, answer) {
          if (answer.includes('101 Switching')) socket.write(head)
        },
        close: () => closed.resolve(),
      },
    })
    await closed.promise
  })

  test('is closed when more comes than anybody types', async () => {
    const socket = await aSocket()
    await socket.send(JSON.stringify({ type: 'pulse' }), 1000)
    await waitUntil('it is closed', async () => socket.code === 1008)
  })

  test('is closed when more waits for the database than a page ever asks at once', async () => {
    const socket = await aSocket()
    const frame = JSON.stringify({ type: 'joinChatBox', ticketId })
    await db.$client.begin(async held => {
      await held`lock table ticket in access exclusive mode`
      await socket.send(frame, 63)
      expect(socket.code).toBeNull()
      await socket.send(frame, 2)
      await waitUntil('it is closed', async () => socket.code === 1008)
    })
  })

  test('stays open for a page that enters and leaves conversations', async () => {
    const socket = await aSocket()
    for (let n = 0; n < 20; n++) {
      await socket.send(JSON.stringify({ type: 'joinChatBox', ticketId }), 1)
      await socket.send(JSON.stringify({ type: 'typing', ticketId, state: 'typing' }), 1)
      await socket.send(JSON.stringify({ type: 'leaveChatBox', ticketId }), 1)
    }
    expect(socket.code).toBeNull()
    socket.close()
  })
})

/** What is hard to measure, to draw, to keep and to look for: as much of each as a text may be. */
const TEXTS: Record<string, string> = {
  'accents without a letter': '\u0301'.repeat(60_000),
  'words from right to left': '\u202eשלום\u200f\u2066'.repeat(12_000),
  families: '👨‍👩‍👧‍👦🏽'.repeat(8000),
  'zeros and half characters': '\0\ud800\udc00\udfff'.repeat(15_000),
  'letters that are words': 'ﷺ'.repeat(60_000),
  'signs that mark words': '*_~`>{{/|-\n'.repeat(8000),
  'spaces before an end': `${' '.repeat(60_000)}x`,
}
const COMMANDS = Object.entries<Endpoint>(endpoints).filter(
  ([key, { body, form }]) => !key.startsWith('GET') && (body ?? form) && !/auth|session|restart|password/i.test(key),
)

function toForm(fields: unknown): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(Object(fields)))
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  return form
}

/**
 * For how many ms longer than allowed the desk stood still while this was sent; 0 where it did not. On a machine as quick as `REFERENCE_MS`
 * says, once; where a fixed work costs more at that moment, that much is allowed for, and the best of a few attempts counts.
 */
async function measureExcess(send: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < ATTEMPTS && least > 0; attempt++) {
    await longestDelay()
    await send()
    const excess = (await longestDelay()) - LONGEST - usual
    const slowness = excess > 0 ? (await measureSlowness()) + (await measureSlowness()) : 0
    least = Math.min(least, excess - slowness)
    if (slowness === 0) break
  }
  return Math.max(0, least)
}

async function longestDelay(): Promise<number> {
  return (await readDelay()).longest
}

async function readDelay(): Promise<{ longest: number; busiest: number }> {
  return (await fetch(`${url}/delay`)).json()
}

/** By how many ms a fixed work costs more at this moment than on a machine as quick as `REFERENCE_MS` says. */
async function measureSlowness(): Promise<number> {
  const { reference }: { reference: number } = await (await fetch(`${url}/delay?reference`)).json()
  return Math.max(0, reference - REFERENCE_MS)
}

/** Requests written into one connection at once; resolves when it is closed, which the last of them asks for. */
async function inOnePiece(
  count: number,
  path: string,
  body: string,
  more: readonly string[] = [],
  method = 'POST',
): Promise<void> {
  const closed = Promise.withResolvers<void>()
  const head = ['Host: x', 'Content-Type: application/json', `Content-Length: ${body.length}`, ...more]
  const request = (last: boolean) =>
    [`${method} ${path} HTTP/1.1`, ...head, ...(last ? ['Connection: close'] : []), '', body].join('\r\n')
  let left = Buffer.from(request(false).repeat(count - 1) + request(true))
  const write = (socket: Bun.Socket) => {
    left = left.subarray(socket.write(left))
  }
  await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: { open: write, drain: write, data() {}, close: () => closed.resolve() },
  })
  await closed.promise
}

/** A socket of Bruna's. `send` resolves when all of it was heard or the socket is closed. */
async function aSocket() {
  const { body } = await bruna.call<{ token: string }>('POST', '/auth/socket')
  const raw = new WebSocket(`${url.replace('http', 'ws')}/socket?token=${body.token}`)
  const opened = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  const socket = {
    code: null as number | null,
    errors: [] as string[],
    close: () => raw.close(),
    async send(frame: string, count: number) {
      for (let n = 0; n < count && raw.readyState === WebSocket.OPEN; n++) raw.send(frame)
      await Promise.race([closed.promise, heard()])
    },
  }
  let wait = Promise.withResolvers<void>()
  const heard = () => {
    wait = Promise.withResolvers<void>()
    raw.send('{"type":"pulse"}')
    return wait.promise
  }
  raw.onopen = () => opened.resolve()
  raw.onerror = () => opened.reject(new Error('no socket'))
  raw.onclose = ({ code }) => {
    socket.code = code
    closed.resolve()
  }
  raw.onmessage = ({ data }) => {
    const frame: { type: string; error?: string } = JSON.parse(String(data))
    if (frame.type === 'pulse') wait.resolve()
    if (frame.type === 'error') socket.errors.push(frame.error ?? '')
  }
  await opened.promise
  return socket
}
