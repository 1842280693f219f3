// Protocols (spec 3 §2, §5, §7; decisions-2 §22): who sees which, how they are found, what may be changed, and the plans behind their pages.
import { beforeAll, describe, expect, test } from 'bun:test'
import type { LogRow, Protocol, ResponseBody } from '@balcao/contract'
import { listProtocols } from '../src/desk/protocols/list.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeSession, makeTicket } from './desk-world.ts'
import { countRowsRead, createRecorder, PLAN_MODES } from './recorded-plans.ts'

type Page = ResponseBody<'GET /protocolos'>

const server = await startDeskServer()
const { db } = server
const sql = db.$client

const finance = await makeQueue(db, 'Financeiro')
const orders = await makeQueue(db, 'Entregas')
const whatsappId = await makeConnection(db, 'Loja Centro')
await makePerson(db, { name: 'Marina', profile: 'admin' })
const brunaId = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [finance] })
const otavioId = await makePerson(db, { name: 'Otávio', profile: 'gerente', queueIds: [orders] })
const [marina, bruna, otavio] = [await server.as('Marina'), await server.as('Bruna'), await server.as('Otávio')]
const lucia = await makeContact(db, 'Dona Lúcia')
await sql`update contact set number = '5531998762210' where id = ${lucia}`
await sql`insert into contact_identity (contact_id, kind, value) values (${lucia}, 'pn', '5531998762210')`
const zeca = await makeContact(db, 'Armazém do Zeca')
/** Of the team of Bruna, of the other team, and of the other team but given by Bruna. */
const own = await aProtocol({ contactId: lucia, queueId: finance, userId: brunaId, at: '20260302' })
const others = await aProtocol({ contactId: zeca, queueId: orders, userId: otavioId, at: '20260302' })
const protocol = await aProtocol({ contactId: zeca, queueId: orders, userId: brunaId, owner: otavioId, at: '20260303' })
await sql`update protocol set mensagem = 'Crédito de R$ 62' where id = ${protocol}`

interface Given {
  readonly contactId: number
  readonly queueId: number
  readonly userId: number
  readonly owner?: number
  readonly at: string
}

async function aProtocol({ contactId, queueId, userId, owner = userId, at }: Given): Promise<number> {
  const ticketId = await makeTicket(db, { contactId, whatsappId, status: 'closed', queueId, userId: owner })
  const [row] = await sql<{ id: number }[]>`
    with given as (select nextval(pg_get_serial_sequence('protocol', 'id'))::int as id)
    insert into protocol (id, protocolo, ticket_id, contact_id, user_id) overriding system value
    select id, ${at} || lpad(id::text, 6, '0'), ${ticketId}, ${contactId}, ${userId} from given returning id`
  return row?.id ?? 0
}

async function seen(person: SignedInPerson, query = ''): Promise<number[]> {
  const { status, body } = await person.call<Page>('GET', `/protocolos?${query}`)
  expect(status).toBe(200)
  expect(body.count).toBe(body.protocolos.length)
  return body.protocolos.map(({ id }) => id)
}

const found = (words: string, person = marina) => seen(person, `searchParam=${encodeURIComponent(words)}`)

describe('decisions-2 §22: rows by the ticket policy, and own ones', () => {
  test('administrators see all, newest first; everybody else those of their tickets and those they gave', async () => {
    expect(await seen(marina)).toEqual([protocol, others, own])
    expect(await seen(otavio)).toEqual([protocol, others])
    expect(await seen(bruna)).toEqual([protocol, own])
  })

  test('no search and no other way leads to a protocol of another team', async () => {
    expect(await found('Zeca', bruna)).toEqual([protocol])
    expect(await found('2026030', bruna)).toEqual([protocol, own])
    expect(await found(String(others).padStart(6, '0'), bruna)).toEqual([])
    expect((await bruna.call('GET', `/protocolos/${others}`)).status).toBe(403)
    expect((await bruna.call('PUT', `/protocolos/${others}`, { mensagem: 'Minha' })).status).toBe(403)
    expect((await marina.call<Protocol>('GET', `/protocolos/${others}`)).body).toMatchObject({
      mensagem: '',
      version: 1,
    })
  })
})

describe('spec 3 §2: protocols are looked up', () => {
  test('by the beginning of the number, its running number, the ticket, the details, name and number of the contact', async () => {
    expect(await found('20260302')).toEqual([others, own])
    expect(await found(`20260303${String(protocol).padStart(6, '0')}`)).toEqual([protocol])
    expect(await found(String(own).padStart(6, '0'))).toContain(own)
    const { body } = await marina.call<Protocol>('GET', `/protocolos/${own}`)
    expect(await found(`#${String(body.ticketId).padStart(3, '0')}`)).toContain(own)
    expect(await found('credito')).toEqual([protocol])
    expect(await found('lucia')).toEqual([own])
    expect(await found('99876-2210')).toEqual([own])
    expect(await found('62%')).toEqual([])
  })

  test('with contact, number, ticket and who gave it', async () => {
    expect((await bruna.call('GET', `/protocolos/${own}`)).body).toMatchObject({
      protocolo: `20260302${String(own).padStart(6, '0')}`,
      contact: { name: 'Dona Lúcia', number: '5531998762210' },
      user: { name: 'Bruna' },
    })
  })

  test('what is wrong is said by its field', async () => {
    for (const query of ['searchParam=ab', 'cursor=x', 'pageNumber=0'])
      expect([query, (await marina.call('GET', `/protocolos?${query}`)).status]).toEqual([query, 422])
    expect((await marina.call('GET', '/protocolos/999999')).body).toMatchObject({ error: 'ERR_NO_PROTOCOL_FOUND' })
  })

  test('in pages by key and by number: nothing twice, nothing left out', async () => {
    for (let n = 0; n < 42; n++)
      await aProtocol({ contactId: lucia, queueId: finance, userId: brunaId, at: '20260401' })
    const pages: number[][] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body }: { body: Page } = await bruna.call<Page>(
        'GET',
        `/protocolos?searchParam=20260401${cursor && `&cursor=${cursor}`}`,
      )
      expect(body.count).toBe(42)
      pages.push(body.protocolos.map(({ id }) => id))
      cursor = body.nextCursor
    }
    expect(pages.map(({ length }) => length)).toEqual([20, 20, 2])
    expect(pages.flat()).toEqual([...new Set(pages.flat())].sort((a, b) => b - a))
    const { body } = await bruna.call<Page>('GET', '/protocolos?searchParam=20260401&pageNumber=2')
    expect(body.protocolos.map(({ id }) => id)).toEqual(pages[1] ?? [])
    await sql`delete from protocol where protocolo like '20260401%'`
  })
})

describe('spec 3 §5: what a protocol was about', () => {
  const edited = (id: number, body: object, person = bruna) => person.call<Protocol>('PUT', `/protocolos/${id}`, body)

  test('has 2 to 50 characters; the number and everything else stay', async () => {
    for (const mensagem of ['', 'x', 'x'.repeat(51)])
      expect((await edited(own, { mensagem })).body).toMatchObject({
        error: 'ERR_VALIDATION',
        details: [{ path: 'mensagem' }],
      })
    const { body: before } = await bruna.call<Protocol>('GET', `/protocolos/${own}`)
    const { body: after } = await edited(own, { mensagem: ' Boleto sem juros ', protocolo: '1', contactId: 1 })
    expect(after).toEqual({ ...before, mensagem: 'Boleto sem juros', version: 2 })
  })

  test('a change that began from what somebody else has changed since is refused with the protocol as it is now', async () => {
    const { body: now } = await edited(own, { mensagem: 'Boleto' }, marina)
    const { status, body } = await edited(own, { mensagem: 'Pix', version: now.version - 1 })
    expect([status, body]).toMatchObject([409, { error: 'ERR_CHANGED_MEANWHILE', details: now }])
  })

  test('who sees the ticket and who gave it are told; the log names who, never the words', async () => {
    await sql`delete from live_event`
    await edited(protocol, { mensagem: 'Troca de 2 sacos' })
    const events = await sql<{ audience: { to: string }; payload: string }[]>`
      select audience, payload from live_event where payload like '%"protocolo"%' order by id`
    expect(events.map(({ audience, payload }) => [audience.to, JSON.parse(payload).protocolo.mensagem])).toEqual([
      ['ticket', 'Troca de 2 sacos'],
      ['user', 'Troca de 2 sacos'],
    ])
    const { body } = await marina.call<{ logs: LogRow[] }>('GET', '/log?action=protocol.update')
    expect(body.logs[0]).toMatchObject({
      user: { name: 'Bruna' },
      params: { protocolo: expect.stringMatching(/^20260303/) },
    })
    expect(JSON.stringify(body)).not.toContain('Troca')
  })
})

describe('a page reads about as much as it shows, however many protocols there are,', () => {
  const MANY = 60_000
  beforeAll(async () => {
    // What is known of the tables is what this file says: no visit of the autovacuum in between.
    for (const table of [sql`protocol`, sql`ticket`, sql`contact`])
      await sql`alter table ${table} set (autovacuum_enabled = false)`
    await db.transaction(async tx => {
      const client = getSql(tx)
      await client`set local session_replication_role = replica`
      await client`insert into contact (name, number) select 'Cliente ' || n, (5531900000000 + n)::text from generate_series(1, 6000) n`
      await client`insert into contact_identity (kind, value, contact_id) select 'pn', number, id from contact where name like 'Cliente %'`
      await client`
        insert into ticket (status, contact_id, whatsapp_id, queue_id, user_id, is_group, last_message_at, closed_at)
        select 'closed', (select max(id) from contact) - n % 6000, ${whatsappId},
          case when n % 3 = 0 then ${finance}::int else ${orders}::int end, null, false, now(), now() from generate_series(1, ${MANY}) n`
      await client`
        insert into protocol (protocolo, mensagem, ticket_id, contact_id, created_at)
        select to_char(d, 'YYYYMMDD') || lpad((1000000 + n)::text, 7, '0'), case when n % 400 = 0 then 'Troca de farinha' else 'Nota ' || n end,
          (select max(id) from ticket) - ${MANY} + n, (select max(id) from contact) - n % 6000, d
        from (select n, timestamptz '2020-01-01' + n * interval '50 minutes' as d from generate_series(1, ${MANY}) n) x`
    })
    await sql`vacuum analyze`
  }, 60_000)

  for (const mode of PLAN_MODES)
    test(mode, async () => {
      const session = await makeSession(db, brunaId)
      const { db: watched, nodesOf, end } = createRecorder(server.config.databaseUrl ?? '', mode)
      const first = await listProtocols(db, session, {})
      try {
        for (const query of [
          {},
          { cursor: first.nextCursor ?? '' },
          { searchParam: '20230' },
          { searchParam: '202303041' },
          { searchParam: 'farinha' },
          { searchParam: 'cliente 4320' },
          { searchParam: '5531900004320' },
        ]) {
          let rows = 0
          const nodes = await nodesOf(async () => {
            rows = (await listProtocols(watched, session, query)).protocolos.length
          })
          const read = nodes
            .filter(node => ['protocol', 'ticket'].includes(node['Relation Name'] ?? ''))
            .reduce((sum, node) => sum + countRowsRead(node), 0)
          expect([JSON.stringify(query), rows > 0, read < 20_000 ? 'few' : read]).toEqual([
            JSON.stringify(query),
            true,
            'few',
          ])
        }
      } finally {
        await end()
      }
    })
})
