import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Job, MoveIn } from '@balcao/contract'
import { startGraph } from '@balcao/simulator/graph/graph'
import { getSql } from '../src/platform/database/raw.ts'
import { seal } from '../src/platform/seal.ts'
import { createTestDatabase } from './database.ts'
import { type DeskProcess, freePort, killDesks, startDeskProcess } from './desk-process.ts'
import { createBrowser, type SignedInPerson } from './desk-server.ts'
import {
  DATA_KEY,
  makeConnection,
  makeContact,
  makePerson,
  makeQueue,
  makeTicket,
  PASSWORD,
  toEmail,
} from './desk-world.ts'
import { makeDump } from './move-in-dump.ts'
import { createSmallDisk, type SmallDisk } from './small-disk.ts'
import { waitUntil } from './until.ts'

const MB = 1024 * 1024
const { db, url: databaseUrl } = await createTestDatabase()
const sql = getSql(db)
const graph = await startGraph({ retryBaseMs: 20, retryMostMs: 200 })
const lucia = graph.customer({ number: '+55 31 99876-2210', name: 'Dona Lúcia' })
const business = graph.business({
  phoneNumberId: '5501',
  wabaId: '9901',
  token: 'token',
  number: '+553133330000',
  name: 'Loja',
})
/** What the desk asks Meta for. */
const requests: string[] = []
const front = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { pathname, search } = new URL(request.url)
    requests.push(pathname)
    const body = request.method === 'GET' ? null : await request.arrayBuffer()
    return fetch(graph.env.GRAPH_URL + pathname + search, { method: request.method, headers: request.headers, body })
  },
})
let home = ''
let disk: SmallDisk
let desk: DeskProcess
let bruna: SignedInPerson
let ticketId = 0

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'balcao-full-'))
  disk = await createSmallDisk(join(home, 'data'))
  const queueId = await makeQueue(db, 'Vendas')
  const userId = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [queueId] })
  await makePerson(db, { name: 'Marina', profile: 'admin' })
  const [row] = await sql<{ id: number }[]>`
    insert into whatsapp (name, api, status, config, wanted)
    values ('Loja', 'cloud_api', 'DISCONNECTED', ${JSON.stringify({ phoneNumberId: '5501', wabaId: '9901', tokenMeta: seal(DATA_KEY, 'token') })}::text::jsonb, true) returning id`
  const whatsappId = row?.id ?? 0
  const contactId = await makeContact(db, 'Ana')
  const phone = await makeConnection(db, 'Celular')
  ticketId = await makeTicket(db, { contactId, whatsappId: phone, status: 'open', queueId, userId })
  const port = String(await freePort())
  const own = { PORT: port, DATABASE_URL: databaseUrl, DATA_DIR: join(home, 'data'), DATA_KEY }
  const outside = { ...graph.env, GRAPH_URL: front.url.origin, WHATSAPP_WEB_URL: 'ws://127.0.0.1:9' }
  desk = await startDeskProcess({ ...own, ...outside }, disk.under)
  business.lane.url = `${desk.url}/webhooks/cloud/${whatsappId}`
  bruna = createBrowser(desk.url)
  const login = { email: toEmail('Bruna'), password: PASSWORD }
  bruna.token = (await bruna.call<{ token: string }>('POST', '/auth/login', login)).body.token
  await disk.fill(desk.pid, 2 * MB)
}, 60_000)

afterAll(async () => {
  await killDesks()
  await front.stop(true)
  await graph.stop()
  await rm(home, { recursive: true, force: true })
})

describe('on a full disk', () => {
  test('an upload and a form of files are refused with a code of their own, and texts go on', async () => {
    const upload = () => bruna.call('PUT', `/uploads?name=a.bin&ticketId=${ticketId}`, new Uint8Array(3 * MB))
    const form = new FormData()
    form.set('medias', new File([new Uint8Array(3 * MB)], 'b.bin'))
    const answers = [await upload(), await bruna.call('POST', `/messages/${ticketId}`, form), await upload()]
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual(Array(3).fill([507, 'ERR_NO_SPACE']))
    expect((await bruna.call('POST', `/messages/${ticketId}`, { body: 'O texto sai' })).status).toBe(201)
    expect(desk.hasEnded).toBe(false)
  })

  test('a sheet of people for which there is no room adds nobody; a small one adds everybody', async () => {
    const owner = createBrowser(desk.url)
    const login = { email: toEmail('Marina'), password: PASSWORD }
    owner.token = (await owner.call<{ token: string }>('POST', '/auth/login', login)).body.token
    const add = (rows: string) => {
      const form = new FormData()
      form.set('medias', new File([`nome;email\n${rows}`], 'gente.csv'))
      return owner.call('POST', '/users/import/1', form)
    }
    const large = await add(`Grande;grande@x.example${' '.repeat(3 * MB)}`)
    expect([large.status, large.body.error]).toEqual([507, 'ERR_NO_SPACE'])
    expect((await add('Pequena;pequena@x.example\nOutra;outra@x.example')).body).toMatchObject({ imported: 2 })
    const names = await sql<
      { name: string }[]
    >`select name from "user" where name in ('Grande', 'Pequena', 'Outra') order by id`
    expect(names.map(({ name }) => name)).toEqual(['Pequena', 'Outra'])
    expect(desk.hasEnded).toBe(false)
  })

  test('a report for which there is no room ends with that reason and leaves no half file; a small one is made', async () => {
    const owner = createBrowser(desk.url)
    const login = { email: toEmail('Marina'), password: PASSWORD }
    owner.token = (await owner.call<{ token: string }>('POST', '/auth/login', login)).body.token
    await sql`
      insert into ticket (status, contact_id, whatsapp_id, created_at, closed_at)
      select 'closed', t.contact_id, t.whatsapp_id, '2026-03-01T12:00:00Z', now() from ticket t cross join generate_series(1, 12000) n where t.id = ${ticketId}`
    const made = async (startDate: string, endDate: string) => {
      const body = { startDate, endDate, format: 'xlsx' }
      const { jobId } = (await owner.call<{ jobId: number }>('POST', '/report/ticket', body)).body
      const job = async () => (await owner.call<Job>('GET', `/jobs/${jobId}`)).body
      await waitUntil('it has ended', async () => (await job()).endedAt !== null)
      return job()
    }
    expect(await made('2026-03-01', '2026-03-01')).toMatchObject({
      state: 'failed',
      error: 'ERR_NO_SPACE',
      result: null,
    })
    expect(await sql`select 1 from media where owner in ('job', 'upload') and name like 'atendimentos%'`).toHaveLength(
      0,
    )
    expect((await made('2026-02-01', '2026-02-01')).state).toBe('done')
    expect(desk.hasEnded).toBe(false)
    await sql`delete from ticket where id <> ${ticketId}`
  })

  test('a PDF for which the room ends while it is drawn ends with that reason and leaves no half file', async () => {
    const owner = createBrowser(desk.url)
    const login = { email: toEmail('Marina'), password: PASSWORD }
    owner.token = (await owner.call<{ token: string }>('POST', '/auth/login', login)).body.token
    // What does not get smaller by being packed.
    const [row] = await sql<{ id: number }[]>`
      insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, state)
      select t.id, t.contact_id, t.whatsapp_id, 1000 + n, '2026-03-01T12:00:00Z'::timestamptz + make_interval(secs => n), false, words, 'received'
      from ticket t cross join generate_series(1, 3000) n
        cross join lateral (select string_agg(md5(random()::text || n || k), ' ') as words from generate_series(1, 20) k) random
      where t.id = ${ticketId} returning contact_id as id`
    await disk.fill(desk.pid, MB)
    const body = { startDate: '2026-03-01', endDate: '2026-03-01', contactId: row?.id, format: 'pdf' }
    const { jobId } = (await owner.call<{ jobId: number }>('POST', '/report/message', body)).body
    const job = async () => (await owner.call<Job>('GET', `/jobs/${jobId}`)).body
    await waitUntil('it has ended', async () => (await job()).endedAt !== null)
    expect(await job()).toMatchObject({ state: 'failed', error: 'ERR_NO_SPACE', result: null })
    expect(await readdir(join(`/proc/${desk.pid}/root`, home, 'data', 'media', 'incoming'))).toEqual([])
    expect(await sql`select 1 from media where owner in ('job', 'upload') and name like 'conversas%'`).toHaveLength(0)
    expect(desk.hasEnded).toBe(false)
    await disk.fill(desk.pid, 2 * MB)
    await sql`delete from message where seq > 1000`
  })

  test('a dump without room is refused; one that has come is not read onto a full disk, and nothing of it stays', async () => {
    // Where only the size of files is limited the disk itself has room.
    if (disk.under.length === 0) return
    const owner = createBrowser(desk.url)
    const login = { email: toEmail('Marina'), password: PASSWORD }
    owner.token = (await owner.call<{ token: string }>('POST', '/auth/login', login)).body.token
    const announce = (size: number) =>
      owner.call<MoveIn>('POST', '/move-in', { source: 'ticketz', name: 'a.sql', size, openTag: 'Em andamento' })
    const refused = await announce(6 * MB)
    expect([refused.status, refused.body.error]).toEqual([507, 'ERR_NO_SPACE'])
    const bytes = new TextEncoder().encode([...makeDump(60)].join(''))
    const { id } = (await announce(bytes.length)).body
    expect((await owner.call('PUT', `/move-in/${id}/dump?at=0`, bytes)).body).toEqual({ received: bytes.length })
    // Less than is kept free.
    await disk.fill(desk.pid, MB / 2)
    expect((await owner.call('POST', `/move-in/${id}/read`, {})).status).toBe(202)
    const find = async () => (await owner.call<{ moves: MoveIn[] }>('GET', '/move-in')).body.moves[0]
    await waitUntil('it has ended', async () => (await find())?.state !== 'reading')
    expect(await find()).toMatchObject({ state: 'failed', error: 'ERR_NO_SPACE', dump: { received: 0 } })
    await waitUntil('no row is left', async () => (await sql`select 1 from move_in_row`).length === 0)
    expect(desk.hasEnded).toBe(false)
    await disk.fill(desk.pid, 2 * MB)
  })

  test('a received file waits, what comes behind it is stored, and it is fetched once there is room', async () => {
    const bytes = new Uint8Array(3 * MB).fill(7)
    const before = requests.length
    await lucia.send(business, { type: 'document', bytes, mime: 'application/octet-stream', filename: 'planta.bin' })
    await lucia.send(business, { type: 'text', text: 'Mandei a planta' })
    await waitUntil('the text behind the file is there', async () => (await received('Mandei a planta')) !== undefined)
    await waitUntil('it was asked for', () => requests.slice(before).some(path => /\/\d{15}$/.test(path)))
    expect((await received(null))?.media.state).toBe('pending')

    await disk.empty(desk.pid)
    await waitUntil('it is fetched', async () => (await received(null))?.media.state === 'ready')
    expect((await received(null))?.media.size).toBe(bytes.length)
    expect(desk.hasEnded).toBe(false)
  })
})

/** What the customer wrote: the text, or the file for null. */
async function received(text: string | null): Promise<{ media: { state: string; size: number } } | undefined> {
  const rows = await sql<{ media: { state: string; size: number } }[]>`
    select media from message where not from_me and ${text === null ? sql`media is not null` : sql`body = ${text}`}`
  return rows[0]
}
