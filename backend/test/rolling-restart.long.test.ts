// Two server processes behind one address are started anew one after the other while customers and agents write: no call fails, no
// message is lost or doubled, and no event is missed (decisions "several server processes").
import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signIn } from '@balcao/client/session'
import { startBalancer } from '@balcao/simulator/balancer'
import { APP_SECRET, postWebhook } from '@balcao/simulator/graph/post-webhook'
import { getSql } from '../src/platform/database/raw.ts'
import { createTestDatabase } from './database.ts'
import { freePort, killDesks, startDeskProcess } from './desk-process.ts'
import { DATA_KEY, makeOfficialLine, makeServedTicket, PASSWORD, toEmail } from './desk-world.ts'
import { waitUntil } from './until.ts'

const WITHIN_MS = 60_000
const { db, url } = await createTestDatabase()
const sql = getSql(db)
const dataDir = await mkdtemp(join(tmpdir(), 'balcao-rolling-'))
const ends: (() => Promise<unknown>)[] = []

afterAll(async () => {
  for (const end of ends.reverse()) await end()
  await killDesks()
  await rm(dataDir, { recursive: true, force: true })
}, 30_000)

test('two processes are restarted one after the other: no call fails, no message is lost, no event is missed', async () => {
  const line = await makeOfficialLine(db)
  const ticketId = await makeServedTicket(db, 'admin')
  const ports = [await freePort(), await freePort()]
  const desks = await Promise.all(ports.map(start))
  const balancer = await startBalancer(desks.map(desk => desk.url))
  ends.push(balancer.stop)

  const bruna = await signIn(balancer.url, { email: toEmail('Bruna'), password: PASSWORD })
  const heard = new Set<string>()
  const states: string[] = []
  const live = bruna.live({ onState: ({ state }) => states.push(state) })
  live.on('appMessage', event => 'message' in event && heard.add(event.message.body))
  live.start()
  ends.push(async () => live.stop())
  await waitUntil('she is live', () => states.at(-1) === 'live', WITHIN_MS)

  const written: string[] = []
  const failed: unknown[] = []
  let going = true
  /** One after the other, each once: what fails is told and not tried again. */
  async function writing(writer: string, write: (text: string, n: number) => Promise<unknown>): Promise<void> {
    for (let n = 0; going; n++) {
      const text = `${writer} ${n}`
      await write(text, n).then(
        () => written.push(text),
        error => failed.push(`${text}: ${error}`),
      )
      await Bun.sleep(10)
    }
  }
  const customer = (text: string, n: number) =>
    postWebhook(balancer.url, {
      ...{ whatsappId: line, phoneNumberId: '5501', from: `55319987600${String(n % 10).padStart(2, '0')}` },
      ...{ id: `wamid.${text}`, body: text },
    }).then(status => {
      if (status !== 200) throw new Error(String(status))
    })
  const agent = (text: string) => bruna.api('POST /messages/:ticketId', { params: { ticketId }, body: { body: text } })
  const writers = [writing('cliente', customer), writing('atendente', agent)]
  const more = async (count: number) => {
    const wanted = written.length + count
    await waitUntil(`${count} more are written`, () => written.length + failed.length >= wanted, WITHIN_MS)
  }

  await more(20)
  for (const [at, port] of ports.entries()) {
    const old = desks[at]
    if (!old) continue
    process.kill(old.pid, 'SIGTERM')
    expect(await old.ended).toBe(143)
    await more(20)
    const anew = await start(port)
    expect(anew.hasEnded).toBe(false)
    await more(20)
  }
  going = false
  await Promise.all(writers)
  expect(failed).toEqual([])
  await waitUntil('all are stored', async () => (await stored()) === written.length, WITHIN_MS)
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from message where body ~ '^(cliente|atendente) '`
  expect(row?.n).toBe(written.length)
  await waitUntil('all are heard', () => written.every(text => heard.has(text)), WITHIN_MS)

  async function stored(): Promise<number> {
    const [known] = await sql<{ n: number }[]>`
      select count(distinct body)::int as n from message where body = any(${written})`
    return known?.n ?? 0
  }
}, 240_000)

function start(port: number) {
  return startDeskProcess({
    PORT: String(port),
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    DATA_KEY,
    DRAIN_SECONDS: '1',
    GRAPH_APP_SECRET: APP_SECRET,
    GRAPH_URL: 'http://127.0.0.1:9',
    WHATSAPP_WEB_URL: 'ws://127.0.0.1:9',
    ADMIN_EMAIL: 'dono@saojose.example',
    ADMIN_PASSWORD: PASSWORD,
  })
}
