// The report of a contact's conversations (spec 3 §2, §7; decisions §4; decisions-2 §13, §23).
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Job, Language, MediaType } from '@balcao/contract'
import { unzipSync } from 'fflate'
import { getMediaPath } from '../src/desk/media/folder.ts'
import type { ReportReader } from '../src/insight/reports/content.ts'
import { loadReportContext } from '../src/insight/reports/context.ts'
import { buildConversationReport } from '../src/insight/reports/conversation-report.ts'
import { getSql } from '../src/platform/database/raw.ts'
import type { ReportScope } from '../src/policy/access/report-scope.ts'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeTicket } from './desk-world.ts'
import { flattenTags, type ReadPdf, readPdf } from './pdf-reader.ts'
import { readSheets } from './report-files.ts'
import { waitUntil } from './until.ts'

const server = await startDeskServer()
const { db } = server
const sql = getSql(db)
let lucia = 0
let ticket = 0

const PERIOD = {
  first: '2026-11-01',
  last: '2026-11-30',
  from: '2026-11-01T03:00:00.000Z',
  until: '2026-12-01T03:00:00.000Z',
}
const ADMIN: ReportScope = { profile: 'admin', queueIds: [], hierarchy: false, onlyAdminSeeEmptyQueue: false }

const dataDir = await mkdtemp(join(tmpdir(), 'balcao-conversation-'))
const queues = { sales: await makeQueue(db, 'Vendas'), finance: await makeQueue(db, 'Financeiro') }
const people = {
  marina: await makePerson(db, { name: 'Marina', profile: 'admin' }),
  rafael: await makePerson(db, { name: 'Rafael', profile: 'gerente', queueIds: [queues.sales] }),
  bruna: await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [queues.sales] }),
}
const shop = await makeConnection(db, 'Loja Centro')
afterAll(() => rm(dataDir, { recursive: true, force: true }))

beforeEach(async () => {
  await sql`delete from message`
  await sql`delete from ticket`
  await sql`delete from contact`
  lucia = await makeContact(db, 'Dona Lúcia')
  ticket = await inQueue(queues.sales)
})

describe('spec 3 §7: the conversations of a contact', () => {
  test('are read as the customer saw them: sides, times, days, marks, and who of us signed', async () => {
    await say('Oi, *bom dia*! 😀', { at: '2026-11-24T17:26:00Z' })
    await say('*Bruna:*\nBom dia, _dona Lúcia_ → pronto', { fromMe: true, at: '2026-11-24T17:30:00Z' })
    await say('até amanhã', { at: '2026-11-25T02:59:00Z' })
    const last = await say('voltei', { at: '2026-11-25T03:00:00Z' })
    const reaction = { by: 'Bruna', fromMe: true, emoji: '👍' }
    await sql`update message set reactions = ${JSON.stringify([reaction, { ...reaction, emoji: '❤️' }])}::text::jsonb where id = ${last}`
    const { pages, title, lang } = await pdf()
    const text = textOf(pages)
    expect([title, lang]).toEqual(['Conversas do contato', 'pt-BR'])
    expect(
      inOrder(text, [`Atendimento ${ticket}`, 'Vendas', '24/11/2026', 'Dona Lúcia', 'Oi, bom dia! 😀', '14:26']),
    ).toBe(true)
    expect(inOrder(text, ['Bruna:', 'Bom dia, dona Lúcia → pronto', '14:30', 'até amanhã', '23:59'])).toBe(true)
    expect(inOrder(text, ['25/11/2026', 'voltei', '👍', '❤', '00:00'])).toBe(true)
    expect(text).not.toContain('*')
    expect(text.match(/25\/11\/2026/g)).toHaveLength(1)
  })

  test('hide what was deleted and what the team said among itself; of what was edited they have the newest words', async () => {
    await say('era segredo', { isDeleted: true })
    await say('-- só a equipe', { mediaType: 'comment', fromMe: true })
    await say('agora assim', { isEdited: true })
    await say('não chegou', { fromMe: true, state: 'failed' })
    await say('Bruna aceitou o atendimento', { mediaType: 'system', fromMe: true })
    const text = textOf((await pdf()).pages)
    for (const gone of ['segredo', 'só a equipe']) expect(text).not.toContain(gone)
    expect(inOrder(text, ['Mensagem apagada', 'agora assim', 'Editada', 'não chegou', 'Não enviada'])).toBe(true)
    expect(text).toContain('Bruna aceitou o atendimento')
    const [, ...rows] = await sheet()
    expect(rows.map(row => row[7])).toEqual([
      ...['Mensagem apagada', 'agora assim', 'não chegou', 'Bruna aceitou o atendimento'],
    ])
  })

  test('say what was done with a ticket in the language of who reads it, with its names; what has no words of ours as it was written', async () => {
    const system = { code: 'transferred', params: { user: 'Bruna', to: 'Financeiro {{user}}' } }
    await say('Bruna transferiu o atendimento para Financeiro', { mediaType: 'system', fromMe: true, system })
    await say('de antes, sem código', { mediaType: 'system', fromMe: true })
    const strange = { code: 'constructor', params: {} }
    await say('de um código que ninguém conhece', { mediaType: 'system', fromMe: true, system: strange })
    for (const [language, words] of [
      ['pt', 'Bruna transferiu para Financeiro {{user}}'],
      ['en', 'Bruna transferred it to Financeiro {{user}}'],
      ['es', 'Bruna la transfirió a Financeiro {{user}}'],
    ] as const) {
      const all = [words, 'de antes, sem código', 'de um código que ninguém conhece']
      expect(inOrder(textOf((await pdf({ language })).pages), all)).toBe(true)
      const rows = Object.values(readSheets(await bytesOf('xlsx', { language })))[0] ?? []
      expect(rows.slice(1).map(row => row[7])).toEqual(all)
    }
  })

  test('show pictures, and name what is none, with sizes, lengths and what was said in recordings', async () => {
    await put('foto', await new Bun.Image(aPicture()).jpeg().bytes())
    await put('estragada', new TextEncoder().encode('no picture'))
    const media = {
      state: 'ready',
      size: 84_000,
      seconds: null,
      width: 8,
      height: 8,
      voice: false,
      waveform: null,
      error: null,
    }
    await say('', {
      mediaType: 'image',
      mediaId: idOf('foto'),
      media: { ...media, name: 'lista.jpg', mime: 'image/jpeg' },
    })
    await say('', {
      mediaType: 'image',
      mediaId: idOf('estragada'),
      media: { ...media, name: 'ruim.jpg', mime: 'image/jpeg' },
    })
    await say('', {
      mediaType: 'application',
      mediaId: idOf('x'),
      media: { ...media, name: 'nota fiscal.pdf', mime: 'application/pdf' },
    })
    const sound = { ...media, name: 'audio.ogg', mime: 'audio/ogg', seconds: 21 }
    await say('', { mediaType: 'audio', mediaId: idOf('y'), media: sound, transcription: 'pode entregar às quatro' })
    const bytes = await bytesOf('pdf')
    const { pages } = await readPdf(bytes)
    const figures = flattenTags(pages.flatMap(page => page.tree)).filter(({ role }) => role === 'Figure')
    expect(figures.map(({ alt }) => alt)).toEqual(['Foto: lista.jpg'])
    expect(Buffer.from(bytes).includes('/Subtype /Image')).toBe(true)
    const text = textOf(pages)
    expect(inOrder(text, ['ruim.jpg', 'nota fiscal.pdf', '82 KB', 'audio.ogg', 'duração 0:21'])).toBe(true)
    expect(text).toContain('Transcrição: pode entregar às quatro')
  })

  test('have cards, places and quotes in words', async () => {
    const price = { amount: 24.9, currency: 'BRL' }
    const card = {
      kind: 'order',
      count: 3,
      total: { ...price, amount: 74.7 },
      lines: [{ name: 'Pão de queijo', quantity: 3, price }],
    }
    await say('3 × Pão de queijo', { mediaType: 'order', details: { card } })
    await say('|https://maps.google.com/?q=1,2|Rua das Acácias, 81', { mediaType: 'location' })
    await say('BEGIN:VCARD\nFN:Seu Zé\nTEL;waid=5531988880000:+55\nEND:VCARD', { mediaType: 'vcard' })
    const quoted = await say('Tem hoje?', {})
    await say('Tem sim', { fromMe: true, quotedId: quoted })
    await say('', { mediaType: 'unknown', details: { card: { kind: 'notice', code: 'view_once' } } })
    const { pages } = await pdf()
    const text = textOf(pages)
    expect(inOrder(text, ['Pedido: 3 itens, R$ 74,70', '3 × Pão de queijo', 'R$ 74,70'])).toBe(true)
    expect(inOrder(text, ['Localização', 'Rua das Acácias, 81', 'Seu Zé', '+55 31 98888-0000'])).toBe(true)
    const quotes = flattenTags(pages.flatMap(page => page.tree)).filter(({ role }) => role === 'BlockQuote')
    expect(quotes.map(quote => quote.text)).toEqual(['Dona LúciaTem hoje?'])
    expect(text).toContain('visualização única')
  })

  test('are those of the period, in the order of their tickets, and an empty period is an honest page', async () => {
    const later = await inQueue(queues.finance)
    await say('de outubro', { at: '2026-11-01T02:59:59Z' })
    await say('primeira', { at: '2026-11-01T03:00:00Z' })
    await say('em outro atendimento', { at: '2026-11-02T12:00:00Z', ticketId: later })
    await say('segunda', { at: '2026-11-03T12:00:00Z' })
    await say('de dezembro', { at: '2026-12-01T03:00:00Z' })
    const text = textOf((await pdf()).pages)
    expect(inOrder(text, ['primeira', 'segunda', 'em outro atendimento'])).toBe(true)
    expect(text).not.toMatch(/de outubro|de dezembro/)
    await sql`delete from message`
    expect(textOf((await pdf()).pages)).toContain('Não há mensagens neste período.')
    expect(await sheet()).toHaveLength(1)
  })
})

describe('decisions §4, decisions-2 §23: who sees what', () => {
  test('who asks for it gets a job, and its file by a link; an attendant gets nothing', async () => {
    await say('Oi, bom dia!', { at: '2026-11-24T17:26:00Z' })
    const query = { startDate: PERIOD.first, endDate: PERIOD.last, contactId: lucia, format: 'pdf' }
    const marina = await server.as('Marina')
    const { status, body } = await marina.call<{ jobId: number }>('POST', '/report/message', query)
    expect(status).toBe(202)
    const job = async () => (await marina.call<Job>('GET', `/jobs/${body.jobId}`)).body
    await waitUntil('the report has ended', async () => (await job()).endedAt !== null)
    const { state, error, result } = await job()
    expect([state, error, result?.counts.rows, result?.counts.pages]).toEqual(['done', null, 1, 1])
    expect(result?.name).toBe('conversas-2026-11-01-2026-11-30.pdf')
    const { pages } = await readPdf(await (await fetch(`${server.url}${result?.url}`)).bytes())
    expect(textOf(pages)).toContain('Oi, bom dia!')
    const answer = await marina.call('POST', '/report/message?preview=true', query)
    expect(answer.body).toEqual({ rows: 1, pages: 1 })
    const bruna = await server.as('Bruna')
    expect((await bruna.call('POST', '/report/message', query)).status).toBe(403)
  })

  test('a manager gets the tickets of the own queues alone, and quotes from there alone', async () => {
    const finance = await inQueue(queues.finance)
    const secret = await say('do financeiro', { ticketId: finance })
    await say('das vendas', {})
    await say('respondo', { quotedId: secret })
    const scope: ReportScope = { ...ADMIN, profile: 'gerente', queueIds: [queues.sales] }
    const text = textOf((await pdf({ viewerId: people.rafael, scope })).pages)
    expect(inOrder(text, ['das vendas', 'respondo'])).toBe(true)
    expect(text).not.toContain('do financeiro')
    const [, ...rows] = await sheet({ viewerId: people.rafael, scope })
    expect(rows.map(row => row[7])).toEqual(['das vendas', 'respondo'])
    expect(textOf((await pdf()).pages)).toContain('do financeiro')
  })
})

describe('decisions-2 §13: long conversations', () => {
  test('every message is there once, whatever stands in the same second, and many are parts of one archive', async () => {
    const two = await inQueue(queues.sales)
    await many(ticket, 1203)
    await many(two, 20)
    const all = [
      ...Array.from({ length: 1203 }, (_, at) => `${ticket}:${at + 1}`),
      ...Array.from({ length: 20 }, (_, at) => `${two}:${at + 1}`),
    ]
    const whole = textOf((await pdf()).pages)
    expect([...(whole.match(/«\d+:\d+»/g) ?? [])]).toEqual(all.map(name => `«${name}»`))
    const steps: number[] = []
    const files = unzipSync(await bytesOf('zip', {}, { most: 500, step: async done => void steps.push(done) }))
    const parts = await Promise.all(Object.values(files).map(readPdf))
    expect(parts.map(part => part.title.replace(/.* · /, ''))).toEqual(['parte 1 de 3', 'parte 2 de 3', 'parte 3 de 3'])
    expect(parts.map(({ pages }) => textOf(pages).match(/«\d+:\d+»/g)?.length)).toEqual([500, 500, 223])
    expect(parts.flatMap(({ pages }) => textOf(pages).match(/«\d+:\d+»/g) ?? [])).toEqual(all.map(name => `«${name}»`))
    for (const { pages } of parts) expect(textOf(pages)).toContain(`Atendimento ${ticket}`)
    expect(steps.at(-1)).toBe(1223)
    expect((await sheet()).length).toBe(1224)
  })

  test('one that is cancelled between two batches has no bytes that end', async () => {
    await many(ticket, 1200)
    const step = async (done: number) => {
      if (done >= 500) throw new Error('cancelled')
    }
    await expect(bytesOf('pdf', {}, { step })).rejects.toThrow('cancelled')
  })
})

interface Said {
  readonly fromMe?: boolean
  readonly mediaType?: MediaType
  readonly at?: string
  readonly ticketId?: number
  readonly isDeleted?: boolean
  readonly isEdited?: boolean
  readonly state?: string
  readonly mediaId?: string
  readonly media?: object
  readonly details?: object
  readonly system?: object
  readonly quotedId?: number
  readonly transcription?: string
}

async function say(body: string, message: Said): Promise<number> {
  const { fromMe = false, mediaType = 'chat', at = '2026-11-24T12:00:00Z', ticketId = ticket, mediaId = null } = message
  const { isDeleted = false, isEdited = false, state = fromMe ? 'sent' : 'received', quotedId = null } = message
  const { media = null, details = null, system = null, transcription = null } = message
  const [row] = await sql<{ id: number }[]>`
    with t as (update ticket set message_seq = message_seq + 1 where id = ${ticketId} returning id, contact_id, whatsapp_id, message_seq)
    insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, media_type, state, is_deleted, is_edited, media_id, media,
      details, system, quoted_id, transcription, user_id)
    select id, contact_id, whatsapp_id, message_seq, ${at}, ${fromMe}, ${body}, ${mediaType}, ${state}, ${isDeleted}, ${isEdited}, ${mediaId},
      ${media && JSON.stringify(media)}::text::jsonb, ${details && JSON.stringify(details)}::text::jsonb, ${system && JSON.stringify(system)}::text::jsonb, ${quotedId}, ${transcription},
      case when ${fromMe} then ${people.bruna}::int end from t returning id::float8 as id`
  return row?.id ?? 0
}

/** Several in each second, as a provider tells them. */
async function many(ticketId: number, n: number): Promise<void> {
  await sql`
    insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, state)
    select t.id, t.contact_id, t.whatsapp_id, n, '2026-11-24T12:00:00Z'::timestamptz + make_interval(secs => n / 7), n % 2 = 0,
      '«' || t.id || ':' || n || '»', 'sent' from ticket t, generate_series(1, ${n}) n where t.id = ${ticketId}`
}

function inQueue(queueId: number): Promise<number> {
  return makeTicket(db, { contactId: lucia, whatsappId: shop, status: 'closed', queueId, userId: people.bruna })
}

interface Asked {
  readonly viewerId?: number
  readonly scope?: ReportScope
  readonly language?: Language
}
interface How {
  readonly most?: number
  readonly step?: ReportReader['step']
}

async function bytesOf(
  ending: 'pdf' | 'xlsx' | 'zip',
  request: Asked = {},
  { most, step = async () => {} }: How = {},
): Promise<Uint8Array> {
  const { viewerId = people.marina, scope = ADMIN, language = 'pt' } = request
  const filters = { queueId: null, userId: null, contactId: lucia, status: '' } as const
  const format = ending === 'xlsx' ? 'xlsx' : 'pdf'
  const which = { ...filters, format, language, startDate: PERIOD.first, endDate: PERIOD.last } as const
  const more = { timezone: 'America/Sao_Paulo', company: 'Distribuidora São José', now: new Date() }
  const context = await loadReportContext(db, 'message', { ...which, viewerId, scope, period: PERIOD }, more)
  const read: ReportReader = { db, dataDir, limits: {}, step, filterPages: () => never() }
  const { file } = await buildConversationReport(context, read, most)
  expect(file.ending).toBe(ending)
  return Buffer.concat(await Array.fromAsync(file.bytes))
}

async function pdf(request: Asked = {}): Promise<ReadPdf> {
  return readPdf(await bytesOf('pdf', request))
}

async function sheet(request: Asked = {}): Promise<(string | number | null)[][]> {
  return readSheets(await bytesOf('xlsx', request)).Mensagens ?? []
}

async function* never(): AsyncGenerator<never> {}

function textOf(pages: ReadPdf['pages']): string {
  return pages.map(page => page.text).join('\n')
}

function inOrder(text: string, words: readonly string[]): boolean {
  let at = 0
  return words.every(word => {
    const found = text.indexOf(word, at)
    at = found + word.length
    return found !== -1
  })
}

function idOf(name: string): string {
  return name.padEnd(24, '0')
}

async function put(name: string, bytes: Uint8Array): Promise<void> {
  const path = getMediaPath(dataDir, idOf(name))
  await mkdir(dirname(path), { recursive: true })
  await Bun.write(path, bytes)
}

/** Two squares of grey, as a bitmap. */
function aPicture(): Uint8Array {
  const bytes = Buffer.alloc(54 + 8 * 8 * 3, 0x80)
  bytes.write('BM', 0, 'latin1')
  for (const [at, value] of [
    [2, bytes.length],
    [6, 0],
    [10, 54],
    [14, 40],
    [18, 8],
    [22, 8],
    [30, 0],
    [34, 192],
    [38, 2835],
    [42, 2835],
    [46, 0],
    [50, 0],
  ] as const)
    bytes.writeUInt32LE(value, at)
  bytes.writeUInt16LE(1, 26)
  bytes.writeUInt16LE(24, 28)
  return bytes
}
