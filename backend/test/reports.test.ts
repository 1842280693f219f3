// Reports (spec 3 §2, §5, §7; decisions §4; decisions-2 §13, §23): the calls, who may, and what lies behind their links.
import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Job } from '@balcao/contract'
import { keepCalendar } from '../src/figures/calendar.ts'
import { type Answer, deskServer, type Person } from './desk-server.ts'
import { aConnection, aContact, aPerson, aQueue, aTicket } from './desk-world.ts'
import { type ReadSheet, sheetsIn } from './report-files.ts'
import { until } from './until.ts'

const server = await deskServer()
const { db, url } = server
const sql = db.$client
let queues: Record<'sales' | 'finance', number>
let people: Record<'marina' | 'rafael' | 'bruna', number>
let marina: Person
let _rafael: Person
let _bruna: Person
let shop = 0

/** Days that hold everything these tests make. */
const TODAY = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format(new Date())
const PERIOD = { startDate: '2026-01-01', endDate: TODAY }

beforeAll(async () => {
  queues = { sales: await aQueue(db, 'Vendas'), finance: await aQueue(db, 'Financeiro') }
  people = {
    marina: await aPerson(db, { name: 'Marina', profile: 'admin' }),
    rafael: await aPerson(db, { name: 'Rafael', profile: 'gerente', queueIds: [queues.sales] }),
    bruna: await aPerson(db, { name: 'Bruna', profile: 'user', queueIds: [queues.sales, queues.finance] }),
  }
  shop = await aConnection(db, 'Loja Centro')
  await keepCalendar(db, new Date())
  marina = await server.as('Marina')
  _rafael = await server.as('Rafael')
  _bruna = await server.as('Bruna')
})

beforeEach(async () => {
  await sql`delete from rating`
  await sql`delete from message`
  await sql`delete from ticket`
  await sql`delete from contact`
  await sql`delete from job`
  await sql`delete from setting where key <> 'timezone'`
})

describe('spec 3 §7: the report of tickets', () => {
  test('holds every ticket with its columns, the newest first, and its totals', async () => {
    const [first, second] = [await aContact(db, 'Padaria Estrela'), await aContact(db, '=SOMA(A1)')]
    await sql`update contact set number = '5531983172147' where id = ${first}`
    const one = await aTicket(db, { contactId: first, whatsappId: shop, status: 'pending', queueId: queues.sales })
    const two = await aTicket(db, { contactId: second, whatsappId: shop, status: 'closed', userId: people.bruna })
    await sql`insert into protocol (protocolo, ticket_id, contact_id) values ('20261124-0419', ${one}, ${first})`
    await sql`insert into rating (ticket_id, contact_id, whatsapp_id, rate) values (${two}, ${second}, ${shop}, 4)`
    const { Atendimentos: rows = [], Resumo: sums = [] } = await sheets('ticket')
    expect(rows[0]).toEqual([
      ...['Nº', 'Protocolo', 'Contato', 'Número', 'Fila', 'Pessoa', 'Conexão', 'Situação'],
      ...['Aberto', 'Aceito', 'Encerrado', 'Espera', 'Duração', 'Nota'],
    ])
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
    const said = new Map(sums.map(([label, value]) => [label, value]))
    expect([said.get('Total'), said.get('Vendas'), said.get('Sem fila'), said.get('Bruna')]).toEqual([2, 1, 1, 1])
    expect([said.get('Período'), said.get('Nota média')]).toEqual([
      `01/01/2026 a ${TODAY.split('-').reverse().join('/')}`,
      4,
    ])
  })
})

async function sheets(report: string, more: object = {}, person = marina): Promise<ReadSheet> {
  const job = await made(report, { format: 'xlsx', ...more }, person)
  expect([job.state, job.error]).toEqual(['done', null])
  return sheetsIn(await fileOf(job, person))
}

/** Asks for one and waits for its end. */
async function made(report: string, more: object = {}, person = marina): Promise<Job> {
  const { status, body } = await ask(report, more, person)
  expect([status, body.error]).toEqual([202, undefined])
  return ended(body.jobId ?? 0, person)
}

function ask(
  report: string,
  more: object,
  person: Person,
): Promise<Answer<{ jobId?: number; error?: string; details?: { path: string }[] }>> {
  return person.call('POST', `/report/${report}`, { ...PERIOD, ...more })
}

async function ended(id: number, person: Person): Promise<Job> {
  const job = async () => (await person.call<Job>('GET', `/jobs/${id}`)).body
  await until('the report has ended', async () => (await job()).endedAt !== null, 30_000)
  return job()
}

async function fileOf(job: Job, person: Person): Promise<Uint8Array> {
  const { result } = (await person.call<Job>('GET', `/jobs/${job.id}`)).body
  const answer = await fetch(`${url}${result?.url}`)
  expect(answer.status).toBe(200)
  return answer.bytes()
}
