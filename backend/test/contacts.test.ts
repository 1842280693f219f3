// The contact book over HTTP, as a foreign client would use it, and what the contact drawer reads (spec 1 §7, spec 3 §5 and §7).
import { beforeAll, describe, expect, test } from 'bun:test'
import type { Contact, GroupInfo, Message, Ticket } from '@balcao/contract'
import { foldText } from '@balcao/contract/kit/search'
import { mergeContacts } from '../src/desk/contacts/merge.ts'
import { foldContactTally } from '../src/desk/contacts/tally.ts'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makeMessage, makePerson, makeQueue, makeTicket } from './desk-world.ts'
import { waitUntil } from './until.ts'

const server = await startDeskServer()
const { db } = server
const sql = db.$client

const queue = await makeQueue(db, 'Financeiro')
const other = await makeQueue(db, 'Entregas')
const whatsapp = await makeConnection(db, 'Loja Centro')
await makePerson(db, { name: 'Marina', profile: 'admin' })
await makePerson(db, { name: 'Rafael', profile: 'gerente', queueIds: [queue] })
const brunaId = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [queue] })
await makePerson(db, { name: 'Estranho', profile: 'user', queueIds: [other] })
const admin = await server.as('Marina')
const rafael = await server.as('Rafael')
const bruna = await server.as('Bruna')
const stranger = await server.as('Estranho')

interface Refusal {
  error: string
  details?: { path: string; message: string }[]
}

describe('spec 3 §7: POST /contacts', () => {
  test('adds a contact with all its fields, and tells everybody', async () => {
    const tag = await bruna.call<{ id: number }>('POST', '/tag', { name: 'VIP', color: '#B8860B' })
    const { status, body } = await bruna.call<Contact>('POST', '/contacts', {
      name: ' Dona Lúcia ',
      number: '+55 (31) 99876-2210',
      email: 'lucia@email.com.br',
      respostaAutomatica: false,
      extraInfo: [{ name: 'Aniversário', value: '12/03' }],
      tagIds: [tag.body.id],
      redirect: [{ queueId: queue, userId: brunaId }],
      log: { descricao: 'qualquer coisa' },
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      name: 'Dona Lúcia',
      number: '5531998762210',
      email: 'lucia@email.com.br',
      respostaAutomatica: false,
      extraInfo: [{ name: 'Aniversário', value: '12/03' }],
      tags: [{ name: 'VIP' }],
      redirect: [{ queueId: queue, userId: brunaId }],
      optedOutAt: null,
    })
    const [event] = await sql`
      select payload::jsonb->>'action' as action, audience->>'to' as seen from live_event
      where payload::jsonb->>'event' = 'contact' order by id desc limit 1`
    expect(event).toEqual({ action: 'create', seen: 'everyone' })
    const [log] = await sql`select action, contact_id from log_entry order by id desc limit 1`
    expect(log).toEqual({ action: 'contact.create', contact_id: body.id })
  })

  test('a number belongs to one contact, with or without the ninth digit', async () => {
    const first = await bruna.call<Contact>('POST', '/contacts', { name: 'João', number: '5531987120034' })
    for (const number of ['5531987120034', '553187120034']) {
      const { status, body } = await bruna.call('POST', '/contacts', { name: 'Outro João', number })
      expect(status).toBe(409)
      expect(body).toMatchObject({ error: 'ERR_DUPLICATED_CONTACT', details: { contactId: first.body.id } })
    }
  })

  test('a number is read as sheets read it: whoever is known is met again, and what is none is refused', async () => {
    const number = '5531997730085'
    const { body: made } = await bruna.call<Contact>('POST', '/contacts', { name: 'Padaria', number: '31997730085' })
    expect(made.number).toBe(number)
    for (const written of [
      number,
      '(31) 99773-0085',
      '031 9773-0085',
      '+55 31 99773-0085',
      '\u202a+55 31 99773\u20110085',
    ]) {
      const again = await bruna.call<Refusal>('POST', '/contacts', { name: 'Padaria', number: written })
      expect([again.status, again.body.error]).toEqual([409, 'ERR_DUPLICATED_CONTACT'])
      const card = await bruna.call<Contact>('POST', '/contact', { name: 'Padaria', number: written })
      expect(card.body.id).toBe(made.id)
    }
    const code = async (written: string, method = 'POST', path = '/contacts') => {
      const { body } = await bruna.call<{ details?: { code: string }[] }>(method, path, {
        name: 'Nova',
        number: written,
      })
      return body.details?.map(one => one.code)
    }
    expect(await code('99773-0085')).toEqual(['areaCodeMissing'])
    expect(await code('+55 99773-0085', 'POST', '/contact')).toEqual(['areaCodeMissing'])
    expect(await code('555531997730085')).toEqual(['numberUnreadable'])
    expect(await code('31 3333-2201 ramal 12', 'PUT', `/contacts/${made.id}`)).toEqual(['numberUnreadable'])
    await admin.call('DELETE', `/contacts/${made.id}`)
  })

  test('who was typed in without the country before is not made a second time; his form is saved as it stands', async () => {
    const id = await makeContact(db, 'Antiga')
    await sql`update contact set number = '31997730086' where id = ${id}`
    await sql`insert into contact_identity (kind, value, contact_id) values ('pn', '31997730086', ${id})`
    const again = await bruna.call<Refusal>('POST', '/contacts', { name: 'Nova', number: '31 99773-0086' })
    expect([again.status, again.body.error]).toEqual([409, 'ERR_DUPLICATED_CONTACT'])
    const saved = await bruna.call<Contact>('PUT', `/contacts/${id}`, { name: 'Antiga 2', number: '+31997730086' })
    expect([saved.status, saved.body.number]).toEqual([200, '31997730086'])
    const mended = await bruna.call<Contact>('PUT', `/contacts/${id}`, { number: '31 99773-0086' })
    expect([mended.status, mended.body.number]).toEqual([200, '5531997730086'])
    await admin.call('DELETE', `/contacts/${id}`)
  })

  test('of two who add the same number at once one gets it', async () => {
    const form = { name: 'Corrida', number: '5531900000001' }
    const answers = await Promise.all([bruna, rafael, admin].map(person => person.call('POST', '/contacts', form)))
    expect(answers.map(answer => answer.status).sort()).toEqual([201, 409, 409])
    const [found] = await sql`select count(*)::int as count from contact where name = 'Corrida'`
    expect(found).toEqual({ count: 1 })
  })

  test('says of each field what is wrong with it', async () => {
    const { status, body } = await bruna.call<Refusal>('POST', '/contacts', { name: 'A', number: '123', email: 'x' })
    expect([status, body.error]).toEqual([422, 'ERR_VALIDATION'])
    expect(body.details?.map(detail => detail.path)).toEqual(['name', 'number', 'email'])
    const twice = { queueId: queue, userId: brunaId }
    const form = { name: 'Ana', number: '5531911112222', redirect: [twice, twice] }
    const redirects = await bruna.call<Refusal>('POST', '/contacts', form)
    expect(redirects.body.details?.[0]?.message).toBe('Não deve haver mais de um redirecionamento para a mesma fila')
  })
})

describe('spec 3 §7: PUT /contacts/{id}', () => {
  test('changes what is given and leaves the rest; a name given here is not overwritten by a phone', async () => {
    const { body: made } = await bruna.call<Contact>('POST', '/contacts', {
      name: 'Seu Bento',
      number: '5531933334444',
      email: 'bento@email.com.br',
    })
    const { status, body } = await bruna.call<Contact>('PUT', `/contacts/${made.id}`, { name: 'Bento Ramos' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ name: 'Bento Ramos', email: 'bento@email.com.br', number: '5531933334444' })
    expect(body.version).toBeGreaterThan(made.version)
    const [row] = await sql`select name_source from contact where id = ${made.id}`
    expect(row).toEqual({ name_source: 'manual' })
  })

  test('a number corrected before any conversation frees the wrong one; later the old one stays findable', async () => {
    const { body: made } = await bruna.call<Contact>('POST', '/contacts', { name: 'Nina', number: '5531955550000' })
    await bruna.call('PUT', `/contacts/${made.id}`, { number: '5531955550001' })
    expect((await bruna.call('POST', '/contacts', { name: 'Otto', number: '5531955550000' })).status).toBe(201)
    await makeTicket(db, { contactId: made.id, whatsappId: whatsapp, status: 'closed' })
    const { body } = await bruna.call<Contact>('PUT', `/contacts/${made.id}`, { number: '5531955550002' })
    expect(body.numbers).toEqual(expect.arrayContaining(['5531955550001', '5531955550002']))
    expect((await bruna.call('PUT', `/contacts/${made.id}`, { number: '5531955550000' })).status).toBe(409)
  })

  test('a missing contact is ERR_NO_CONTACT_FOUND; a group has no number', async () => {
    const missing = await bruna.call<Refusal>('PUT', '/contacts/999999', { name: 'Ninguém' })
    expect([missing.status, missing.body.error]).toEqual([404, 'ERR_NO_CONTACT_FOUND'])
    const group = await makeContact(db, 'Obra', true)
    const numbered = await bruna.call<Refusal>('PUT', `/contacts/${group}`, { number: '5531900001111' })
    expect([numbered.status, numbered.body.details?.[0]?.path]).toEqual([422, 'number'])
  })

  test('who wants no sends is marked, and unmarked', async () => {
    const id = await makeContact(db, 'Silenciosa')
    const out = await bruna.call<Contact>('PUT', `/contacts/${id}`, { optedOut: true })
    expect(out.body.optedOutAt).not.toBeNull()
    expect((await bruna.call<Contact>('PUT', `/contacts/${id}`, { optedOut: false })).body.optedOutAt).toBeNull()
  })
})

describe('spec 3 §6: the rights addContact and editContact', () => {
  test('without them nothing is added or changed but tags, which are the team’s', async () => {
    const id = await makeContact(db, 'Intocável')
    const tag = await stranger.call<{ id: number }>('POST', '/tag', { name: 'Novo', color: '#2E9E6B' })
    await sql`update "user" set add_contact = false, edit_contact = false where name = 'Estranho'`
    const form = { name: 'Alguém', number: '5531977778888' }
    for (const call of [
      stranger.call<Refusal>('POST', '/contacts', form),
      stranger.call<Refusal>('POST', '/contact', form),
      stranger.call<Refusal>('PUT', `/contacts/${id}`, { name: 'Tocado' }),
      stranger.call<Refusal>('PUT', `/contacts/${id}`, { tagIds: [tag.body.id], email: 'a@b.com' }),
    ]) {
      const { status, body } = await call
      expect([status, body.error]).toEqual([403, 'ERR_NO_PERMISSION'])
    }
    const tagged = await stranger.call<Contact>('PUT', `/contacts/${id}`, { tagIds: [tag.body.id] })
    expect([tagged.status, tagged.body.tags.map(each => each.name)]).toEqual([200, ['Novo']])
    await sql`update "user" set add_contact = true, edit_contact = true where name = 'Estranho'`
  })
})

describe('spec 3 §2: redirect rows', () => {
  test('name only people who have the queue; one that stood there before somebody lost the queue may stay', async () => {
    const contactId = await makeContact(db, 'Vai direto')
    const linked = { queueId: queue, userId: brunaId }
    const [other] = await sql<{ id: number }[]>`select id from "user" where name = 'Estranho'`
    const unlinked = { queueId: queue, userId: other?.id ?? 0 }
    const path = `/contacts/${contactId}`
    const refused = await bruna.call<Refusal>('PUT', path, { name: 'Outro nome', redirect: [unlinked] })
    expect([refused.status, refused.body.details]).toMatchObject([
      422,
      [{ path: 'redirect/0', code: 'redirectUnlinked', message: 'Usuário não está vinculado a essa fila!' }],
    ])
    expect((await bruna.call<Contact>('GET', path)).body.name).toBe('Vai direto')
    expect((await bruna.call<Contact>('PUT', path, { redirect: [linked] })).body.redirect).toEqual([linked])
    await sql`delete from user_queue where user_id = ${brunaId}`
    const again = await rafael.call<Contact>('PUT', path, { email: 'a@b.com.br', redirect: [linked] })
    await sql`insert into user_queue (user_id, queue_id) values (${brunaId}, ${queue})`
    expect([again.status, again.body.redirect]).toEqual([200, [linked]])
  })

  test('without queue or person are refused in the words of the specification', async () => {
    const form = { name: 'Ana', number: '5531911113333', redirect: [{ queueId: queue, userId: null }] }
    const { status, body } = await bruna.call<Refusal>('POST', '/contacts', form)
    expect([status, body.details?.[0]]).toMatchObject([
      422,
      { message: 'Não deve existir redirecionamento sem fila/usuário atribuído' },
    ])
  })
})

describe('decisions §16, §22: a change of a contact', () => {
  test('is logged before and after; of e-mail and notes only that they changed', async () => {
    const contactId = await makeContact(db, 'Antes')
    const note = { name: 'CPF', value: '111' }
    const change = { name: 'Depois', email: 'x@y.com.br', respostaAutomatica: false, extraInfo: [note] }
    await bruna.call('PUT', `/contacts/${contactId}`, change)
    const [entry] = await sql`select user_id, action, params from log_entry where contact_id = ${contactId}`
    expect(entry).toEqual({
      user_id: brunaId,
      action: 'contact.update',
      params: {
        changes: [
          { field: 'name', from: 'Antes', to: 'Depois' },
          { field: 'respostaAutomatica', from: true, to: false },
          { field: 'email' },
          { field: 'extraInfo' },
        ],
      },
    })
  })

  test('that began from an older version is refused with the present contact; without a version the last one wins', async () => {
    const contactId = await makeContact(db, 'Versão um')
    const path = `/contacts/${contactId}`
    const { body: first } = await bruna.call<Contact>('GET', path)
    const { body: second } = await rafael.call<Contact>('PUT', path, { name: 'Versão dois', version: first.version })
    const late = await bruna.call<Refusal>('PUT', path, { name: 'Versão três', version: first.version })
    expect([late.status, late.body]).toMatchObject([
      409,
      { error: 'ERR_CHANGED_MEANWHILE', details: { name: 'Versão dois', version: second.version } },
    ])
    expect((await bruna.call<Contact>('PUT', path, { name: 'Versão três' })).status).toBe(200)
  })
})

describe('the list of contacts (decisions §22)', () => {
  interface Listed {
    contacts: Contact[]
    count: number
    nextCursor: string | null
  }
  const list = async (query: string) => (await bruna.call<Listed>('GET', `/contacts?${query}`)).body
  const counted = async () => {
    const [row] = await sql<{ all: number; people: number }[]>`
      select count(*)::int as "all", count(*) filter (where not is_group)::int as people from contact where merged_into is null`
    return [row?.all ?? 0, row?.people ?? 0]
  }
  const countListed = async () => [(await list('')).count, (await list('ignoreGroup=true')).count]

  test('tells how many there are after additions, deletions and merges, folded or not', async () => {
    expect(await countListed()).toEqual(await counted())
    await sql`insert into contact (name, is_group) select 'Muitos ' || g, g % 3 = 0 from generate_series(1, 30) g`
    const [into, from] = [await makeContact(db, 'Um só'), await makeContact(db, 'Um só também')]
    await db.transaction(tx => mergeContacts(tx, into, from))
    await sql`delete from contact where name in ('Muitos 3', 'Muitos 4')`
    await sql`update contact set is_group = true where name = 'Muitos 5'`
    expect(await countListed()).toEqual(await counted())
    await foldContactTally(db)
    expect(await countListed()).toEqual(await counted())
    expect((await sql`select 1 from contact_tally`).length).toBe(2)
  })

  test('goes by name without accents and capitals, page by page, nobody twice and nobody left out', async () => {
    await sql`insert into contact (name) values ('Água Viva'), ('abelha'), ('Zebra'), ('ágata'), ('Ágata')`
    const names: string[] = []
    const ids: number[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Listed = await list(cursor === '' ? '' : `cursor=${cursor}`)
      names.push(...page.contacts.map(contact => foldText(contact.name)))
      ids.push(...page.contacts.map(contact => contact.id))
      cursor = page.nextCursor
    }
    expect(names).toEqual(names.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0)))
    expect([new Set(ids).size, ids.length]).toEqual([ids.length, (await counted())[0] ?? 0])
  })

  test('is searched by name, e-mail and any number, also where thousands are found', async () => {
    const { body: one } = await bruna.call<Contact>('POST', '/contacts', {
      name: 'Çelebi Moveis',
      number: '5531940028922',
      email: 'vendas@celebi.example',
    })
    const found = async (text: string) =>
      (await list(`searchParam=${encodeURIComponent(text)}`)).contacts.map(each => each.id)
    for (const text of ['celebi', 'VENDAS@cele', '94002', '(31) 94002-8922'])
      expect(await found(text)).toEqual([one.id])
    expect(await found('%%%')).toEqual([])
    await sql`insert into contact (name) select 'Repetido ' || lpad(g::text, 4, '0') from generate_series(1, 2100) g`
    const first = await list('searchParam=repetido')
    const second = await list(`searchParam=repetido&cursor=${first.nextCursor}`)
    expect([...first.contacts, ...second.contacts].map(each => each.name)).toEqual(
      Array.from({ length: 40 }, (_, n) => `Repetido ${String(n + 1).padStart(4, '0')}`),
    )
    await sql`delete from contact where name like 'Repetido %'`
  })
})

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
