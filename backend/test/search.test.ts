// Searching tickets: what is found, what is not, and that whoever searches finds nothing of what may not be seen.
import { describe, expect, test } from 'bun:test'
import { canSeeTicket, type QueryParams } from '@balcao/contract'
import { loadMessagePage } from '../src/desk/messages/page.ts'
import { searchMessages } from '../src/desk/messages/search.ts'
import { loadTickets } from '../src/desk/tickets/present.ts'
import { searchTickets } from '../src/desk/tickets/search.ts'
import { AppError } from '../src/platform/http/errors.ts'
import { loadFacts } from '../src/policy/access/ticket-facts.ts'
import { createTestDatabase } from './database.ts'
import {
  makeConnection,
  makeContact,
  makeMessage,
  makePerson,
  makeQueue,
  makeSession,
  makeTicket,
} from './desk-world.ts'
import { createSeededRandom } from './seeded-random.ts'
import { makeTestCompany } from './world.ts'

const { db } = await createTestDatabase()
const sql = db.$client
const world = makeTestCompany(db)
const ids: Record<'lucia' | 'rafael' | 'group' | 'others', number> = { lucia: 0, rafael: 0, group: 0, others: 0 }

const marina = await makeSession(db, await world.member('Marina', 'admin'))
const bruna = await makeSession(db, await world.member('Bruna', 'user', ['Financeiro']))
ids.lucia = await world
  .aTicket()
  .from('Lúcia Conceição')
  .waitingIn('Financeiro')
  .saying('Bom dia!\nO boleto de março não chegou\nObrigada')
  .saying('Segue a confirmação do boleto')
ids.rafael = await world
  .aTicket()
  .from('Rafael Araújo')
  .inServiceWith('Bruna', 'Financeiro')
  .saying('Quero um desconto')
ids.others = await world
  .aTicket()
  .from('Padaria Estrela')
  .at('Atacado')
  .waitingIn('Entregas')
  .saying('O boleto da padaria, senha estrela-guia')
await sql`insert into contact_identity (kind, value, contact_id)
    select 'pn', '5531998762233', contact_id from ticket where id = ${ids.lucia}`

const found = async (query: QueryParams<'GET /tickets/filter'>, session = marina) => {
  const { tickets, hits, named } = await searchTickets(db, session, { showAll: 'true', ...query })
  return { tickets: tickets.map(ticket => ticket.id).sort((a, b) => a - b), hits, named }
}

describe('spec 1 §5: search', () => {
  test('finds a message without regard to accents and capitals', async () => {
    for (const searchParam of ['CONFIRMACAO', 'confirmação', 'Confirmaçao'])
      expect((await found({ searchParam })).tickets).toEqual([ids.lucia])
  })

  test('gives messages newest first, whatever was said in their conversations since, and without signatures', async () => {
    const [early, late] = [ids.rafael, ids.others]
    await sql`insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, state)
      select id, contact_id, whatsapp_id, 900, now() - case when id = ${early} then interval '2 days' else interval '1 day' end,
        true, '*Bruna:*' || chr(10) || 'Paralelepípedo', 'sent' from ticket where id in (${early}, ${late})`
    await sql`update ticket set last_message_at = now() + interval '1 minute' where id = ${early}`
    const { hits } = await found({ searchMessage: 'paralelepipedo' })
    expect(hits.map(hit => [hit.ticketId, hit.text])).toEqual([
      [late, 'Paralelepípedo'],
      [early, 'Paralelepípedo'],
    ])
    await sql`delete from message where seq = 900`
  })

  test('finds any part of a word', async () => {
    expect((await found({ searchParam: 'firmaç' })).tickets).toEqual([ids.lucia])
  })

  test('wants every word, in any order, and together what stands between quotes', async () => {
    expect((await found({ searchParam: 'marco boleto' })).tickets).toEqual([ids.lucia])
    expect((await found({ searchParam: 'boleto desconto' })).tickets).toEqual([])
    expect((await found({ searchParam: '"boleto de março"' })).tickets).toEqual([ids.lucia])
    expect((await found({ searchParam: '"março boleto"' })).tickets).toEqual([])
  })

  test('takes wildcards for what they are', async () => {
    expect((await found({ searchParam: '%ole%' })).tickets).toEqual([])
    expect((await found({ searchParam: 'b_leto' })).tickets).toEqual([])
    expect((await found({ searchParam: '\\\\\\' })).tickets).toEqual([])
  })

  test('gives the newest message of each ticket that holds the words, as the line where they stand', async () => {
    const { hits } = await found({ searchParam: 'boleto' })
    expect(hits.map(hit => [hit.ticketId, hit.text, hit.name])).toEqual([
      [ids.others, 'O boleto da padaria, senha estrela-guia', 'Padaria Estrela'],
      [ids.lucia, 'Segue a confirmação do boleto', 'Lúcia Conceição'],
    ])
    const [older] = (await found({ searchParam: 'boleto março' })).hits
    expect(older?.text).toBe('O boleto de março não chegou')
  })

  test('finds a contact by name and by any number it was ever known by, however it is written', async () => {
    for (const searchParam of ['conceicao', 'LUCIA', '(31) 99876-22', '+55 31 9987']) {
      const { tickets, named, hits } = await found({ searchParam })
      expect([tickets, named, hits]).toEqual([[ids.lucia], [ids.lucia], []])
    }
  })

  test('needs three characters', async () => {
    for (const query of [{ searchParam: 'bo' }, { searchContact: 'lú' }, { searchMessage: ' b ' }, {}])
      expect(await refusal(found(query))).toBe('ERR_VALIDATION')
  })

  test('shows at most 50 tickets, of contacts and of messages alike', async () => {
    const connection = await makeConnection(db, 'Muitos')
    for (let n = 0; n < 70; n++) {
      const contactId = await makeContact(db, n < 60 ? `Muitíssimo ${n}` : `Outro ${n}`)
      const ticket = await makeTicket(db, { contactId, whatsappId: connection, status: 'closed' })
      if (n >= 40) await makeMessage(db, ticket, 'muitíssimo obrigado')
    }
    const { tickets, named, hits } = await found({ searchParam: 'muitissimo' })
    expect(tickets.length).toBe(50)
    expect(named.length).toBeGreaterThanOrEqual(25)
    expect(hits.length).toBeGreaterThanOrEqual(10)
  })
})

describe('spec 1 §2: the filters of the search', () => {
  test('a message is not a contact, and a contact is not a message', async () => {
    expect((await found({ searchMessage: 'padaria' })).hits.map(hit => hit.ticketId)).toEqual([ids.others])
    expect((await found({ searchMessage: 'conceição' })).tickets).toEqual([])
    expect((await found({ searchContact: 'confirmação' })).tickets).toEqual([])
    expect((await found({ searchContact: 'conceição' })).tickets).toEqual([ids.lucia])
  })

  test('together they narrow', async () => {
    expect((await found({ searchMessage: 'boleto', searchContact: 'lucia' })).tickets).toEqual([ids.lucia])
    expect((await found({ searchMessage: 'desconto', searchContact: 'lucia' })).tickets).toEqual([])
    expect((await found({ searchParam: 'padaria', searchMessage: 'boleto' })).tickets).toEqual([ids.others])
    expect((await found({ searchParam: 'lucia', searchMessage: 'boleto' })).tickets).toEqual([ids.lucia])
  })

  test('queues, one or several', async () => {
    const finance = await world.queue('Financeiro')
    const deliveries = await world.queue('Entregas')
    expect((await found({ searchParam: 'boleto', queueIds: `[${finance}]` })).tickets).toEqual([ids.lucia])
    expect((await found({ searchParam: 'boleto', queueIds: `[${finance},${deliveries}]` })).tickets).toEqual([
      ids.lucia,
      ids.others,
    ])
    expect((await found({ queueIds: `[${deliveries}]` })).tickets).toEqual([ids.others])
  })

  test('people; for an attendant this filter does nothing', async () => {
    const searchUser = String(bruna.viewer.id)
    expect((await found({ searchUser })).tickets).toEqual([ids.rafael])
    expect((await found({ searchParam: 'boleto', searchUser })).tickets).toEqual([])
    expect((await found({ searchParam: 'boleto', searchUser: `[${searchUser},999]` }, bruna)).tickets).toEqual([
      ids.lucia,
    ])
  })

  test('a tag', async () => {
    const [tag] = await sql<{ id: number }[]>`insert into tag (name, color) values ('VIP', '#ff0000') returning id`
    await sql`insert into contact_tag (contact_id, tag_id) select contact_id, ${tag?.id ?? 0} from ticket where id = ${ids.rafael}`
    expect((await found({ searchTag: String(tag?.id) })).tickets).toEqual([ids.rafael])
    expect((await found({ searchParam: 'desconto', searchTag: String(tag?.id) })).tickets).toEqual([ids.rafael])
    expect((await found({ searchParam: 'boleto', searchTag: String(tag?.id) })).tickets).toEqual([])
  })

  test('a status', async () => {
    expect((await found({ searchParam: 'desconto', status: 'open' })).tickets).toEqual([ids.rafael])
    expect((await found({ searchParam: 'desconto', status: 'closed' })).tickets).toEqual([])
  })
})

describe('spec 1 §7: what of a message is searched', () => {
  test('the name of a document, the words of a location, a transcription; neither pictures nor what was deleted', async () => {
    const ticket = await world.aTicket().from('Arquivos').waitingIn('Financeiro')
    const [file, place, sound, gone] = [
      await makeMessage(db, ticket, ''),
      await makeMessage(db, ticket, 'data:image/jpeg;base64,QWJabacaxiQ|https://maps.example|Galpão Norte'),
      await makeMessage(db, ticket, ''),
      await makeMessage(db, ticket, 'segredo apagado'),
    ]
    await sql`update message set media_type = 'application', media = '{"name":"Orçamento-final.pdf"}' where id = ${file}`
    await sql`update message set media_type = 'location' where id = ${place}`
    await sql`update message set media_type = 'audio', transcription = 'preciso trocar a geladeira' where id = ${sound}`
    await sql`update message set is_deleted = true where id = ${gone}`
    const textOf = async (searchMessage: string) => (await found({ searchMessage })).hits.map(hit => hit.text)
    expect(await textOf('orcamento-final')).toEqual(['Orçamento-final.pdf'])
    expect(await textOf('galpao')).toEqual(['Galpão Norte'])
    expect(await textOf('geladeira')).toEqual(['preciso trocar a geladeira'])
    expect(await textOf('abacaxi')).toEqual([])
    expect(await textOf('apagado')).toEqual([])
    expect((await searchMessages(db, marina, ticket, 'ORCAMENTO')).map(message => message.mediaType)).toEqual([
      'application',
    ])
  })
})

describe('spec 1 §2: a jumped-to message', () => {
  test('comes with the page around it, which goes on to older and to newer ones without a gap', async () => {
    const ticket = await world.aTicket().from('Conversa longa').waitingIn('Financeiro')
    const ids: number[] = []
    for (let n = 1; n <= 50; n++) ids.push(await makeMessage(db, ticket, `linha ${n}`))
    const middle = await loadMessagePage(db, marina, ticket, { around: ids[20] ?? 0, limit: 10 })
    const read = middle.messages.map(message => message.id)
    expect(read).toContain(ids[20] ?? 0)
    for (let cursor = middle.newerCursor; cursor; ) {
      const page = await loadMessagePage(db, marina, ticket, { cursor, limit: 7 })
      read.push(...page.messages.map(message => message.id))
      cursor = page.newerCursor
    }
    for (let cursor = middle.nextCursor; cursor; ) {
      const page = await loadMessagePage(db, marina, ticket, { cursor, limit: 7 })
      expect(page.newerCursor).toBeNull()
      read.unshift(...page.messages.map(message => message.id))
      cursor = page.nextCursor
    }
    expect(read).toEqual(ids)
  })

  test('the newest page has nothing newer', async () => {
    expect((await loadMessagePage(db, marina, ids.lucia, {})).newerCursor).toBeNull()
  })
})

describe('spec 1 §2: the last message of a row', () => {
  test('is the name of a document that came without words', async () => {
    const ticket = await world.aTicket().from('Notas').waitingIn('Financeiro')
    const file = await makeMessage(db, ticket, '')
    await sql`update message set media_type = 'application', media = '{"name":"nota-fiscal.pdf"}' where id = ${file}`
    const last = async () => (await loadTickets(db, [ticket])).get(ticket)?.ticket.lastMessage
    await sql`update ticket set last_message = '', last_message_type = 'application', last_message_id = ${file} where id = ${ticket}`
    expect(await last()).toBe('nota-fiscal.pdf')
    await sql`update ticket set last_message = 'a nota de março' where id = ${ticket}`
    expect(await last()).toBe('a nota de março')
  })
})

describe('spec 1 §6: whoever searches', () => {
  test('finds nothing of a queue that is not the own', async () => {
    for (const query of [
      { searchParam: 'estrela-guia' },
      { searchMessage: 'estrela-guia' },
      { searchParam: 'padaria' },
      { searchContact: 'padaria' },
      { queueIds: `[${await world.queue('Entregas')}]` },
    ])
      expect(JSON.stringify(await found(query, bruna))).not.toContain('adaria')
  })

  test('finds exactly what the policy allows, also beyond the newest thousands', async () => {
    const random = createSeededRandom(20_261_122)
    const queueIds = [await world.queue('Financeiro'), await world.queue('Entregas'), await makeQueue(db, 'Comercial')]
    const people = [
      bruna.viewer.id,
      await makePerson(db, { name: 'Gerente', profile: 'gerente', queueIds: queueIds.slice(0, 2) }),
    ]
    const connection = await makeConnection(db, 'Antiga')
    await sql`insert into contact (name) select 'Antigo ' || g from generate_series(1, 6000) g`
    await sql`
      insert into ticket (status, contact_id, whatsapp_id, queue_id, user_id, is_group, message_seq, last_message_at, closed_at)
      select (array['open', 'closed', 'closed', 'pending', 'paused'])[1 + n % 5], id, ${connection}, (${queueIds}::int[])[1 + n % 3],
        (${people}::int[])[1 + n % 4], n % 7 = 0, 1, now() - n * interval '1 minute', now()
      from (select id, row_number() over (order by id) as n from contact where name like 'Antigo %') c`
    await sql`
      insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, state)
      select id, contact_id, whatsapp_id, 1, last_message_at, false, 'nada de novo', 'received' from ticket where whatsapp_id = ${connection}`
    const all = await sql<
      { id: number }[]
    >`select id from ticket where whatsapp_id = ${connection} order by last_message_at desc`
    const rare = all.filter(() => random.upTo(150) === 0).map(row => row.id)
    expect(rare.length).toBeGreaterThan(20)
    await sql`update message set body = 'um ornitorrinco' where ticket_id = any(${rare}::int[])`
    await sql`update contact set name = 'Zacarias' where id in (select contact_id from ticket where id = any(${rare}::int[]))`
    const facts = await loadFacts(db, rare)
    for (const person of [marina.viewer.id, ...people])
      for (const settings of [
        {},
        { userShowAll: true, hierarchy: true },
        { userClosedQueues: true, groupPerUser: true },
      ]) {
        const session = await makeSession(db, person, settings)
        const allowed = rare.filter(id => {
          const each = facts.get(id)
          return each !== undefined && canSeeTicket(session.viewer, each, session.settings)
        })
        for (const query of [
          { searchMessage: 'ornitorrinco' },
          { searchParam: 'zacarias' },
          { searchContact: 'zacarias' },
        ])
          expect((await found(query, session)).tickets).toEqual(allowed.slice(0, 50).sort((a, b) => a - b))
      }
    const every = rare.toSorted((a, b) => a - b)
    const [tag] = await sql<{ id: number }[]>`insert into tag (name, color) values ('Antigos', '#0b6e4f') returning id`
    await sql`insert into contact_tag (contact_id, tag_id)
      select contact_id, ${tag?.id ?? 0} from ticket where whatsapp_id = ${connection} and id % 2 = 0`
    expect((await found({ searchMessage: 'ornitorrinco', searchTag: `${tag?.id}` })).tickets).toEqual(
      every.filter(id => id % 2 === 0).slice(0, 50),
    )
    // One that holds more than a walk reads: what comes behind it is found all the same.
    for (const long of [all[100], all[4500]]) {
      await sql`update ticket set message_seq = 41000 where id = ${long?.id ?? 0}`
      expect((await found({ searchMessage: 'ornitorrinco' })).tickets).toEqual(every)
      await sql`update ticket set message_seq = 1 where id = ${long?.id ?? 0}`
    }
  })
})

async function refusal(asking: Promise<unknown>): Promise<string | null> {
  try {
    await asking
    return null
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}
