// Reports: what stands in them, and how a job makes them (spec 3 §7, decisions-2 §13, §23).
import { describe, expect, test } from 'bun:test'
import { refreshCalendar } from '../src/insight/figures/calendar.ts'
import { makeContact, makePerson, makeQueue, makeTicket } from './desk-world.ts'
import { readPdf } from './pdf-reader.ts'
import { startReportsDesk } from './reports-desk.ts'
import { takeRounds } from './rounds.ts'

const { db, sql, ask, made, fileOf, sheets, TODAY, PERIOD, queues, people, shop, marina } = await startReportsDesk()

const SUMMED = ['ticket', 'contact', 'queue', 'user'] as const

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
