// What a process says for its operators: a line for each message in and out, sign-ins and its end, in JSON, and never who or what.
import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildCommand } from '@balcao/simulator/processes'
import pino from 'pino'
import { startSupervisor } from '../src/messaging/owner/supervisor.ts'
import type { DriverHost } from '../src/platform/channel/driver.ts'
import { readConfig } from '../src/platform/config.ts'
import { openNotices } from '../src/platform/database/notices.ts'
import { createMetrics } from '../src/platform/http/metrics.ts'
import { createTestDatabase } from './database.ts'
import { freePort } from './desk-process.ts'
import { startNetwork } from './network.ts'
import { createNetworkDriver } from './network-driver.ts'
import { makeOutgoingFixture } from './outgoing-world.ts'
import { waitUntil } from './until.ts'

const EXPECTED_WARNINGS = new Set(['sign-in refused', 'the front end is not built'])
const { db, url } = await createTestDatabase()
const network = startNetwork()
const notices = openNotices(db)
const dataDir = await mkdtemp(join(tmpdir(), 'balcao-log-'))

afterAll(async () => {
  network.stop()
  await notices.close()
  await rm(dataDir, { recursive: true, force: true })
})

test('each message in and out, and each that fails, is a line and a count, without number or words', async () => {
  const world = await makeOutgoingFixture(db, 2)
  const [lucia, joao] = world.tickets
  const lines: string[] = []
  const metrics = createMetrics()
  let host: DriverHost | undefined
  const supervisor = await startSupervisor({
    db,
    url,
    notices,
    config: readConfig({ DATA_DIR: dataDir }),
    log: pino({ level: 'info' }, { write: line => lines.push(line) }),
    metrics,
    media: { db, dataDir },
    createDriver: (_kind, _connection, given) => {
      host = given
      return createNetworkDriver(given, { url: network.url, ownIds: true })
    },
    ring: () => notices.ring('live'),
    tellVolatile: () => {},
  })
  await waitUntil('it runs', () => supervisor.running.length === 1)
  const chat = lucia?.to ?? ''
  await host?.emit([
    {
      type: 'message',
      ref: { id: 'IN-1', chat, fromMe: false },
      chat: { jid: chat, pn: chat.replace(/@.*/, ''), group: false },
      at: Date.now(),
      mediaType: 'chat',
      body: 'segredo do cliente',
      replay: false,
      raw: null,
    },
  ])
  network.answerNext(joao?.to ?? '', { ok: false, outcome: 'refused', code: '131026', text: 'Undeliverable' })
  const sent = await world.write(0, 'segredo da mesa')
  const failed = await world.write(1, 'outro segredo')
  await waitUntil('all is told', () => lines.filter(line => line.includes('"msg":"message ')).length === 3)
  await supervisor.close()

  const entries = lines.map(line => JSON.parse(line)).filter(({ msg }) => msg.startsWith('message '))
  const line = { whatsappId: world.whatsappId, kind: 'baileys', latencyMs: expect.any(Number) }
  expect(entries).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ...line, msg: 'message received', ticketId: lucia?.id, fromMe: false }),
      expect.objectContaining({ ...line, msg: 'message sent', messageId: sent }),
      expect.objectContaining({ ...line, msg: 'message failed', messageId: failed, code: '131026' }),
    ]),
  )
  expect(lines.join('')).not.toMatch(/segredo|5531|@s\.whatsapp/)
  const text = await metrics.registry.metrics()
  expect(text).toContain('balcao_messages_received_total{kind="baileys"} 1')
  expect(text).toContain('balcao_messages_sent_total{kind="baileys"} 1')
  expect(text).toContain('balcao_messages_failed_total{kind="baileys"} 1')
  expect(text).toContain('balcao_messages_failed_by_code_total{kind="baileys",code="131026"} 1')
})

test('into a pipe a server writes JSON alone: its start, the one-time password, sign-ins, refused ones, and its end', async () => {
  const { url: databaseUrl } = await createTestDatabase()
  const port = await freePort()
  const server = Bun.spawn(buildCommand('backend/src/main.ts'), {
    env: { ...process.env, PORT: String(port), DATABASE_URL: databaseUrl, DATA_DIR: dataDir, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  const reading = (async () => {
    for await (const words of server.stdout.pipeThrough(new TextDecoderStream())) text += words
  })()
  const find = (msg: string) =>
    text
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))
      .find(line => line.msg.startsWith(msg))
  await waitUntil('it says its password', () => text.includes('first sign-in'))
  const { email, password } = find('first sign-in')
  const signIn = (secret: string) =>
    fetch(`http://127.0.0.1:${port}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: secret }),
    })
  expect((await signIn('errada')).status).toBe(401)
  expect((await signIn(password)).status).toBe(200)
  server.kill('SIGTERM')
  await reading

  expect(await server.exited).toBe(143)
  expect(find('ready')).toMatchObject({ dataDir, databaseFolder: null })
  expect(find('sign-in refused')).toMatchObject({ code: 'ERR_INVALID_CREDENTIALS' })
  expect(find('signed in')).toMatchObject({ userId: 1 })
  expect(find('ended in order')).toBeDefined()
  // A first start has nothing to warn of but who may not come in, and from the sources that no page is built.
  const warned = text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
    .filter(({ level, msg }) => level >= 40 && !EXPECTED_WARNINGS.has(msg))
  expect(warned).toEqual([])
  expect(text).not.toMatch(/maxPoolSize|undefined/)
  // The e-mail stands in the announcement alone.
  expect(text.split(email)).toHaveLength(2)
})
