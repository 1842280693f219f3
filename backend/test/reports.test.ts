// Reports (spec 3 §2, §5, §7; decisions §4; decisions-2 §13, §23): the calls, who may, and what lies behind their links.
import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Job, ReportFormat } from '@balcao/contract'
import { refreshCalendar } from '../src/insight/figures/calendar.ts'
import { buildContactReport } from '../src/insight/reports/contact-report.ts'
import type { ReportReader } from '../src/insight/reports/content.ts'
import { loadReportContext } from '../src/insight/reports/context.ts'
import { buildConversationReport } from '../src/insight/reports/conversation-report.ts'
import { resolveReportPeriod } from '../src/insight/reports/request.ts'
import { buildTicketReport } from '../src/insight/reports/ticket-report.ts'
import type { ReportScope } from '../src/policy/access/report-scope.ts'
import { clearSettingsCache } from '../src/policy/settings/read.ts'
import { type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makeMessage, makePerson, makeQueue, makeTicket } from './desk-world.ts'
import { readPdf } from './pdf-reader.ts'
import { createReportClient, readSheets } from './report-files.ts'
import { takeRounds } from './rounds.ts'
import { waitUntil } from './until.ts'

const server = await startDeskServer()
const { db, config } = server
const sql = db.$client
const { ask, ended, made, fileOf, sheets } = createReportClient(server)
let queues: Record<'sales' | 'finance', number>
let people: Record<'bruna' | 'rafael', number>
let marina: SignedInPerson
let rafael: SignedInPerson
let bruna: SignedInPerson
let shop = 0

const TODAY = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format(new Date())
const PERIOD = { startDate: '2026-01-01', endDate: TODAY }
const REPORTS = ['ticket', 'contact', 'queue', 'user', 'message'] as const
const SUMMED = ['ticket', 'contact', 'queue', 'user'] as const

beforeAll(async () => {
  queues = { sales: await makeQueue(db, 'Vendas'), finance: await makeQueue(db, 'Financeiro') }
  await makePerson(db, { name: 'Marina', profile: 'admin' })
  people = {
    rafael: await makePerson(db, { name: 'Rafael', profile: 'gerente', queueIds: [queues.sales, queues.finance] }),
    bruna: await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [queues.sales, queues.finance] }),
  }
  shop = await makeConnection(db, 'Loja Centro')
  await refreshCalendar(db, new Date())
  marina = await server.as('Marina')
  rafael = await server.as('Rafael')
  bruna = await server.as('Bruna')
})

beforeEach(async () => {
  for (const table of ['rating', 'message', 'protocol', 'ticket', 'contact', 'job', 'log_entry'])
    await sql`delete from ${sql(table)}`
  await sql`update "user" set profile = 'gerente', active = true where id = ${people.rafael}`
  await sql`delete from user_queue where user_id = ${people.rafael}`
  await sql`insert into user_queue (user_id, queue_id) select ${people.rafael}, unnest(${[queues.sales, queues.finance]}::int[])`
  await sql`delete from setting where key in ('hierarchy', 'onlyAdminSeeEmptyQueue')`
  clearSettingsCache(db)
})

describe('spec 3 §7: the report of tickets', () => {
  test('holds every ticket with its columns, the newest first, and its totals', async () => {
    const [first, second] = [await makeContact(db, 'Padaria Estrela'), await makeContact(db, '=SOMA(A1)')]
    await sql`update contact set number = '5531983172147' where id = ${first}`
    const one = await makeTicket(db, { contactId: first, whatsappId: shop, status: 'pending', queueId: queues.sales })
    const two = await makeTicket(db, { contactId: second, whatsappId: shop, status: 'closed', userId: people.bruna })
    await sql`insert into protocol (protocolo, ticket_id, contact_id) values ('20261124-0419', ${one}, ${first})`
    await sql`insert into rating (ticket_id, contact_id, whatsapp_id, rate) values (${two}, ${second}, ${shop}, 4)`
    const { Atendimentos: rows = [], Resumo: sums = [] } = await sheets('ticket', PERIOD, marina)
    expect(rows[0]).toEqual([
      ...['Nº', 'Protocolo', 'Contato', 'Número', 'Fila', 'Pessoa', 'Conexão', 'Situação'],
      ...['Aberto', 'Aceito', 'Encerrado', 'Espera', 'Duração', 'Nota'],
    ])
    // What looks like a formula is a text.
    expect(rows.slice(1).map(row => row.slice(0, 8))).toEqual([
      [two, null, "'=SOMA(A1)", null, 'Sem fila', 'Bruna', 'Loja Centro', 'Encerrado'],
      [
        one,
        '20261124-0419',
        'Padaria Estrela',
        '5531983172147',
        'Vendas',
        'Sem atendente',
        'Loja Centro',
        'Aguardando',
      ],
    ])
    expect(rows[1]?.[13]).toBe(4)
    const totals = new Map(sums.map(([label, value]) => [label, value]))
    expect([totals.get('Total'), totals.get('Vendas'), totals.get('Sem fila'), totals.get('Bruna')]).toEqual([
      2, 1, 1, 1,
    ])
    const period = `01/01/2026 a ${TODAY.split('-').reverse().join('/')}`
    expect([totals.get('Período'), totals.get('Nota média')]).toEqual([period, 4])
    expect(sums.some(([line]) => line === 'por Marina')).toBe(true)
  })

  test('of more than a page has every ticket once, though some are opened and closed meanwhile', async () => {
    const contact = await makeContact(db, 'Padaria')
    await sql`
      insert into ticket (status, contact_id, whatsapp_id, created_at, closed_at)
      select 'closed', ${contact}, ${shop}, '2026-03-01T12:00:00Z'::timestamptz + (n / 3) * interval '1 second', now() from generate_series(1, 2500) n`
    const { Atendimentos: rows = [] } = await sheets('ticket', PERIOD, marina)
    const ids = rows.slice(1).map(([id]) => Number(id))
    expect([ids.length, new Set(ids).size]).toEqual([2500, 2500])
  })
})

describe('decisions-2 §13, §23: a report is a job', () => {
  test.each(takeRounds(SUMMED, 2))('%s: as PDF and as sheet, with its name, size and pages', async report => {
    await makeTicket(db, {
      contactId: await makeContact(db, 'Ana'),
      whatsappId: shop,
      status: 'closed',
      queueId: queues.sales,
    })
    for (const format of ['pdf', 'xlsx'] as const) {
      const job = await made(report, { ...PERIOD, format }, marina)
      expect(job).toMatchObject({ kind: `report.${report}`, state: 'done', error: null })
      const bytes = await fileOf(job)
      expect(job.result?.counts.bytes).toBe(bytes.length)
      expect(job.result?.name).toMatch(new RegExp(`^[a-z]+-2026-01-01-${TODAY}\\.${format}$`))
      expect(Buffer.from(bytes.slice(0, 4)).toString()).toBe(format === 'pdf' ? '%PDF' : 'PK\x03\x04')
      expect(job.result?.counts.pages).toBe(format === 'pdf' ? 1 : undefined)
    }
    const logged = await sql<{ action: string }[]>`select action from log_entry where user_id is not null`
    expect(logged.map(({ action }) => action)).toEqual([`report.${report}`, `report.${report}`])
  })

  test('the PDF says what the sheet says: its filters, every row, the totals, in reading order', async () => {
    const contacts = [await makeContact(db, 'Padaria Estrela'), await makeContact(db, 'Açougue 🥩 São João')]
    for (let n = 0; n < 60; n++)
      await makeTicket(db, {
        ...{ contactId: contacts[n % 2] ?? 0, whatsappId: shop, status: 'closed' },
        ...{ queueId: queues.sales, userId: people.bruna },
      })
    const query = { ...PERIOD, queueId: queues.sales, status: 'closed' }
    const { Atendimentos: rows = [] } = await sheets('ticket', query, marina)
    const job = await made('ticket', { ...query, format: 'pdf' }, marina)
    const { title, pages } = await readPdf(await fileOf(job))
    expect([title, job.result?.counts.pages]).toEqual(['Relatório de atendimentos', pages.length])
    const texts = pages.flatMap(page => page.texts.map(text => text.trim()))
    const ids = rows.slice(1).map(([id]) => String(id))
    // Every number stands once in the column of numbers, in the order of the sheet.
    expect(texts.filter(text => ids.includes(text)).join()).toContain(ids.join())
    for (const word of ['Vendas', 'Encerrado', 'Bruna', 'por Marina', `Página 1 de ${pages.length}`])
      expect(pages[0]?.text).toContain(word)
    expect(pages[0]?.text).toContain('Açougue')
    expect(pages.at(-1)?.text).toContain('Atendimentos abertos no período')
  })

  test('the head of the PDF adds up, with paused tickets and those with the bot too, and a protocol number stands in one line', async () => {
    const statuses = ['open', 'paused', 'paused', 'bot', 'closed', 'closed', 'closed'] as const
    for (const [n, status] of statuses.entries()) {
      const contactId = await makeContact(db, `Padaria ${n}`)
      await makeTicket(db, { contactId, whatsappId: shop, status, queueId: queues.sales })
    }
    const protocolo = '202611241234567'
    await sql`insert into protocol (protocolo, ticket_id, contact_id) select ${protocolo}, id, contact_id from ticket limit 1`
    const { pages } = await readPdf(await fileOf(await made('ticket', { ...PERIOD, format: 'pdf' }, marina)))
    const texts = (pages[0]?.texts ?? []).map(text => text.trim()).filter(text => text !== '')
    const figures = texts.slice(0, texts.indexOf('TME · espera média') + 1).join(' ')
    for (const figure of [
      '7 Atendimentos',
      '3 Encerrado',
      '1 Em atendimento',
      '0 Aguardando',
      '2 Pausado',
      '1 Com o robô',
    ])
      expect(figures).toContain(figure)
    expect(figures).not.toContain('Na pesquisa')
    expect(texts).toContain(protocolo)
  })

  test('made while times are counted anew it says so, as PDF and as sheet', async () => {
    const says = async () => {
      const { pages } = await readPdf(await fileOf(await made('queue', { ...PERIOD, format: 'pdf' }, marina)))
      const { Resumo: sums = [] } = await sheets('queue', PERIOD, marina)
      const words = 'Os tempos ainda são do horário anterior'
      return [pages[0]?.text.includes(words), sums.some(([line]) => line === words)]
    }
    expect(await says()).toEqual([false, false])
    await sql`update figure_calendar set counted_to = 0`
    expect(await says()).toEqual([true, true])
    await refreshCalendar(db, new Date())
    expect(await says()).toEqual([false, false])
  })

  test('speaks the language of who asked', async () => {
    for (const [language, name, head] of [
      ['pt', 'Filas', 'Fila'],
      ['en', 'Queues', 'Queue'],
      ['es', 'Filas', 'Fila'],
    ] as const) {
      const read = await sheets('queue', { ...PERIOD, language }, marina)
      expect(read[name]?.[0]?.[0]).toBe(head)
    }
  })

  test('of nothing at all is an honest empty one, also of the future and of a hundred years', async () => {
    const periods = [
      PERIOD,
      { startDate: '2126-01-01', endDate: '2226-01-01' },
      { startDate: '1926-01-01', endDate: '2026-01-01' },
    ]
    for (const period of takeRounds(periods, 2))
      for (const report of takeRounds(SUMMED, 2)) {
        const read = await sheets(report, period, marina)
        expect(JSON.stringify(read)).not.toMatch(/NaN|Infinity|undefined/)
        expect((await made(report, { ...period, format: 'pdf' }, marina)).state).toBe('done')
      }
    const { Atendimentos: rows = [], Resumo: sums = [] } = await sheets('ticket', PERIOD, marina)
    expect(rows.length).toBe(1)
    const totals = new Map(sums.map(([label, value]) => [label, value]))
    expect([totals.get('Total'), totals.get('TME · espera média'), totals.get('Nota média')]).toEqual([0, null, null])
  })

  test('says before how large it would be, and begins nothing', async () => {
    const contact = await makeContact(db, 'Ana')
    for (let n = 0; n < 3; n++)
      await makeTicket(db, { contactId: contact, whatsappId: shop, status: 'closed', queueId: queues.sales })
    const preview = async (report: string) => (await ask(report, PERIOD, marina, '?preview=true')).body
    expect(await preview('ticket')).toEqual({ rows: 3, pages: 1 })
    expect(await preview('contact')).toEqual({ rows: 1, pages: 1 })
    expect(await preview('queue')).toEqual({ rows: 2, pages: 1 })
    expect((await ask('ticket', { ...PERIOD, status: 'open' }, marina, '?preview=true')).body.rows).toBe(0)
    expect(await sql`select 1 from job`).toHaveLength(0)
    expect(await sql`select 1 from log_entry`).toHaveLength(0)
  })
})

describe('spec 3 §5, decisions-2 §23: what is asked', () => {
  test('both dates are required, in their order; the conversations need a contact', async () => {
    const wrong = async (report: string, body: object) => {
      const { status, body: said } = await ask(report, body, marina)
      expect([status, said.error]).toEqual([422, 'ERR_VALIDATION'])
      return said.details?.map(({ path, message }) => `${path}: ${message}`)
    }
    for (const report of SUMMED) {
      expect(await wrong(report, {})).toEqual([
        'startDate: Preencha os campos de data',
        'endDate: Preencha os campos de data',
      ])
      expect(await wrong(report, { startDate: '2026-02-02', endDate: '' })).toEqual([
        'endDate: Preencha os campos de data',
      ])
      expect(await wrong(report, { startDate: '2026-02-02', endDate: '2026-02-01' })).toEqual([
        'endDate: A data final vem antes da inicial',
      ])
      expect(await wrong(report, { startDate: '2026-02-31', endDate: '2026-03-01' })).toEqual([
        'startDate: Data inválida',
      ])
      expect((await wrong(report, { ...PERIOD, status: 'bot' }))?.length).toBe(1)
    }
    expect(await wrong('message', PERIOD)).toEqual(['contactId: Preencha o campo de contato'])
    // A client of before sends blanks for what is not chosen, and instants for days.
    const blank = {
      startDate: '2026-02-01T03:00:00.000Z',
      endDate: `${TODAY}T02:59:59.999Z`,
      queueId: '',
      userId: '',
      contactId: '',
      status: '',
    }
    expect((await made('ticket', { ...blank, format: 'xlsx' }, marina)).state).toBe('done')
  })

  test('of what was never there is refused by name', async () => {
    const refused = async (body: object) => (await ask('ticket', { ...PERIOD, ...body }, marina)).body.error
    expect(await refused({ queueId: 999_999 })).toBe('ERR_NO_QUEUE_FOUND')
    expect(await refused({ userId: 999_999 })).toBe('ERR_NO_USER_FOUND')
    expect(await refused({ userId: 1 })).toBe('ERR_NO_USER_FOUND')
    expect(await refused({ contactId: 999_999 })).toBe('ERR_NO_CONTACT_FOUND')
  })

  test('queues and people that are gone may be asked for and keep their names', async () => {
    const gone = await makeQueue(db, 'Extinta')
    const left = await makePerson(db, { name: 'Otavio', profile: 'user' })
    await makeTicket(db, {
      contactId: await makeContact(db, 'Ana'),
      whatsappId: shop,
      status: 'closed',
      queueId: gone,
      userId: left,
    })
    await sql`delete from queue where id = ${gone}`
    await sql`update "user" set active = false, deleted_at = now() where id = ${left}`
    const { Atendimentos: rows = [], Resumo: sums = [] } = await sheets(
      'ticket',
      { ...PERIOD, queueId: gone, userId: left },
      marina,
    )
    expect(rows[1]?.slice(4, 6)).toEqual(['Extinta', 'Otavio'])
    expect(sums.find(([label]) => label === 'Fila')?.[1]).toBe('Extinta')
    const { Filas = [] } = await sheets('queue', PERIOD, marina)
    expect(Filas.map(([name]) => name)).toEqual(['Fila', 'Extinta', 'Financeiro', 'Vendas', 'Total'])
    const { Pessoas = [] } = await sheets('user', PERIOD, marina)
    expect(Pessoas.some(([name, n]) => name === 'Otavio' && n === 1)).toBe(true)
  })

  test('a contact that was merged is who it turned out to be', async () => {
    const [one, other] = [await makeContact(db, 'Ana'), await makeContact(db, 'Ana Prado')]
    await makeTicket(db, { contactId: one, whatsappId: shop, status: 'closed' })
    await sql`update contact set merged_into = ${one} where id = ${other}`
    const { Atendimentos: rows = [] } = await sheets('ticket', { ...PERIOD, contactId: other }, marina)
    expect(rows.length).toBe(2)
  })
})

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
        await waitUntil('it is read', () => waitsForTickets(), 10_000)
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
      await waitUntil('it is read', () => waitsForTickets(), 10_000)
      await sql`update "user" set active = false where id = ${people.rafael}`
      return body.jobId ?? 0
    })
    const job = async () =>
      (
        await sql<
          { state: string; error: string | null; media_id: string | null }[]
        >`select state, error, media_id from job where id = ${id}`
      )[0]
    await waitUntil('it has ended', async () => (await job())?.state === 'failed', 30_000)
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
      await waitUntil('it is read', () => waitsForTickets(), 10_000)
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
