// Searching messages by who wrote them, when, and of which kind: what is found, page by page, and that nobody finds what may not be seen.
import { describe, expect, test } from 'bun:test'
import { canSeeTicket, type QueryParams, type SearchKind } from '@balcao/contract'
import { loadMessagePage } from '../src/desk/messages/page.ts'
import { searchTicketMessages } from '../src/desk/tickets/message-search.ts'
import { AppError } from '../src/platform/http/errors.ts'
import { loadFacts } from '../src/policy/access/ticket-facts.ts'
import { createTestDatabase } from './database.ts'
import { makeConnection, makePerson, makeQueue, makeSession } from './desk-world.ts'
import { takeRounds } from './rounds.ts'
import { makeTestCompany } from './world.ts'

const { db } = await createTestDatabase()
const sql = db.$client
const world = makeTestCompany(db)
type Query = QueryParams<'GET /tickets/messages'>

const marina = await makeSession(db, await world.member('Marina', 'admin'))
const bruna = await makeSession(db, await world.member('Bruna', 'user', ['Financeiro']))
const lucia = await world.aTicket().from('Lúcia Conceição').waitingIn('Financeiro')
const rafael = await world.aTicket().from('Rafael Araújo').inServiceWith('Bruna', 'Financeiro')
const padaria = await world.aTicket().from('Padaria Estrela').at('Atacado').waitingIn('Entregas')

/** Days of October 2026, at noon in São Paulo unless it says otherwise. */
async function write(
  ticket: number,
  day: string,
  body: string,
  more: Partial<Record<'type' | 'by' | 'deleted', string | number>> = {},
) {
  const at = day.includes('T') ? day : `${day}T15:00:00Z`
  const { type = 'chat', by = null, deleted } = more
  const [row] = await sql<{ id: number }[]>`
    insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, user_id, body, media_type, state, is_deleted)
    select id, contact_id, whatsapp_id, message_seq + 1, ${at}, ${by !== null}, ${by}, ${body}, ${type}, 'received', ${deleted === 1}
    from ticket where id = ${ticket} returning id::float8 as id`
  await sql`update ticket set message_seq = message_seq + 1 where id = ${ticket}`
  return row?.id ?? 0
}

await write(lucia, '2026-10-02', 'O boleto de setembro')
await write(lucia, '2026-10-12', 'comprovante.pdf', { type: 'application' })
await write(lucia, '2026-10-12', '', { type: 'image' })
await write(lucia, '2026-10-20', 'veja https://exemplo.example/boleto')
await write(rafael, '2026-10-12', 'Segue o boleto', { by: bruna.viewer.id })
await write(rafael, '2026-10-13', '', { type: 'audio' })
await write(rafael, '2026-10-13', 'foi apagado', { deleted: 1 })
await write(rafael, '2026-10-13', '', { type: 'system' })
await write(padaria, '2026-10-12', 'O boleto da padaria')
await write(padaria, '2026-10-14', 'dados', { type: 'location' })
await write(padaria, '2026-10-14', 'dados', { type: 'contact_array' })
await write(padaria, '2026-10-14', 'dados', { type: 'vcard' })
await write(padaria, '2026-10-15', '', { type: 'video' })

async function find(query: Query, session = marina) {
  const page = await searchTicketMessages(db, session, { showAll: 'true', ...query })
  return page.hits.map(hit => [hit.ticketId, hit.createdAt.slice(8, 10), hit.mediaType])
}

describe('a search of messages', () => {
  test('by day: the first and the last one count whole, newest first', async () => {
    expect(await find({ firstDate: '2026-10-12', lastDate: '2026-10-12' })).toEqual([
      [padaria, '12', 'chat'],
      [rafael, '12', 'chat'],
      [lucia, '12', 'image'],
      [lucia, '12', 'application'],
    ])
    expect(await find({ firstDate: '2026-10-15' })).toEqual([
      [lucia, '20', 'chat'],
      [padaria, '15', 'video'],
    ])
    expect(await find({ lastDate: '2026-10-02' })).toEqual([[lucia, '02', 'chat']])
  })

  test('days are those of the company, not of UTC', async () => {
    const late = await write(lucia, '2026-09-30T02:30:00Z', 'tarde da noite')
    expect(await find({ firstDate: '2026-09-29', lastDate: '2026-09-29' })).toEqual([[lucia, '30', 'chat']])
    expect(await find({ firstDate: '2026-09-30', lastDate: '2026-09-30' })).toEqual([])
    await sql`delete from message where id = ${late}`
  })

  test('by kind', async () => {
    const kinds: Record<SearchKind, (string | number)[][]> = {
      text: [
        [lucia, '20'],
        [padaria, '12'],
        [rafael, '12'],
        [lucia, '02'],
      ],
      photo: [[lucia, '12']],
      video: [[padaria, '15']],
      audio: [[rafael, '13']],
      document: [[lucia, '12']],
      link: [[lucia, '20']],
      place: [[padaria, '14']],
      contact: [
        [padaria, '14'],
        [padaria, '14'],
      ],
    }
    for (const [kind, expected] of Object.entries(kinds))
      expect((await find({ kind: kind as SearchKind })).map(row => row.slice(0, 2))).toEqual(expected)
  })

  test('by who wrote it: a customer, or a colleague', async () => {
    expect(await find({ writtenBy: String(bruna.viewer.id) })).toEqual([[rafael, '12', 'chat']])
    expect(await find({ writtenBy: 'contact', firstDate: '2026-10-12', lastDate: '2026-10-12', kind: 'text' })).toEqual(
      [[padaria, '12', 'chat']],
    )
  })

  test('by status, queue, and the name of the customer', async () => {
    const october = { firstDate: '2026-10-12', lastDate: '2026-10-12' }
    expect(await find({ ...october, status: 'open' })).toEqual([[rafael, '12', 'chat']])
    expect(await find({ ...october, queueIds: `[${await world.queue('Entregas')}]` })).toEqual([
      [padaria, '12', 'chat'],
    ])
    expect(await find({ ...october, searchContact: 'conceicao', kind: 'document' })).toEqual([
      [lucia, '12', 'application'],
    ])
    expect(await find({ ...october, searchContact: 'ninguem' })).toEqual([])
  })

  test('with words: every message that holds them, and the line where they stand', async () => {
    const { hits } = await searchTicketMessages(db, marina, {
      searchParam: 'boleto',
      showAll: 'true',
      lastDate: '2026-10-12',
    })
    expect(hits.map(hit => hit.text)).toEqual(['O boleto da padaria', 'Segue o boleto', 'O boleto de setembro'])
  })

  test('what was taken back and lines of the desk are never found', async () => {
    expect((await find({ firstDate: '2026-10-13', lastDate: '2026-10-13' })).map(row => row[2])).toEqual(['audio'])
  })

  test('what cannot be searched is said with its field', async () => {
    const cases: readonly [Query, string][] = [
      [{ firstDate: '2026-10-12', lastDate: '2026-10-11' }, 'lastDate'],
      [{ firstDate: '2026-02-30' }, 'firstDate'],
      [{ lastDate: 'ontem' }, 'lastDate'],
      [{ writtenBy: '999999' }, 'writtenBy'],
      [{ writtenBy: 'Marina' }, 'writtenBy'],
      [{ searchParam: 'bo' }, 'searchParam'],
      [{ cursor: 'x' }, 'cursor'],
      [{ cursor: Buffer.from('["nada",1]').toString('base64url') }, 'cursor'],
    ]
    for (const [query, path] of cases) expect([query, await readRefusedField(query)]).toEqual([query, path])
  })
})

describe('pages', () => {
  test('go on without a gap and nothing twice, also of messages of the same second, and past what one walk reads', async () => {
    const connection = await makeConnection(db, 'Antiga')
    await sql`insert into contact (name) values ('Muitas')`
    const [ticket] = await sql<{ id: number }[]>`
      insert into ticket (status, contact_id, whatsapp_id, queue_id, message_seq) select 'closed', max(id), ${connection}, ${await world.queue('Entregas')}, 45000 from contact returning id`
    await sql`insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, media_type, state)
      select t.id, t.contact_id, t.whatsapp_id, n, '2025-01-01T12:00:00Z'::timestamptz + n / 7 * interval '1 second', false,
        case when n % 400 = 0 then 'um ornitorrinco' else 'nada' end, case when n % 400 = 0 then 'chat' else 'sticker' end, 'received'
      from ticket t, generate_series(1, 45000) n where t.id = ${ticket?.id ?? 0}`
    const all = await sql<
      { id: number }[]
    >`select id::float8 as id from message where body like 'um orni%' order by at desc, id desc`
    // The words are asked for without those letters that an index knows, so that they are walked to.
    const ofContact: Query = { searchContact: 'muitas', searchMessage: '" or"' }
    const queries: Query[] = [
      { kind: 'text' },
      { searchParam: 'um ornitorrinco' },
      { searchParam: '" or"' },
      ofContact,
      ofContact,
    ]
    for (const [turn, query] of takeRounds([...queries.entries()], 3)) {
      // Too many tickets for a range each: the contact's pages are walked.
      if (turn === 4)
        await sql`insert into ticket (status, contact_id, whatsapp_id, queue_id) select 'closed', contact_id, whatsapp_id, queue_id
          from ticket, generate_series(1, 70) where id = ${ticket?.id ?? 0}`
      const read: number[] = []
      let pages = 0
      let cursor: string | undefined
      do {
        const page = await searchTicketMessages(db, marina, {
          ...query,
          lastDate: '2025-12-31',
          showAll: 'true',
          cursor,
        })
        expect(page.hasMore).toBe(page.nextCursor !== null)
        read.push(...page.hits.map(hit => hit.messageId))
        cursor = page.nextCursor ?? undefined
      } while (cursor && ++pages < 20)
      expect(read).toEqual(all.map(row => row.id))
    }
    await sql`delete from message where ticket_id = ${ticket?.id ?? 0}`
  })
})

test('whoever searches finds exactly what the policy allows, by every filter', async () => {
  const queueIds = [await world.queue('Financeiro'), await world.queue('Entregas'), await makeQueue(db, 'Comercial')]
  const people = [
    bruna.viewer.id,
    await makePerson(db, { name: 'Gerente', profile: 'gerente', queueIds: queueIds.slice(0, 2) }),
    await makePerson(db, { name: 'Colega', profile: 'user', queueIds }),
  ]
  const connection = await makeConnection(db, 'Misturada')
  await sql`insert into contact (name) select 'Misto ' || g from generate_series(1, 40) g`
  await sql`
    insert into ticket (status, contact_id, whatsapp_id, queue_id, user_id, is_group)
    select (array['open', 'closed', 'pending', 'paused'])[1 + n % 4], id, ${connection}, (${queueIds}::int[])[1 + n % 4],
      (${people}::int[])[1 + n % 5], n % 7 = 0 from (select id, row_number() over (order by id) as n from contact where name like 'Misto %') c`
  await sql`
    insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, user_id, body, media_type, state)
    select id, contact_id, whatsapp_id, n, '2024-05-05T12:00:00Z', n > 1, case when n > 1 then ${people[2] ?? 0}::int end,
      (array['jabuticaba https://x.example', 'jabuticaba', '--jabuticaba'])[n], case n when 2 then 'application' else 'chat' end, 'received'
    from ticket, generate_series(1, 3) n where whatsapp_id = ${connection}`
  const all = await sql<{ id: number }[]>`select id from ticket where whatsapp_id = ${connection} order by id`
  // Few enough for a range of each of their tickets.
  const few = (
    await sql<{ id: number }[]>`
      select t.id from ticket t join contact c on c.id = t.contact_id where c.name ~ '^Misto 1'`
  ).map(row => row.id)
  const facts = await loadFacts(
    db,
    all.map(row => row.id),
  )
  const may = { firstDate: '2024-05-05', lastDate: '2024-05-05' }
  const queries: readonly Query[] = [
    { ...may, kind: 'document' },
    { ...may, kind: 'link' },
    { ...may, kind: 'document', writtenBy: String(people[2]) },
    { ...may, writtenBy: 'contact' },
    { kind: 'document', searchParam: 'jabuticaba', lastDate: '2024-12-31' },
    { kind: 'document', searchContact: 'misto' },
    { ...may, searchContact: '"misto 1"' },
    { ...may, kind: 'document', queueIds: JSON.stringify(queueIds) },
  ]
  for (const person of [marina.viewer.id, ...people])
    for (const settings of [
      {},
      { userShowAll: true, hierarchy: true },
      { userClosedQueues: true, groupPerUser: true },
    ]) {
      const session = await makeSession(db, person, settings)
      const allowed = all
        .map(row => row.id)
        .filter(id => {
          const each = facts.get(id)
          return each !== undefined && canSeeTicket(session.viewer, each, session.settings)
        })
      for (const query of queries) {
        const page = await searchTicketMessages(db, session, { showAll: 'true', ...query })
        const found = [...new Set(page.hits.map(hit => hit.ticketId))].sort((a, b) => a - b)
        const expected = allowed.filter(
          id =>
            (!query.queueIds || facts.get(id)?.queueId) && (query.searchContact !== '"misto 1"' || few.includes(id)),
        )
        expect([person, settings, query, found]).toEqual([person, settings, query, expected])
        expect(page.tickets.map(ticket => ticket.id).sort((a, b) => a - b)).toEqual(found)
      }
    }
})

describe('a conversation from a day on', () => {
  const read = async (at: string, limit = 1) =>
    (await loadMessagePage(db, marina, lucia, { at, limit })).messages.map(message => message.createdAt.slice(5, 10))

  test('shows the last message before it and the first of that day, or of the next one', async () => {
    expect(await read('2026-10-12')).toEqual(['10-02', '10-12'])
    expect(await read('2026-10-13')).toEqual(['10-12', '10-20'])
    expect(await read('2026-10-12', 4)).toEqual(['10-02', '10-12', '10-12'])
  })

  test('shows what there is where nothing is before or after', async () => {
    expect(await read('2020-01-01')).toEqual(['10-02'])
    expect(await read('2030-01-01')).toEqual(['10-20'])
    expect(read('amanhã')).rejects.toThrow(AppError)
  })
})

async function readRefusedField(query: Query): Promise<unknown> {
  try {
    await find(query)
  } catch (error) {
    if (error instanceof AppError) return JSON.stringify(error.details).match(/"path":"(\w+)"/)?.[1]
    throw error
  }
}
