// Bodies that are begun and not ended: what a stranger can make the desk hold is little, and everybody else is served meanwhile.
import { afterAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MB } from '@balcao/contract'
import { readBytes } from '../src/platform/http/body.ts'
import { BytesInFlight } from '../src/platform/http/in-flight.ts'
import { createTestDatabase } from './database.ts'
import { freePort, killDesks, startDeskProcess } from './desk-process.ts'
import { createBrowser } from './desk-server.ts'
import { DATA_KEY, makeConnection, makePerson, PASSWORD, toEmail } from './desk-world.ts'
import { waitUntil } from './until.ts'

const SECRET = 'segredo-do-aplicativo'
const { db, url: databaseUrl } = await createTestDatabase()
const dataDir = await mkdtemp(join(tmpdir(), 'balcao-bodies-'))
afterAll(async () => {
  await killDesks()
  await rm(dataDir, { recursive: true, force: true })
})

await makePerson(db, { name: 'Bruna', profile: 'user' })
const official = await makeConnection(db, 'Oficial', 'cloud_api')
await db.$client`update whatsapp set wanted = true where id = ${official}`
const own = { PORT: String(await freePort()), DATABASE_URL: databaseUrl, DATA_DIR: dataDir, DATA_KEY }
const outside = { WHATSAPP_WEB_URL: 'ws://127.0.0.1:9', GRAPH_URL: 'http://127.0.0.1:9', GRAPH_APP_SECRET: SECRET }
const desk = await startDeskProcess({ ...own, ...outside })
await signIn()

describe('bodies that are held open', () => {
  test('of 2 MB at the sign-in are refused before they are read', async () => {
    const before = await memory()
    const held = await hold(150, '/auth/login', 2_000_000)
    await waitUntil('each is refused', async () => held.every(isTurnedAway(413)))
    const began = await hold(3, '/auth/login', 2_000_000, { sent: 100 })
    await waitUntil('who only began to write is told so', async () => began.every(isTold(413)))
    expect(((await memory()) - before) / MB).toBeLessThan(40)
    expect(await signIn()).toBe(200)
    for (const { end } of held) end()
  })

  test('of 4 MB at a webhook lie on the disk, a few of them, and others are turned away', async () => {
    const before = await memory()
    const held = await hold(150, `/webhooks/cloud/${official}`, 4_000_000)
    await waitUntil('the others are turned away', async () => held.filter(isTurnedAway(429)).length > 100)
    const began = await hold(3, `/webhooks/cloud/${official}`, 4_000_000, { sent: 100 })
    await waitUntil('who only began to write is told so', async () => began.every(isTold(429)))
    await waitUntil('what came of the others is given back', async () => ((await memory()) - before) / MB < 60)
    expect(await signIn()).toBe(200)
    expect(await webhook('{}')).not.toBe(429)
    for (const { end } of held) end()
    await waitUntil(
      'a large one is taken again',
      async () => (await webhook(JSON.stringify({ x: 'y'.repeat(MB) }))) !== 429,
    )
  })

  test('of forms with long texts lie in memory, a few of them, and others are turned away', async () => {
    const person = createBrowser(desk.url)
    const login = { email: toEmail('Bruna'), password: PASSWORD }
    const { token } = (await person.call<{ token: string }>('POST', '/auth/login', login)).body
    const type = `multipart/form-data; boundary=fim\r\nAuthorization: Bearer ${token}`
    const part = '--fim\r\nContent-Disposition: form-data; name="body"\r\n\r\n'
    const held = await hold(60, '/quickAnswers', 1_900_000, { type, begin: part })
    await waitUntil('the others are turned away', async () => held.some(isTurnedAway(429)))
    for (const { end } of held) end()
  })

  test.each([
    ['which say nothing of their length', {}],
    ['which are announced as small', { 'content-length': '100' }],
  ])('%s have an end in time, however often a bit of them comes', async (_, headers) => {
    const drops = new ReadableStream<Uint8Array>({
      async pull(to) {
        await new Promise(setImmediate)
        to.enqueue(new Uint8Array(1))
      },
    })
    const request = new Request('http://desk/', { method: 'POST', body: drops, headers })
    const limits = { most: MB, seconds: 0.05, inFlight: new BytesInFlight(MB, MB) }
    await expect(readBytes(request, '192.0.2.1', limits)).rejects.toMatchObject({ code: 'ERR_BODY_TOO_SLOW' })
  })

  test('take no more memory than there is for one address and for all, and give it back', () => {
    const inFlight = new BytesInFlight(100, 60)
    const [one, other] = [inFlight.begin('192.0.2.1'), inFlight.begin('192.0.2.2')]
    one.hold(60)
    expect(() => inFlight.begin('192.0.2.1').hold(1)).toThrow('ERR_TOO_MANY_ATTEMPTS')
    expect(() => other.hold(41)).toThrow('ERR_BUSY')
    other.hold(40)
    one.end()
    other.hold(20)
    inFlight.begin('192.0.2.1').hold(40)
  })

  test('of one network of IPv6 count together', () => {
    const inFlight = new BytesInFlight(100, 60)
    inFlight.begin('2001:db8::1').hold(60)
    expect(() => inFlight.begin('2001:db8::2').hold(1)).toThrow('ERR_TOO_MANY_ATTEMPTS')
  })
})

test('a large webhook that is signed is taken as it came', async () => {
  const status = await webhook(JSON.stringify({ object: 'whatsapp_business_account', entry: [], x: 'y'.repeat(MB) }))
  expect(status).not.toBe(401)
})

async function signIn(): Promise<number> {
  const login = { email: toEmail('Bruna'), password: PASSWORD }
  return (await createBrowser(desk.url).call('POST', '/auth/login', login)).status
}

async function webhook(body: string): Promise<number> {
  const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
  return (await fetch(`${desk.url}/webhooks/cloud/${official}`, { method: 'POST', body, headers })).status
}

interface HeldBody {
  answer: string
  isClosed: boolean
  end(): void
}

/** A server that answers before it has read everything and closes takes its own answer away from who still writes. */
function isTurnedAway(status: number) {
  return (body: HeldBody) => (body.answer === '' ? body.isClosed : isTold(status)(body))
}

function isTold(status: number) {
  return ({ answer }: HeldBody) => answer.includes(` ${status} `)
}

/** Announces bodies of ten bytes more than `size`, sends so much of them, all but those ten unless it says how much, and waits. */
async function hold(
  count: number,
  path: string,
  size: number,
  { type = 'application/json', begin = '"', sent = size }: { type?: string; begin?: string; sent?: number } = {},
) {
  const { hostname, port } = new URL(desk.url)
  return Promise.all(
    Array.from({ length: count }, async () => {
      const held: HeldBody = { answer: '', isClosed: false, end: () => {} }
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${size + 10}\r\n\r\n`
      let left = Buffer.from(head + begin.padEnd(sent, 'A'))
      const write = (socket: Bun.Socket) => {
        left = left.subarray(socket.write(left))
      }
      const socket = await Bun.connect({
        hostname,
        port: Number(port),
        socket: {
          open: write,
          drain: write,
          data(_, chunk) {
            held.answer += chunk.toString()
          },
          close() {
            held.isClosed = true
          },
          error() {},
        },
      })
      held.end = () => socket.end()
      return held
    }),
  )
}

async function memory(): Promise<number> {
  const status = await readFile(`/proc/${desk.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}
