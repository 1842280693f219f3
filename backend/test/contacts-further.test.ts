// Contacts are deleted, given tags, looked back on, and turn out to be one (spec 3 §5, §6).
import { beforeAll, describe, expect, test } from 'bun:test'
import type { Contact, GroupInfo, Message, Ticket } from '@balcao/contract'
import { mergeContacts } from '../src/desk/contacts/merge.ts'
import { type Refusal, startContactsDesk } from './contacts-desk.ts'
import { makeConnection, makeContact, makeMessage, makePerson, makeTicket } from './desk-world.ts'
import { waitUntil } from './until.ts'

const { server, db, sql, queue, whatsapp, brunaId, admin, bruna, stranger } = await startContactsDesk()

describe('spec 3 §5: DELETE /contacts/{id}', () => {
  // Nobody has the right from the beginning.
  beforeAll(async () => void (await sql`update "user" set del_contact = true`))

  test('takes all conversations with it, tells everybody, and is logged', async () => {
    const contactId = await makeContact(db, 'Vai embora')
    const closed = await makeTicket(db, { contactId, whatsappId: whatsapp, status: 'closed', queueId: queue })
    const open = await makeTicket(db, {
      contactId,
      whatsappId: whatsapp,
      status: 'open',
      queueId: queue,
      userId: brunaId,
    })
    await makeMessage(db, open, 'Olá')
    await sql`insert into media (id, name, mime, size, sha256, owner, ticket_id) values ('foto-de-quem-vai', 'a', 'image/png', 1, 'x', 'message', ${closed})`
    const before = await sql<{ id: number }[]>`select coalesce(max(id), 0)::int as id from live_event`
    expect((await stranger.call('DELETE', `/contacts/${contactId}`)).status).toBe(403)
    expect((await bruna.call('DELETE', `/contacts/${contactId}`)).status).toBe(204)
    expect((await bruna.call<Refusal>('GET', `/contacts/${contactId}`)).body.error).toBe('ERR_NO_CONTACT_FOUND')
    expect((await bruna.call('GET', `/tickets/${open}`)).status).toBe(404)
    expect(await sql`select 1 from message where contact_id = ${contactId}`).toHaveLength(0)
    expect([...(await sql`select owner from media where id = 'foto-de-quem-vai'`)]).toEqual([{ owner: 'upload' }])
    const rows = await sql`
      select payload::jsonb->>'event' as event, payload::jsonb->>'action' as action,
        coalesce(payload::jsonb->'ticketId', payload::jsonb->'contactId')::int as id
      from live_event where id > ${before[0]?.id ?? 0} order by live_event.id`
    expect([...rows]).toEqual([
      { event: 'ticket', action: 'delete', id: closed },
      { event: 'ticket', action: 'delete', id: open },
      { event: 'contact', action: 'delete', id: contactId },
    ])
    const [entry] =
      await sql`select action, params from log_entry where contact_id = ${contactId} order by id desc limit 1`
    expect(entry).toEqual({ action: 'contact.delete', params: { tickets: 2 } })
    expect((await bruna.call('DELETE', `/contacts/${contactId}`)).status).toBe(404)
  })

  test('by two at once it is taken away once: one is told that there is none, and the log has one entry', async () => {
    const contactId = await makeContact(db, 'Duas vezes')
    const answers = await Promise.all([1, 2, 3].map(() => admin.call('DELETE', `/contacts/${contactId}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404])
    expect(
      await sql`select 1 from log_entry where contact_id = ${contactId} and action = 'contact.delete'`,
    ).toHaveLength(1)
  })

  test('the file of a message that was planned for it goes to be swept, too', async () => {
    const contactId = await makeContact(db, 'Com agendamento')
    const ticketId = await makeTicket(db, { contactId, whatsappId: whatsapp, status: 'closed', queueId: queue })
    await sql`insert into media (id, name, mime, size, sha256, owner, ticket_id) values ('de-um-agendamento', 'a', 'image/png', 1, 'x', 'schedule', ${ticketId})`
    expect((await admin.call('DELETE', `/contacts/${contactId}`)).status).toBe(204)
    expect([...(await sql`select owner from media where id = 'de-um-agendamento'`)]).toEqual([{ owner: 'upload' }])
  })

  test('nothing is left to be done for it: not the receipt of what was read just before', async () => {
    const contactId = await makeContact(db, 'Foi lida')
    const ticketId = await makeTicket(db, {
      contactId,
      whatsappId: whatsapp,
      status: 'open',
      queueId: queue,
      unread: 1,
    })
    const message = await makeMessage(db, ticketId, 'Olá')
    await sql`update message set provider_id = 'LIDA', chat = '5531998762219@s.whatsapp.net', read = false where id = ${message}`
    expect((await admin.call('POST', `/tickets/${ticketId}/read`)).status).toBeLessThan(300)
    const waiting = () => sql`select operation from outbox where contact_id = ${contactId}`
    expect([...(await waiting())]).toEqual([{ operation: 'read' }])
    expect((await admin.call('DELETE', `/contacts/${contactId}`)).status).toBe(204)
    expect(await waiting()).toHaveLength(0)
  })

  test('is refused while a protocol is linked to it, in the words of the specification; nothing is lost', async () => {
    const contactId = await makeContact(db, 'Tem protocolo')
    const path = `/protocolos/contact/${contactId}`
    expect((await bruna.call<boolean>('GET', path)).body).toBe(false)
    const ticketId = await makeTicket(db, { contactId, whatsappId: whatsapp, status: 'closed', queueId: queue })
    await sql`insert into protocol (protocolo, ticket_id, contact_id) values ('20261123000001', ${ticketId}, ${contactId})`
    expect((await bruna.call<boolean>('GET', path)).body).toBe(true)
    const { status, body } = await bruna.call<Refusal & { message: string }>('DELETE', `/contacts/${contactId}`)
    expect([status, body.error, body.message]).toEqual([
      409,
      'ERR_PROTOCOL_LINKED',
      'Não é possível deletar esse contato pois existe um protocolo vinculado a ele',
    ])
    expect((await admin.call('GET', `/tickets/${ticketId}`)).status).toBe(200)
  })

  test('while somebody writes to it: either goes first, nothing is left behind', async () => {
    const contactId = await makeContact(db, 'Corrida')
    const ticketId = await makeTicket(db, {
      contactId,
      whatsappId: whatsapp,
      status: 'open',
      queueId: queue,
      userId: brunaId,
    })
    const write = () => bruna.call('POST', `/messages/${ticketId}`, { body: 'Um momento' })
    const answers = await Promise.all([write(), admin.call('DELETE', `/contacts/${contactId}`), write()])
    expect(answers[1]?.status).toBe(204)
    expect(answers.filter(answer => answer.status >= 500)).toEqual([])
    const [left] = await sql`
      select (select count(*)::int from message where contact_id = ${contactId}) as messages,
        (select count(*)::int from ticket where contact_id = ${contactId}) as tickets`
    expect(left).toEqual({ messages: 0, tickets: 0 })
  })
})

describe('spec 3 §6: each flag is a right of its own, whatever the profile', () => {
  const ALL = { add_contact: true, edit_contact: true, del_contact: true }
  for (const profile of ['admin', 'gerente', 'user'] as const)
    for (const flag of ['add_contact', 'edit_contact', 'del_contact'] as const)
      test(`${profile} without ${flag} is refused that alone`, async () => {
        const name = `Sem-${flag.slice(0, 3)}-${profile}`
        await makePerson(db, { name, profile, queueIds: [queue] })
        await sql`update "user" set ${sql({ ...ALL, [flag]: false })} where name = ${name}`
        const person = await server.as(name)
        const contactId = await makeContact(db, 'Pedro')
        const number = `55319${String(contactId).padStart(8, '0')}`
        const statuses = {
          add_contact: (await person.call('POST', '/contacts', { name: 'Novo', number })).status,
          edit_contact: (await person.call('PUT', `/contacts/${contactId}`, { name: 'Pedra' })).status,
          del_contact: (await person.call('DELETE', `/contacts/${contactId}`)).status,
        }
        expect(statuses).toEqual({ add_contact: 201, edit_contact: 200, del_contact: 204, [flag]: 403 })
      })
})

describe('spec 1 §7: POST /contact', () => {
  test('of many who open one card at once all get the one contact', async () => {
    const requests = Array.from({ length: 12 }, () =>
      bruna.call<Contact>('POST', '/contact', { name: 'Cartão de todos', number: '5531966664444' }),
    )
    const answers = await Promise.all(requests)
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
  })

  test('gives the contact that has the number, in whatever spelling, and makes one where there is none', async () => {
    const { body: known } = await bruna.call<Contact>('POST', '/contacts', { name: 'Tânia', number: '5531992211887' })
    const again = await bruna.call<Contact>('POST', '/contact', { name: 'Tania V.', number: '553192211887', email: '' })
    expect([again.status, again.body.id, again.body.name]).toEqual([200, known.id, 'Tânia'])
    const fresh = await bruna.call<Contact>('POST', '/contact', { name: 'Cartão', number: '5531966665555' })
    expect(fresh.body).toMatchObject({ name: 'Cartão', number: '5531966665555' })
    const long = await bruna.call<Contact>('POST', '/contact', { name: `${'a'.repeat(49)}😀`, number: '5531966665556' })
    expect(long.body.name).toBe('a'.repeat(49))
  })
})

describe('spec 3 §5: tag', () => {
  test('a name has 2 to 50 characters, a colour 3 to 9; contacts get it at once', async () => {
    const id = await makeContact(db, 'Padaria')
    const { status, body } = await bruna.call<{ id: number; name: string }>('POST', '/tag', {
      name: 'Recorrente',
      color: '#1F8FB5',
      contacts: [id],
    })
    expect([status, body.name]).toEqual([201, 'Recorrente'])
    expect((await bruna.call<Contact>('GET', `/contacts/${id}`)).body.tags.map(tag => tag.id)).toEqual([body.id])
    for (const form of [
      { name: 'R', color: '#1F8FB5' },
      { name: 'r'.repeat(51), color: '#1F8FB5' },
      { name: 'Azul', color: '#1' },
      { name: 'Azul', color: 'url(x)' },
    ])
      expect((await bruna.call('POST', '/tag', form)).status).toBe(422)
  })
})

describe('since when somebody is a customer', () => {
  test('is no later than their first conversation, also where that was imported after it', async () => {
    const contactId = await makeContact(db, 'Antiga')
    const ticketId = await makeTicket(db, { contactId, whatsappId: whatsapp, status: 'closed', queueId: queue })
    const [ticket] = await sql<{ at: string }[]>`
      update ticket set created_at = date_trunc('second', now() - interval '90 days') where id = ${ticketId} returning created_at as at`
    const { body } = await admin.call<Contact>('GET', `/contacts/${contactId}`)
    expect(Date.parse(body.createdAt)).toBe(Date.parse(ticket?.at ?? ''))
  })
})

describe('the history of a contact', () => {
  test('has the tickets one may see, newest first, by key', async () => {
    const contactId = await makeContact(db, 'Mercadinho')
    const made: number[] = []
    for (let n = 0; n < 13; n++)
      made.push(
        await makeTicket(db, { contactId, whatsappId: whatsapp, status: 'closed', queueId: queue, userId: brunaId }),
      )
    const path = `/contacts/${contactId}/tickets`
    const first = await bruna.call<Page>('GET', path)
    expect(first.body.tickets.map(ticket => ticket.id)).toEqual(made.toReversed().slice(0, 10))
    const second = await bruna.call<Page>('GET', `${path}?cursor=${first.body.nextCursor}`)
    expect(second.body.tickets.map(ticket => ticket.id)).toEqual(made.slice(0, 3).toReversed())
    expect([first.body.hasMore, second.body.hasMore]).toEqual([true, false])
    expect((await stranger.call<Page>('GET', path)).body.tickets).toEqual([])
  })
})

describe('the gallery of a conversation', () => {
  test('has pictures and videos, documents, recordings and links apart, newest first, by key, and nothing deleted', async () => {
    const contactId = await makeContact(db, 'Galeria')
    const ticketId = await makeTicket(db, {
      contactId,
      whatsappId: whatsapp,
      status: 'open',
      queueId: queue,
      userId: brunaId,
    })
    const types = ['image', 'video', 'application', 'audio', 'image'] as const
    const ids: number[] = []
    for (const [at, type] of types.entries()) {
      const id = await makeMessage(db, ticketId, '')
      await sql`update message set media_type = ${type}, media_id = ${`arquivo-de-teste-${at}`} where id = ${id}`
      ids.push(id)
    }
    await sql`update message set is_deleted = true where id = ${ids[4] ?? 0}`
    const bill = await makeMessage(db, ticketId, 'Boleto')
    await sql`update message set media_type = 'payment', media_id = 'boleto', media = '{"mime":"application/pdf","state":"stored"}' where id = ${bill}`
    const link = await makeMessage(db, ticketId, 'Veja https://saojose.example/tabela')
    const place = await makeMessage(db, ticketId, '|https://maps.example/x|Loja')
    await sql`update message set media_type = 'location' where id = ${place}`
    const shown = async (kind: string, more = '') => {
      const { body } = await bruna.call<Gallery>('GET', `/messages/gallery/${ticketId}?kind=${kind}${more}`)
      return body
    }
    expect((await shown('media')).messages.map(message => message.id)).toEqual([ids[1] ?? 0, ids[0] ?? 0])
    expect((await shown('documents')).messages.map(message => message.id)).toEqual([bill, ids[2] ?? 0])
    expect((await shown('audio')).messages.map(message => message.id)).toEqual([ids[3] ?? 0])
    expect((await shown('links')).messages.map(message => message.id)).toEqual([link])
    const page = await shown('media', '&limit=1')
    const rest = await shown('media', `&limit=1&cursor=${page.nextCursor}`)
    expect([page.hasMore, rest.hasMore, rest.messages.map(message => message.id)]).toEqual([true, false, [ids[0] ?? 0]])
    const hidden = await stranger.call<Refusal>('GET', `/messages/gallery/${ticketId}`)
    expect([hidden.status, hidden.body.error]).toEqual([403, 'ERR_NO_PERMISSION'])
  })

  test('reads its partial indexes', async () => {
    for (const [condition, index] of [
      [sql`media_id is not null and media_type in ('image', 'video')`, 'message_files'],
      [sql`body ~ 'https?://' and media_type not in ('location', 'system')`, 'message_links'],
    ] as const) {
      const rows = await sql.begin(async tx => {
        await tx`set local enable_seqscan = off`
        await tx`set local enable_sort = off`
        return tx`explain select id from message where contact_id = 7 and ${condition}
          order by at desc nulls last, ticket_id desc nulls last, seq desc nulls last limit 24`
      })
      expect(rows.map(row => row['QUERY PLAN']).join('\n')).toContain(index)
    }
  })
})

describe('spec 1 §7: GET /contact/group/{id}', () => {
  test('is refused to whom none of its tickets is visible, and says when its connection is down', async () => {
    const contactId = await makeContact(db, 'Entregas zona norte', true)
    await sql`insert into contact_identity (kind, value, contact_id) values ('group', '1@g.us', ${contactId})`
    await makeTicket(db, {
      contactId,
      whatsappId: whatsapp,
      status: 'open',
      queueId: queue,
      userId: brunaId,
      isGroup: true,
    })
    const down = await bruna.call<Refusal & GroupInfo>('GET', `/contact/group/${contactId}`)
    expect([down.status, down.body.error]).toEqual([409, 'ERR_WAPP_NOT_INITIALIZED'])
    const hidden = await stranger.call<Refusal>('GET', `/contact/group/${contactId}`)
    expect([hidden.status, hidden.body.error]).toEqual([403, 'ERR_NO_PERMISSION'])
    const person = await makeContact(db, 'Uma pessoa')
    const noGroup = await bruna.call<Refusal>('GET', `/contact/group/${person}`)
    expect([noGroup.status, noGroup.body.error]).toEqual([404, 'ERR_NO_CONTACT_FOUND'])
  })
})

interface Page {
  tickets: Ticket[]
  hasMore: boolean
  nextCursor: string | null
}

interface Gallery {
  messages: Message[]
  hasMore: boolean
  nextCursor: string | null
}

describe('two contacts that turn out to be one person', () => {
  test('are not changed under the one that ends just then: who tries is told that it is gone', async () => {
    const [into, from] = [await makeContact(db, 'Quem fica'), await makeContact(db, 'Quem vai')]
    const { changing } = await db.transaction(async tx => {
      await mergeContacts(tx, into, from)
      const begun = bruna.call<Refusal>('PUT', `/contacts/${from}`, { name: 'Tarde demais' })
      await waitUntil('the change waits for the merge', async () => {
        const [waiting] = await sql<{ n: number }[]>`
          select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        return waiting?.n === 1
      })
      return { changing: begun }
    })
    expect((await changing).body.error).toBe('ERR_NO_CONTACT_FOUND')
    const names = await sql<{ name: string }[]>`select name from contact where id in (${into}, ${from}) order by id`
    expect(names.map(({ name }) => name)).toEqual(['Quem fica', 'Quem vai'])
  })

  test('keep what was rated before the ticket came back that goes on in the other one', async () => {
    const [into, from] = [await makeContact(db, 'Fica'), await makeContact(db, 'Avaliou')]
    const whatsappId = await makeConnection(db, 'Loja das estrelas')
    await makeTicket(db, { contactId: into, whatsappId, status: 'pending' })
    const younger = await makeTicket(db, { contactId: from, whatsappId, status: 'open' })
    await sql`insert into rating (ticket_id, contact_id, whatsapp_id, rate) values (${younger}, ${from}, ${whatsappId}, 5)`
    await db.transaction(tx => mergeContacts(tx, into, from))
    const ratings = await sql`select ticket_id, contact_id, rate from rating where whatsapp_id = ${whatsappId}`
    expect([...ratings]).toEqual([{ ticket_id: younger, contact_id: into, rate: 5 }])
  })

  const CASES = [
    ['waiting', 'handed', 'handed'],
    ['handed', 'waiting', 'handed'],
    ['waiting', 'excluded', 'excluded'],
    ['waiting', 'waiting', 'waiting'],
    ['handed', 'handed', 'handed'],
  ] as const
  for (const [first, second, left] of CASES)
    test(`get a send once: ${first} and ${second} become ${left}`, async () => {
      const [into, from] = [await makeContact(db, 'Padaria Estrela'), await makeContact(db, 'Padaria Estrela 2')]
      const [run] = await sql<{ id: number }[]>`
        insert into send (due_at, state, body, recipients) values (now(), 'running', 'Bom dia', '{}') returning id`
      const id = run?.id ?? 0
      await sql`insert into send_recipient (send_id, contact_id, state)
        values (${id}, ${into}, ${first}), (${id}, ${from}, ${second})`
      await db.transaction(tx => mergeContacts(tx, into, from))
      expect([...(await sql`select contact_id, state from send_recipient where send_id = ${id}`)]).toEqual([
        { contact_id: into, state: left },
      ])
    })
})
