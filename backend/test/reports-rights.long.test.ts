// Who may have a report, what has no room in it, and one that ends early (decisions §4, decisions-2 §13).
import { describe, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Job, ReportFormat } from '@balcao/contract'
import { buildContactReport } from '../src/insight/reports/contact-report.ts'
import type { ReportReader } from '../src/insight/reports/content.ts'
import { loadReportContext } from '../src/insight/reports/context.ts'
import { buildConversationReport } from '../src/insight/reports/conversation-report.ts'
import { resolveReportPeriod } from '../src/insight/reports/request.ts'
import { buildTicketReport } from '../src/insight/reports/ticket-report.ts'
import type { ReportScope } from '../src/policy/access/report-scope.ts'
import { makeConnection, makeContact, makeMessage, makePerson, makeQueue, makeTicket } from './desk-world.ts'
import { readPdf } from './pdf-reader.ts'
import { readSheets } from './report-files.ts'
import { startReportsDesk } from './reports-desk.ts'
import { takeRounds } from './rounds.ts'
import { waitUntil } from './until.ts'

const {
  server,
  db,
  config,
  sql,
  ask,
  ended,
  made,
  fileOf,
  sheets,
  TODAY,
  PERIOD,
  queues,
  people,
  shop,
  marina,
  rafael,
  bruna,
} = await startReportsDesk()

const REPORTS = ['ticket', 'contact', 'queue', 'user', 'message'] as const

describe('decisions §4: who may', () => {
  test('an attendant gets nothing of it, not even how large it is', async () => {
    for (const report of REPORTS)
      for (const query of ['', '?preview=true']) {
        const { status, body } = await ask(report, { ...PERIOD, contactId: 1 }, bruna, query)
        expect([report, status, body.error]).toEqual([report, 403, 'ERR_NO_PERMISSION'])
      }
  })

  test('a manager gets the own queues alone: no others, none without a queue, no deleted ones', async () => {
    const other = await makeQueue(db, 'Diretoria')
    const contact = await makeContact(db, 'Ana')
    const own = await makeTicket(db, { contactId: contact, whatsappId: shop, status: 'closed', queueId: queues.sales })
    await makeTicket(db, { contactId: contact, whatsappId: shop, status: 'closed', queueId: other })
    await makeTicket(db, { contactId: contact, whatsappId: shop, status: 'closed' })
    const { Atendimentos: rows = [] } = await sheets('ticket', PERIOD, rafael)
    expect(rows.slice(1).map(([id]) => id)).toEqual([own])
    const { Contatos = [] } = await sheets('contact', PERIOD, rafael)
    expect(Contatos[1]?.[2]).toBe(1)
    const { Filas = [] } = await sheets('queue', PERIOD, rafael)
    expect(Filas.map(([name, n]) => [name, n])).toEqual([
      ['Fila', 'Atendimentos'],
      ['Financeiro', 0],
      ['Vendas', 1],
      ['Total', 1],
    ])
    expect((await ask('ticket', { ...PERIOD, queueId: other }, rafael)).body.error).toBe('ERR_NO_PERMISSION')
    await sql`delete from ticket where queue_id = ${other}`
    await sql`delete from queue where id = ${other}`
    expect((await ask('ticket', { ...PERIOD, queueId: other }, rafael)).body.error).toBe('ERR_NO_PERMISSION')
  })

  test('its job says its period and format, and is with its link of who asked alone', async () => {
    const job = await made('ticket', { ...PERIOD, format: 'xlsx' }, rafael)
    expect(job.result?.url).toBeString()
    expect(job.about).toEqual({ from: PERIOD.startDate, to: PERIOD.endDate, format: 'xlsx' })
    for (const person of [marina, bruna])
      for (const method of ['GET', 'DELETE']) expect((await person.call(method, `/jobs/${job.id}`)).status).toBe(404)
    // Without its signature the file is nobody's.
    const path = job.result?.url?.split('?')[0] ?? ''
    for (const person of [marina, rafael, bruna]) expect((await person.call('GET', path)).status).toBe(404)
  })

  test('a PDF of ours is shown by the browser’s own reader and by no page; sheets and what people sent have no rights', async () => {
    const headersOf = async (url: string) => {
      const { status, headers } = await fetch(`${server.url}${url}`)
      const names = ['content-type', 'x-frame-options', 'x-content-type-options', 'content-security-policy']
      const [disposition = ''] = (headers.get('content-disposition') ?? '').split(';')
      return [status, disposition, ...names.map(name => headers.get(name))]
    }
    const [pdf, xlsx] = await Promise.all(
      (['pdf', 'xlsx'] as const).map(format => made('queue', { ...PERIOD, format }, marina)),
    )
    expect(await headersOf(pdf?.result?.url ?? '')).toEqual([
      ...[200, 'inline', 'application/pdf', 'DENY', 'nosniff', "frame-ancestors 'none'"],
    ])
    const sealed = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    expect((await headersOf(xlsx?.result?.url ?? '')).slice(0, 2)).toEqual([200, 'attachment'])
    expect((await headersOf(xlsx?.result?.url ?? '')).at(-1)).toBe(sealed)
    // The same bytes, sent by somebody.
    const sent = await marina.call<{ uploadId: string }>(
      'PUT',
      '/uploads?name=a.pdf',
      Uint8Array.from(await fileOf(pdf as Job)),
    )
    expect(sent.status).toBe(201)
    const { headers } = await marina.call('GET', `/media/${sent.body.uploadId}`)
    expect(headers.get('content-security-policy')).toBe(sealed)
    await sql`delete from media where id = ${sent.body.uploadId}`
  })

  test.each([
    ['a queue', () => sql`delete from user_queue where user_id = ${people.rafael} and queue_id = ${queues.finance}`],
    ['the profile', () => sql`update "user" set profile = 'user' where id = ${people.rafael}`],
    ['sight of the superiors', () => sql`insert into setting (key, value) values ('hierarchy', 'enabled')`],
    [
      'sight of what has no queue',
      () => sql`insert into setting (key, value) values ('onlyAdminSeeEmptyQueue', 'enabled')`,
    ],
  ])(
    'who loses %s gets no link any more, the given one ends, and so does the report that is being made',
    async (_, lose) => {
      const before = await made('ticket', { ...PERIOD, format: 'xlsx' }, rafael)
      expect(before.result?.url).toBeString()
      const during = await whileReading(async () => {
        const { body } = await ask('ticket', { ...PERIOD, format: 'xlsx' }, rafael)
        await waitUntil('it is read', () => waitsForTickets())
        await lose()
        return body.jobId ?? 0
      })
      expect(await ended(during, rafael)).toMatchObject({ state: 'failed', error: 'ERR_NO_PERMISSION', result: null })
      expect((await rafael.call<Job>('GET', `/jobs/${before.id}`)).body.result?.url).toBeNull()
      // Nor is the link good that was given before.
      expect((await fetch(`${server.url}${before.result?.url}`)).status).toBe(404)
      await nothingLeft(1)
    },
  )

  test('who is deactivated meanwhile gets nothing: the report ends, no call is answered, and no file is left', async () => {
    const id = await whileReading(async () => {
      const { body } = await ask('ticket', { ...PERIOD, format: 'pdf' }, rafael)
      await waitUntil('it is read', () => waitsForTickets())
      await sql`update "user" set active = false where id = ${people.rafael}`
      return body.jobId ?? 0
    })
    const job = async () =>
      (
        await sql<
          { state: string; error: string | null; media_id: string | null }[]
        >`select state, error, media_id from job where id = ${id}`
      )[0]
    await waitUntil('it has ended', async () => (await job())?.state === 'failed')
    expect(await job()).toEqual({ state: 'failed', error: 'ERR_NO_PERMISSION', media_id: null })
    expect((await rafael.call('GET', `/jobs/${id}`)).status).toBeGreaterThanOrEqual(400)
    await nothingLeft(0)
  })

  test('a manager who became an administrator keeps what he had', async () => {
    const job = await made('ticket', { ...PERIOD, format: 'xlsx' }, rafael)
    await sql`update "user" set profile = 'admin' where id = ${people.rafael}`
    expect((await rafael.call<Job>('GET', `/jobs/${job.id}`)).body.result?.url).toBeString()
  })
})

describe('what people press and what they are called', () => {
  test('the same report asked for twice at once is made once; another one is another one', async () => {
    const ids = await whileReading(async () => {
      const query = { ...PERIOD, format: 'xlsx' }
      const answers = await Promise.all([1, 2, 3].map(() => ask('ticket', query, marina)))
      const other = await ask('ticket', { ...query, status: 'closed' }, marina)
      const theirs = await ask('ticket', query, rafael)
      return [...answers, other, theirs].map(({ body }) => body.jobId)
    })
    expect(ids.map(id => ids.indexOf(id))).toEqual([0, 0, 0, 3, 4])
    for (const id of [ids[0], ids[3]]) expect((await ended(id ?? 0, marina)).state).toBe('done')
    expect((await ended(ids[4] ?? 0, rafael)).state).toBe('done')
    expect(await sql`select 1 from log_entry where action = 'report.ticket'`).toHaveLength(3)
    // What is ready is not given instead of a new one.
    const again = await made('ticket', { ...PERIOD, format: 'xlsx' }, marina)
    expect(ids).not.toContain(again.id)
  })

  test('names that look like formulas are texts in every sheet, and letters in every PDF', async () => {
    const names = ['=HYPERLINK("http://x.example";"Clique")', '+1+cmd|calc', '-2+3', '@SUM(1;2)', '\t=1+1']
    const [queueName = '', personName = '', shopName = '', contactName = ''] = names
    const queue = await makeQueue(db, queueName)
    const userId = await makePerson(db, { name: personName, profile: 'user', queueIds: [queue] })
    const whatsappId = await makeConnection(db, shopName)
    const contactId = await makeContact(db, contactName)
    const ticket = await makeTicket(db, { contactId, whatsappId, status: 'closed', queueId: queue, userId })
    for (const name of names) await makeMessage(db, ticket, name)
    for (const report of takeRounds(REPORTS, 2)) {
      const read = await sheets(
        report,
        { ...PERIOD, contactId, ...(report !== 'message' && { queueId: queue, userId }) },
        marina,
      )
      const cells = Object.values(read).flat(2)
      expect(cells.filter(cell => typeof cell === 'string' && /^[=+@\t\r-]/.test(cell))).toEqual([])
      const shown = report === 'user' ? personName : report === 'queue' ? queueName : contactName
      expect(cells).toContain(`'${shown}`)
      const job = await made(report, { ...PERIOD, contactId, format: 'pdf' }, marina)
      const text = (await readPdf(await fileOf(job))).pages.map(page => page.text).join('\n')
      expect(text.replace(/\s+/g, '')).toContain(shown.replace(/\s+/g, ''))
    }
    await sql`delete from message`
    await sql`delete from ticket`
    await sql`delete from user_queue where queue_id = ${queue}`
    await sql`delete from queue where id = ${queue}`
    await sql`update "user" set active = false, deleted_at = now() where id = ${userId}`
  })
})

describe('what a table has no room for', () => {
  test.each([
    ['ticket', buildTicketReport, 'Atendimentos', 'A tabela mostra 3 de 5. Os totais contam tudo.'],
    ['contact', buildContactReport, 'Contatos', 'A tabela mostra 3 de 5. Os totais contam tudo.'],
    [
      'message',
      buildConversationReport,
      'Mensagens',
      'Até aqui, 3 de 5 mensagens. Peça um período menor para ver as outras.',
    ],
  ] as const)('is said in the sheet of %s, and totals are of everything', async (report, make, table, title) => {
    const ids: number[] = []
    for (let n = 0; n < 5; n++) {
      const contactId = n > 0 && report === 'message' ? (ids[0] ?? 0) : await makeContact(db, `Cliente ${n}`)
      ids.push(contactId)
      await makeMessage(db, await makeTicket(db, { contactId, whatsappId: shop, status: 'closed' }), `mensagem ${n}`)
    }
    const read: ReportReader = {
      ...{ db, dataDir: config.dataDir, limits: {}, step: async () => {} },
      filterPages: pages =>
        (async function* () {
          yield* pages
        })(),
    }
    const context = async (format: ReportFormat) => {
      const filters = { queueId: null, userId: null, contactId: report === 'message' ? (ids[0] ?? 0) : null }
      const scope: ReportScope = { profile: 'admin', queueIds: [], hierarchy: false, onlyAdminSeeEmptyQueue: false }
      const query = {
        ...PERIOD,
        ...filters,
        status: '',
        language: 'pt',
        format,
        scope,
        viewerId: people.bruna,
      } as const
      const more = { timezone: 'America/Sao_Paulo', company: 'Loja', now: new Date() }
      return loadReportContext(db, report, { ...query, period: resolveReportPeriod(query, more.timezone) }, more)
    }
    const written = async (format: ReportFormat) => {
      const content = await make(await context(format), read, 3)
      expect(content.rows).toBe(5)
      const bytes = Buffer.concat(await Array.fromAsync(content.file.bytes))
      await content.remove()
      return bytes
    }
    const { [table]: rows = [], Resumo: sums = [] } = readSheets(await written('xlsx'))
    const filled = rows.slice(1).filter(row => row[2] != null)
    expect(filled).toHaveLength(3)
    expect([...rows, ...sums].filter(([first]) => first === title)).toHaveLength(1)
    if (report === 'message') return
    expect(sums.find(([label]) => label === (report === 'ticket' ? 'Total' : 'Atendimentos'))?.[1]).toBe(5)
    const { pages } = await readPdf(await written('pdf'))
    expect(pages.map(page => page.text).join('\n')).toContain(title)
  })
})

describe('decisions-2 §13: a report that ends early', () => {
  test('cancelled while it is read leaves no file', async () => {
    const id = await whileReading(async () => {
      const { body } = await ask('ticket', { ...PERIOD, format: 'pdf' }, marina)
      await waitUntil('it is read', () => waitsForTickets())
      expect((await marina.call<Job>('DELETE', `/jobs/${body.jobId}`)).body.state).toBe('cancelled')
      return body.jobId ?? 0
    })
    await waitUntil(
      'nobody works on it',
      async () => (await sql`select 1 from graphile_worker.jobs where key = ${`job:${id}`}`).length === 0,
    )
    expect((await marina.call<Job>('GET', `/jobs/${id}`)).body).toMatchObject({ state: 'cancelled', result: null })
    await nothingLeft(0)
  })
})

describe('spec 3 §7: the conversations of a contact', () => {
  test('are those its asker may see, as sheet and as PDF, counted before', async () => {
    const other = await makeQueue(db, 'Jurídico')
    const contact = await makeContact(db, 'Dona Lúcia')
    const own = await makeTicket(db, { contactId: contact, whatsappId: shop, status: 'closed', queueId: queues.sales })
    const theirs = await makeTicket(db, { contactId: contact, whatsappId: shop, status: 'closed', queueId: other })
    for (const [ticket, text] of [
      [own, 'Bom dia, tem pão?'],
      [own, '=SOMA(A1)'],
      [theirs, 'segredo do jurídico'],
    ] as const)
      await makeMessage(db, ticket, text)
    const body = { ...PERIOD, contactId: contact }
    for (const [person, messages] of [
      [marina, 3],
      [rafael, 2],
    ] as const) {
      expect((await ask('message', body, person, '?preview=true')).body).toEqual({ rows: messages, pages: 1 })
      const { Mensagens: rows = [] } = await sheets('message', body, person)
      expect(rows.length).toBe(messages + 1)
      expect(JSON.stringify(rows)).toContain("'=SOMA(A1)")
      expect(JSON.stringify(rows).includes('segredo')).toBe(messages === 3)
      const job = await made('message', { ...body, format: 'pdf' }, person)
      expect(job).toMatchObject({ state: 'done', done: messages, total: messages })
      expect(job.result?.name).toBe(`conversas-2026-01-01-${TODAY}.pdf`)
      const text = (await readPdf(await fileOf(job))).pages.map(page => page.text).join('\n')
      expect(text).toContain('Bom dia, tem pão?')
      expect(text.includes('segredo')).toBe(messages === 3)
    }
    await sql`delete from message`
    await sql`delete from ticket where queue_id = ${other}`
    await sql`delete from queue where id = ${other}`
    expect((await made('message', { ...body, format: 'pdf' }, marina)).result?.counts).toMatchObject({
      rows: 0,
      pages: 1,
    })
  })
})

/** Holds the tickets, so that a report that is being made waits before its first row. */
async function whileReading<T>(work: () => Promise<T>): Promise<T> {
  const found = Promise.withResolvers<T>()
  await sql.begin(async tx => {
    await tx`lock table ticket in access exclusive mode`
    found.resolve(await work())
  })
  return found.promise
}

async function waitsForTickets(): Promise<boolean> {
  const rows =
    await sql`select 1 from pg_locks where relation = 'ticket'::regclass and not granted and database = (select oid from pg_database where datname = current_database())`
  return rows.length > 0
}

/** Neither half a file nor an upload of nobody's: only the files of finished reports. */
async function nothingLeft(files: number): Promise<void> {
  await waitUntil(
    'nothing is left',
    async () => (await readdir(join(config.dataDir, 'media', 'incoming')).catch(() => [])).length === 0,
  )
  expect(await sql`select owner from media where owner = 'upload'`).toHaveLength(0)
  expect(await sql`select m.id from media m join job j on j.media_id = m.id`).toHaveLength(files)
}
