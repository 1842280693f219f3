// Contacts are made, changed and listed (spec 3 §7, decisions §16, §22).
import { describe, expect, test } from 'bun:test'
import type { Contact } from '@balcao/contract'
import { foldText } from '@balcao/contract/kit/search'
import { mergeContacts } from '../src/desk/contacts/merge.ts'
import { foldContactTally } from '../src/desk/contacts/tally.ts'
import { type Refusal, startContactsDesk } from './contacts-desk.ts'
import { makeContact, makeTicket } from './desk-world.ts'

const { db, sql, queue, whatsapp, brunaId, admin, rafael, bruna, stranger } = await startContactsDesk()

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
