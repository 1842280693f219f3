// The activity log as administrators read it (decisions-2 §16), over HTTP, and the plans behind its pages.
import { describe, expect, test } from 'bun:test'
import type { ResponseBody } from '@balcao/contract'
import { listLog } from '../src/operations/log/list.ts'
import { writeLog, writeLogs } from '../src/policy/log/write.ts'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeTicket } from './desk-world.ts'
import { countRowsRead, createRecorder } from './recorded-plans.ts'

type Page = ResponseBody<'GET /log'>

const server = await startDeskServer()
const { db } = server
const sql = db.$client

const queueId = await makeQueue(db, 'Suporte')
const connectionId = await makeConnection(db, 'Loja Centro')
const marinaId = await makePerson(db, { name: 'Marina Souza', profile: 'admin' })
const otavioId = await makePerson(db, { name: 'Otávio Pires', profile: 'gerente', queueIds: [queueId] })
const contactId = await makeContact(db, 'Dona Lúcia')
await sql`insert into contact_identity (contact_id, kind, value) values (${contactId}, 'pn', '5531998762210')`
const ticketId = await makeTicket(db, {
  contactId,
  whatsappId: connectionId,
  status: 'open',
  queueId,
  userId: otavioId,
})
const marina = await server.as('Marina Souza')
await sql`delete from log_entry`
await db.transaction(async tx => {
  await writeLog(tx, { action: 'queue.update', userId: marinaId, queueId })
  await writeLog(tx, { action: 'user.signUp', userId: otavioId, entityId: otavioId })
  await writeLog(tx, { action: 'ticket.accept', userId: otavioId, ticketId, contactId })
  await writeLog(tx, { action: 'protocol.create', params: { protocolo: 'P1' }, userId: otavioId, ticketId })
  await writeLog(tx, { action: 'ticket.return', ticketId, contactId })
  await writeLog(tx, { action: 'setting.update', params: { key: 'hierarchy', value: 'enabled' }, userId: marinaId })
})

async function actions(query: string): Promise<(string | null)[]> {
  const { status, body } = await marina.call<Page>('GET', `/log?${query}`)
  expect(status).toBe(200)
  return body.logs.map(entry => entry.action)
}

/** All that is found, page by page, and what each page said of how many there are. */
async function readPages(query: string) {
  const logs: Page['logs'] = []
  const counts: number[] = []
  let cursor = ''
  do {
    const { body } = await marina.call<Page>('GET', `/log?${query}${cursor}`)
    logs.push(...body.logs)
    counts.push(body.count)
    cursor = body.nextCursor === null ? '' : `&cursor=${encodeURIComponent(body.nextCursor)}`
  } while (cursor !== '')
  return { logs, counts }
}

describe('decisions-2 §16: the log is read', () => {
  test('newest first, with who did it and what it was done to', async () => {
    const { body } = await marina.call<Page>('GET', '/log')
    expect([body.count, body.hasMore]).toEqual([6, false])
    expect(body.logs.map(({ action, user, about }) => [action, user?.name ?? null, about])).toEqual([
      ['setting.update', 'Marina Souza', null],
      ['ticket.return', null, 'Dona Lúcia'],
      ['protocol.create', 'Otávio Pires', 'Dona Lúcia'],
      ['ticket.accept', 'Otávio Pires', 'Dona Lúcia'],
      ['user.signUp', 'Otávio Pires', 'Otávio Pires'],
      ['queue.update', 'Marina Souza', 'Suporte'],
    ])
  })

  test('by person, by the system, by kind, by one thing, by action', async () => {
    expect(await actions(`userId=${marinaId}`)).toEqual(['setting.update', 'queue.update'])
    expect(await actions('userId=0')).toEqual(['ticket.return'])
    expect(await actions('entity=ticket')).toEqual(['ticket.return', 'ticket.accept'])
    expect(await actions(`entity=ticket&entityId=${ticketId}`)).toEqual([
      'ticket.return',
      'protocol.create',
      'ticket.accept',
    ])
    expect(await actions(`entity=contact&entityId=${contactId}`)).toEqual(['ticket.return', 'ticket.accept'])
    expect(await actions(`entity=queue&entityId=${queueId}`)).toEqual(['queue.update'])
    expect(await actions(`entity=user&entityId=${otavioId}`)).toEqual(['user.signUp'])
    expect(await actions(`userId=${otavioId}&entity=ticket&action=ticket.accept`)).toEqual(['ticket.accept'])
  })

  test('by words: of people, contacts and their numbers, queues, tickets, and of the entries themselves', async () => {
    expect(await actions('searchParam=otavio')).toEqual(['protocol.create', 'ticket.accept', 'user.signUp'])
    expect(await actions('searchParam=lucia')).toEqual(['ticket.return', 'ticket.accept'])
    expect(await actions('searchParam=99876-2210')).toEqual(['ticket.return', 'ticket.accept'])
    expect(await actions('searchParam=suporte')).toEqual(['queue.update'])
    expect(await actions(`searchParam=%23${String(ticketId).padStart(3, '0')}`)).toContain('protocol.create')
    expect(await actions('searchParam=configuracao alterada')).toEqual(['setting.update'])
    expect(await actions('searchParam=otavio&entity=user')).toEqual(['user.signUp'])
    // How a setting is called, and how an entry is said in other languages, only the reader's page has.
    expect(await actions('searchParam=almuerzo&settings=horarioAlmoco')).toEqual([])
    expect(await actions(`searchParam=cambiado&settings=nenhum,horarioAlmoco,hierarchy`)).toEqual(['setting.update'])
    expect(await actions('searchParam=queue changed&actions=queue.update,nada')).toEqual(['queue.update'])
  })

  test('by the words of a reported entry, and of one from before actions had codes', async () => {
    const report = { descricao: 'Impressora fiscal travou no Caixa 100%', origem: 'balcao-pdv', ticketId }
    expect((await marina.call('POST', '/log', { log: report })).status).toBe(201)
    await sql`insert into log_entry (descricao, origem, user_id) values ('Etiqueta criada à mão', 'tag', ${marinaId})`
    const words = async (query: string) =>
      (await marina.call<Page>('GET', `/log?${query}`)).body.logs.map(entry => entry.descricao)
    expect(await words('searchParam=fiscal')).toEqual([report.descricao])
    expect(await words('searchParam=caixa impressora')).toEqual([report.descricao])
    expect(await words(`searchParam=${encodeURIComponent('100%')}`)).toEqual([report.descricao])
    expect(await words('searchParam=a mao')).toEqual(['Etiqueta criada à mão'])
    expect(await words(`searchParam=fiscal&userId=${otavioId}`)).toEqual([])
    expect(await words('searchParam=fiscal nada')).toEqual([])
    await sql`delete from log_entry where action is null`
  })

  test('by what stands in an entry beside its sentence: the number of a protocol, the key of a setting', async () => {
    await sql`insert into protocol (protocolo, ticket_id, contact_id) values ('20260302000001', ${ticketId}, ${contactId})`
    expect(await actions('searchParam=20260302')).toContain('protocol.create')
    expect(await actions('searchParam=hierarchy')).toEqual(['setting.update'])
    expect(await actions('searchParam=alterada hierarchy')).toEqual(['setting.update'])
    expect(await actions('searchParam=created')).toEqual([])
  })

  test('by the words of reported entries in pages too, each once, newest first, and each page says how many there are', async () => {
    await sql`insert into log_entry (descricao, origem, reported, created_at)
      select 'Pedido reimpresso ' || n, 'pdv', true, now() - n * interval '1 minute' from generate_series(1, 95) n`
    const { logs, counts } = await readPages('searchParam=reimpresso')
    expect(logs.map(({ descricao }) => descricao)).toEqual(
      Array.from({ length: 95 }, (_, n) => `Pedido reimpresso ${n + 1}`),
    )
    expect(counts).toEqual([95, 95, 95])
    await sql`delete from log_entry where action is null`
  })

  test('by a name that many contacts have: all their entries, counted up to a thousand', async () => {
    await sql`insert into contact (name) select 'Quitéria ' || n from generate_series(1, 400) n`
    const add = (each: number) => sql`insert into log_entry (action, origem, contact_id, created_at)
      select 'contact.update', 'contact', id, now() - (id * 10 + n) * interval '1 second' from contact, generate_series(1, ${each}) n where name like 'Quitéria %'`
    await add(1)
    const { logs, counts } = await readPages('searchParam=quiteria')
    expect([logs.length, new Set(logs.map(({ id }) => id)).size, new Set(counts)]).toEqual([400, 400, new Set([400])])
    expect((await readPages('searchParam=quiteria&firstDate=2001-01-01&lastDate=2001-01-02')).counts).toEqual([0])
    // Twice over: by whom it was, and to whom.
    await sql`insert into log_entry (action, origem, user_id, contact_id) select 'contact.update', 'contact', ${otavioId}, contact_id from log_entry where action = 'contact.update' limit 1`
    expect((await readPages('searchParam=quiteria')).counts[0]).toBe(401)
    await add(1)
    const { body } = await marina.call<Page>('GET', '/log?searchParam=quiteria')
    expect([body.count, body.hasMore]).toEqual([801, true])
    await add(2)
    const { logs: all, counts: capped } = await readPages('searchParam=quiteria')
    expect([all.length, new Set(capped)]).toEqual([1601, new Set([1000])])
    await sql`delete from log_entry where action = 'contact.update'`
    await sql`delete from contact where name like 'Quitéria %'`
  })

  test('by period, whole days of the company’s zone', async () => {
    await sql`update log_entry set created_at = '2026-03-02T02:30:00Z' where action = 'queue.update'`
    expect(await actions('firstDate=2026-03-01&lastDate=2026-03-01')).toEqual(['queue.update'])
    expect(await actions('firstDate=2026-03-02&lastDate=2026-03-02')).toEqual([])
  })

  test('in pages by key: nothing twice, nothing left out', async () => {
    await db.transaction(tx =>
      writeLogs(
        tx,
        Array.from({ length: 95 }, () => ({ action: 'tag.create' as const, userId: marinaId, entityId: 1 })),
      ),
    )
    const seen = (await readPages('entity=tag')).logs.map(entry => entry.id)
    expect([seen.length, new Set(seen).size]).toEqual([95, 95])
    expect(seen).toEqual([...seen].sort((a, b) => b - a))
  })

  test('administrators alone; what is wrong is said by its field', async () => {
    const otavio = await server.as('Otávio Pires')
    expect((await otavio.call('GET', '/log')).status).toBe(403)
    for (const query of [
      'action=nothing',
      'entityId=1',
      'firstDate=x',
      'firstDate=2026-03-02&lastDate=2026-03-01',
      'searchParam=ab',
      'cursor=x',
      'userId=-1',
    ])
      expect([query, (await marina.call('GET', `/log?${query}`)).status]).toEqual([query, 422])
  })
})

test('a page reads about as much as it shows, however long the log is', async () => {
  await sql`insert into log_entry (action, origem, user_id, contact_id, ticket_id, queue_id, whatsapp_id, entity_id, source, created_at)
    select (array['ticket.accept','contact.update','queue.update','user.update'])[1 + n % 4], (array['ticket','contact','queue','user'])[1 + n % 4],
      case when n % 50 = 0 then ${marinaId}::int else 100 + n % 400 end, 10 + n % 5000, n % 7000, n % 20, ${connectionId}, n % 300, case when n % 500 = 0 then 'phone' when n % 3 = 0 then 'auto' else 'web' end,
      now() - n * interval '1 minute' from generate_series(1, 60000) n`
  await sql`analyze log_entry`
  const { db: watched, nodesOf, end } = createRecorder(server.config.databaseUrl ?? '', 'force_generic_plan')
  try {
    for (const query of [
      {},
      { userId: marinaId },
      { entity: 'queue' },
      { userId: marinaId, entity: 'user' },
      { entity: 'contact', entityId: 40 },
      { searchParam: 'marina' },
      { searchParam: 'lúcia' },
      { action: 'user.update' },
      { origem: 'phone' as const },
      { origem: 'web' as const, userId: marinaId },
    ]) {
      const nodes = await nodesOf(() => listLog(watched, { id: marinaId }, query, 'America/Sao_Paulo'))
      const read = nodes
        .filter(node => node['Relation Name'] === 'log_entry')
        .reduce((sum, node) => sum + countRowsRead(node), 0)
      expect([JSON.stringify(query), read < 3000 ? 'few' : read]).toEqual([JSON.stringify(query), 'few'])
    }
  } finally {
    await end()
  }
})
