// Power cuts while customers write: the process is killed between any two steps of In, the provider delivers again what nobody said to
// have, another process goes on. Nothing is lost, nothing is there twice, and everybody has one ticket.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startGraph } from '@balcao/simulator/graph/graph'
import { type CompanyPhone, type CustomerPhone, startWhatsApp } from '@balcao/simulator/whatsapp/index'
import { getSql } from '../src/platform/database/raw.ts'
import { seal } from '../src/platform/seal.ts'
import { createTestDatabase } from './database.ts'
import { type DeskProcess, freePort, killDesks, startDeskProcess } from './desk-process.ts'
import { createBrowser } from './desk-server.ts'
import { DATA_KEY, PASSWORD } from './desk-world.ts'
import { waitUntil } from './until.ts'

const MEDIA_PLACES = ['media:before-fetch', 'media:stored', 'media:noted']
const BURST = 10_000
const TOKEN = 'token-of-the-test'
const OWNER = 'dono@saojose.example'
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const { db, url } = await createTestDatabase()
const sql = getSql(db)
const dataDir = await mkdtemp(join(tmpdir(), 'balcao-crash-'))
const PORT = String(await freePort())
const graph = await startGraph({ retryBaseMs: 20, retryMostMs: 200, webhookAttempts: 1000 })
const whatsapp = await startWhatsApp({ ackDelayMs: 5 })

afterEach(killDesks)
afterAll(async () => {
  await graph.stop()
  await whatsapp.stop()
  await rm(dataDir, { recursive: true, force: true })
})

function start(crashAt?: string): Promise<DeskProcess> {
  return startDeskProcess({
    ...graph.env,
    ...whatsapp.env,
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    DATA_KEY,
    PORT,
    ADMIN_EMAIL: OWNER,
    ADMIN_PASSWORD: PASSWORD,
    ...(crashAt ? { CRASH_AT: crashAt } : {}),
  })
}

/** Runs the work while processes die at one place after the other, then lets the last one finish. */
async function throughCuts(places: readonly string[], burst: () => Promise<void>): Promise<void> {
  for (const place of places) {
    const desk = await start(place)
    await burst()
    await waitUntil(`it was killed at ${place}`, () => desk.hasEnded)
  }
  await start()
}

/** Goes on with the work while four processes die, each when a few messages more have come in, then lets the last one finish. */
async function throughKills(whatsappId: number, work: () => Promise<void>): Promise<void> {
  let isOver = false
  const working = (async () => {
    for (; !isOver; await Bun.sleep(50)) await work()
  })()
  for (let kill = 0; kill < 4; kill++) {
    const desk = await start()
    const target = (await count(whatsappId)) + 1 + Math.floor(Math.random() * 8)
    await waitUntil('some came in', async () => (await count(whatsappId)) >= target)
    await desk.kill()
  }
  await start()
  isOver = true
  await working
}

/** Makes the tests of these steps of In; `moments`: also of any other moment, of files, and of what another process has to read. */
export function testInboxCrashes({
  places,
  moments,
}: {
  readonly places: readonly string[]
  readonly moments: boolean
}): void {
  describe('by the official API', () => {
    const business = graph.business({
      phoneNumberId: '5501',
      wabaId: '9901',
      token: TOKEN,
      number: '+55 31 3333-0000',
      name: 'Loja Oficial',
    })
    const customers = [0, 1, 2].map(n =>
      graph.customer({ number: `+55 31 99876-220${n}`, name: `Cliente ${n}`, waId: `55319987622${n}0` }),
    )
    let whatsappId = 0
    let written = 0

    beforeAll(async () => {
      whatsappId = await oneId(sql`
        insert into whatsapp (name, api, status, config)
        values ('Loja Oficial', 'cloud_api', 'DISCONNECTED', ${JSON.stringify({ phoneNumberId: '5501', wabaId: '9901', tokenMeta: seal(DATA_KEY, TOKEN) })}::text::jsonb) returning id`)
      business.lane.url = `http://127.0.0.1:${PORT}/webhooks/cloud/${whatsappId}`
    })

    async function everybodyWrites(times: number): Promise<void> {
      for (let n = 0; n < times; n++)
        for (const customer of customers) await customer.send(business, { type: 'text', text: `mensagem ${++written}` })
    }

    test(`killed at ${places.join(', ')}, one after the other, nothing is lost and nothing is there twice`, async () => {
      await throughCuts(
        places.map(place => `${place}#3`),
        () => everybodyWrites(3),
      )
      await graph.idle()
      await expectEachOnce(whatsappId, written, customers.length)
    }, 60_000)

    if (!moments) return

    test('killed at any moment while customers write, nothing is lost and nothing is there twice', async () => {
      await throughKills(whatsappId, async () => {
        // No more than a machine under load takes in within the patience of this test.
        if (written - (await count(whatsappId)) < 60) await everybodyWrites(1)
      })
      await graph.idle()
      await expectEachOnce(whatsappId, written, customers.length)
    }, 60_000)

    test('killed while files are fetched, every file is there once', async () => {
      await throughCuts(MEDIA_PLACES, async () => {
        for (const customer of customers) {
          written += 1
          await customer.send(business, { type: 'image', bytes: PIXEL, mime: 'image/png', caption: `foto ${written}` })
        }
      })
      await graph.idle()
      await waitUntil('all files are there', () => allFilesAreThere(whatsappId, 9))
      await expectEachOnce(whatsappId, written, customers.length)
      expect(await oneFileEach(whatsappId)).toBe(true)
    }, 60_000)
  })

  describe('by a phone', () => {
    let company: CompanyPhone
    let customers: CustomerPhone[]
    let whatsappId = 0
    let written = 0

    beforeAll(async () => {
      company = whatsapp.company({ number: '553132224010', name: 'Loja Centro' })
      customers = [0, 1, 2].map(n => whatsapp.customer({ number: `553199876221${n}`, name: `Cliente ${n}` }))
      whatsappId = await oneId(sql`insert into whatsapp (name, api) values ('Loja Centro', 'baileys') returning id`)
      const desk = await start()
      const owner = createBrowser(desk.url)
      const { body } = await owner.call<{ token: string }>('POST', '/auth/login', { email: OWNER, password: PASSWORD })
      owner.token = body.token
      await owner.call('POST', `/whatsappsession/${whatsappId}`)
      const code = async () =>
        (await sql<{ qrcode: string | null }[]>`select qrcode from whatsapp where id = ${whatsappId}`)[0]?.qrcode
      await waitUntil('a code is shown', async () => Boolean(await code()))
      await company.scan(async () => (await code()) ?? '')
      await waitUntil('it is connected', () => isConnected())
      await desk.kill()
    }, 60_000)

    async function isConnected(): Promise<boolean> {
      const [row] = await sql<{ status: string }[]>`select status from whatsapp where id = ${whatsappId}`
      return row?.status === 'CONNECTED' && company.devices.some(device => device.online)
    }

    async function everybodyWrites(times: number): Promise<void> {
      for (let n = 0; n < times; n++)
        for (const customer of customers) await customer.send(company, { type: 'text', text: `mensagem ${++written}` })
    }

    const allCame = () => waitUntil('all came in', async () => (await count(whatsappId)) >= written)

    test(`killed at ${places.join(', ')}, one after the other, nothing is lost and nothing is there twice`, async () => {
      await throughCuts(
        places.map(place => `${place}#3`),
        () => everybodyWrites(3),
      )
      await allCame()
      await expectEachOnce(whatsappId, written, customers.length)
    }, 60_000)

    if (!moments) return

    test('killed at any moment while customers write, nothing is lost and nothing is there twice', async () => {
      await throughKills(whatsappId, async () => {
        // No more than a machine under load takes in within the patience of this test.
        if (written - (await count(whatsappId)) < 60) await everybodyWrites(1)
      })
      await allCame()
      await expectEachOnce(whatsappId, written, customers.length)
    }, 60_000)

    test(`killed twice while ${BURST} messages come in one burst, none is lost or doubled, and each stands at its time`, async () => {
      const before = await count(whatsappId)
      const writing = Promise.all(
        customers.map(async (customer, n) => {
          for (let at = n; at < BURST; at += customers.length)
            await customer.send(company, { type: 'text', text: `mensagem ${written + 1 + at}` })
        }),
      )
      for (const share of [0.25, 0.6]) {
        const desk = await start()
        const many = before + BURST * share
        await waitUntil('many have come in', async () => (await count(whatsappId)) >= many, 120_000)
        await desk.kill()
      }
      await writing
      written += BURST
      await start()
      await waitUntil('all came in', async () => (await count(whatsappId)) >= written, 120_000)
      await expectEachOnce(whatsappId, written, customers.length)
      expect(await listOutOfOrder(whatsappId, written - BURST)).toEqual([])
    }, 400_000)

    test('killed while files are fetched, every file is there once', async () => {
      await throughCuts(MEDIA_PLACES, async () => {
        for (const customer of customers) {
          written += 1
          await customer.send(company, { type: 'image', data: PIXEL, caption: `foto ${written}` })
        }
      })
      await allCame()
      await waitUntil('all files are there', () => allFilesAreThere(whatsappId, 9))
      await expectEachOnce(whatsappId, written, customers.length)
      expect(await oneFileEach(whatsappId)).toBe(true)
    }, 60_000)

    test('an edit that needs the secret of a message is read by a process that never saw the message', async () => {
      const [customer] = customers
      if (!customer) throw new Error('There is no customer')
      const before = await start()
      const ids = [await customer.send(company, { type: 'text', text: `mensagem ${++written}` })]
      ids.push(await company.type({ to: customer, text: 'Do celualr' }))
      const there = async () => number(sql`select count(*)::int as n from message where provider_id = any(${ids})`)
      await waitUntil('both are there', async () => (await there()) === 2)
      await before.kill()
      await start()
      await customer.send(company, { type: 'edit', of: ids[0] ?? '', text: 'corrigida', sealed: true })
      await company.type({ to: customer, type: 'edit', of: ids[1] ?? '', text: 'Do celular', sealed: true })
      const texts = async () =>
        (await sql<{ body: string }[]>`select body from message where provider_id = any(${ids}) order by id`).map(
          row => row.body,
        )
      await waitUntil(
        'both are corrected',
        async () => Bun.deepEquals(await texts(), ['corrigida', 'Do celular']),
        20_000,
      )
    }, 60_000)
  })
}

/** Every text is there once, numbered without a gap, in one ticket a customer, whose counter of unread messages is right. */
async function expectEachOnce(whatsappId: number, written: number, customers: number): Promise<void> {
  const [row] = await sql<Record<string, number>[]>`
    select count(*)::int as messages, count(distinct body)::int as texts, count(distinct ticket_id)::int as tickets,
      (select count(*)::int from ticket where whatsapp_id = ${whatsappId}) as "allTickets",
      (select count(*)::int from message where whatsapp_id = ${whatsappId} and media_type = 'unknown') as unknown,
      (select sum(unread_messages)::int from ticket where whatsapp_id = ${whatsappId}) as unread
    from message where whatsapp_id = ${whatsappId} and not from_me`
  expect(row).toEqual({
    messages: written,
    texts: written,
    tickets: customers,
    allTickets: customers,
    unknown: 0,
    unread: written,
  })
  const gaps = await sql`
    select ticket_id from message where whatsapp_id = ${whatsappId} group by ticket_id having max(seq) <> count(*) or count(distinct seq) <> count(*)`
  expect(gaps).toHaveLength(0)
}

/** Messages that stand in their ticket after one that was written later. */
function listOutOfOrder(whatsappId: number, after: number): PromiseLike<readonly { body: string }[]> {
  return sql<{ body: string }[]>`
    select body from (
      select body, n, max(n) over (partition by ticket_id order by at range between unbounded preceding and '1 second' preceding) as latest
      from (
        select ticket_id, body, at, substring(body from '\\d+')::int as n from message
        where whatsapp_id = ${whatsappId} and not from_me and body like 'mensagem %'
      ) numbered where n > ${after}
    ) placed where n < latest limit 20`
}

async function allFilesAreThere(whatsappId: number, files: number): Promise<boolean> {
  return (
    (await number(sql`
    select count(*)::int as n from message where whatsapp_id = ${whatsappId} and media->>'state' = 'ready' and media_id is not null`)) ===
    files
  )
}

async function oneFileEach(whatsappId: number): Promise<boolean> {
  const rows = await sql`
    select media_id from message where whatsapp_id = ${whatsappId} and media_id is not null group by media_id having count(*) > 1`
  return rows.length === 0
}

async function count(whatsappId: number): Promise<number> {
  return number(sql`select count(*)::int as n from message where whatsapp_id = ${whatsappId} and not from_me`)
}

async function number(rows: PromiseLike<readonly { n?: number }[]>): Promise<number> {
  return (await rows)[0]?.n ?? 0
}

async function oneId(rows: PromiseLike<readonly { id?: number }[]>): Promise<number> {
  return (await rows)[0]?.id ?? 0
}
