// The privacy desk (decisions-2 §19, §23): a person is found, handed over and erased, and afterwards nowhere: in no table and no file.
import { beforeAll, describe, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Contact,
  ERASE_WORD,
  ERASED_NAME,
  type Erasure,
  type HeldData,
  type Job,
  type Message,
  type ResponseBody,
  type Ticket,
} from '@balcao/contract'
import { strFromU8, unzipSync } from 'fflate'
import pino from 'pino'
import { mergeContacts } from '../src/desk/contacts/merge.ts'
import { receiveEvents } from '../src/messaging/inbox/receive.ts'
import { requestErasure, undoErasure } from '../src/operations/privacy/ask.ts'
import { type ErasingParts, eraseDue } from '../src/operations/privacy/erase.ts'
import { findMergedContactIds, readContactFiles, readPersonalData } from '../src/operations/privacy/held.ts'
import { buildTracePattern } from '../src/operations/privacy/traces.ts'
import type { Parts } from '../src/policy/kit/parts.ts'
import { type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makeConnection, makeMessage, makePerson, makeQueue, makeSession, makeTicket } from './desk-world.ts'
import { makeGroupPeer, makeMessageEvent, makePeer, makeReactionEvent } from './inbox-world.ts'
import { readPdf } from './pdf-reader.ts'
import { waitUntil } from './until.ts'

const NAME = 'Dona Lúcia Ferreira'
const NUMBER = '5531998762210'
const LID = '240111222333444'
const WORDS = [
  'segredo-da-lucia',
  'palavras-para-a-lucia',
  'palavras-no-grupo-da-lucia',
  'assunto-do-protocolo-da-lucia',
]
/** Everything by which anybody could tell that it was her. */
const TRACES = [
  NAME,
  'Lúcia antiga',
  NUMBER,
  '553198762210',
  '31 99876-2210',
  LID,
  'lucia@ferreira.example',
  'boleto-da-lucia',
  'cartao-da-lucia',
  ...WORDS,
]

const server = await startDeskServer()
const { db, url } = server
const sql = db.$client
const parts: ErasingParts = { db, config: server.config, log: pino({ level: 'silent' }), ring: () => {} }
let marina: SignedInPerson
let bruna: SignedInPerson
let queueId = 0
let whatsappId = 0

const lucia = makePeer({ pn: NUMBER, lid: LID })
const group = makeGroupPeer('120363000000000001')
const beto = makePeer({ pn: '5531987650001' })

beforeAll(async () => {
  queueId = await makeQueue(db, 'Vendas')
  const marinaId = await makePerson(db, { name: 'Marina', profile: 'admin', queueIds: [queueId] })
  await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [queueId] })
  await sql`update "user" set del_contact = true, add_contact = true, edit_contact = true`
  whatsappId = await makeConnection(db, 'Loja')
  await sql`update whatsapp set is_default = true, number = '5531322240100'`
  marina = await server.as('Marina')
  bruna = await server.as('Bruna')
  await sql`insert into setting (key, value) values ('privacyGraceDays', '7') on conflict (key) do update set value = excluded.value`
  await fill(marinaId)
})

const held = async (id: number) => (await marina.call<HeldData>('GET', `/privacy/${id}`)).body
const erase = (id: number, body: unknown = { confirm: ERASE_WORD }, by = marina) =>
  by.call<Erasure & { error?: string }>('DELETE', `/privacy/${id}`, body)
const find = async (text: string) =>
  (await marina.call<ResponseBody<'GET /privacy'>>('GET', `/privacy?searchParam=${encodeURIComponent(text)}`)).body
const add = async (form: object) => (await marina.call<Contact>('POST', '/contacts', form)).body.id
/** Erases without the grace. */
const eraseNow = async (id: number, body: unknown = { confirm: ERASE_WORD }) => {
  expect((await erase(id, body)).status).toBe(202)
  await sql`update privacy_erasure set due_at = now() - interval '1 second' where contact_id = ${id} and state = 'waiting'`
  await eraseDue(parts)
}
const requestOf = async (id: number) => (await find('')).requests.find(({ contactId }) => contactId === id)

let luciaId = 0
let luciasTicket = 0
let betosTicket = 0

describe('§19, §23: finding a person', () => {
  test('by name, number, protocol and hidden address; nobody without a search', async () => {
    for (const text of ['lucia ferreira', '99876-2210', LID, '20261123-0001'])
      expect({ text, found: (await find(text)).people.map(({ id }) => id) }).toEqual({ text, found: [luciaId] })
    expect((await find('')).people).toEqual([])
  })

  test('what is held is told place by place', async () => {
    const { person, contact, conversations, groups, protocols, files } = await held(luciaId)
    expect(person).toMatchObject({ id: luciaId, name: NAME, dueAt: null })
    expect(contact.numbers).toContain(NUMBER)
    expect(conversations.messages).toBeGreaterThanOrEqual(2)
    expect([groups.messages, protocols.count, protocols.numbers]).toEqual([1, 1, ['20261123-0001']])
    expect(files.documents + files.pictures).toBe(1)
  })

  test('somebody of whom there is only a row of a cancelled send is not said to be in no send', async () => {
    const ana = await add({ name: 'Ana do Envio', number: '5531984500777' })
    const [send] = await sql<{ id: number }[]>`
      insert into send (due_at, state, body, recipients) values (now(), 'cancelled', 'Promoção', '{}') returning id`
    await sql`insert into send_recipient (send_id, contact_id, state) values (${send?.id ?? 0}, ${ana}, 'waiting')`
    expect((await held(ana)).sends).toEqual({ received: 0, listed: 1, scheduled: 0 })
    const pages = await Array.fromAsync(readPersonalData(db, [ana], { messages: 0 }, async () => {}))
    const { envios }: { envios: { state: string }[] } = JSON.parse(Buffer.concat(pages).toString())
    expect(envios.map(({ state }) => state)).toEqual(['cancelled'])
    await sql`delete from send where id = ${send?.id ?? 0}`
    await sql`delete from contact where id = ${ana}`
  })

  test('the page counts what the export holds, kind by kind, also of a contact that was merged into it', async () => {
    const rita = await add({ name: 'Rita', number: '5531984500778' })
    const ritaOld = await add({ name: 'Rita antiga', number: '5531984500779' })
    const ticketId = await makeTicket(db, { contactId: ritaOld, whatsappId, status: 'closed' })
    await makeMessage(db, ticketId, 'antes de ser unida')
    await sql`insert into rating (ticket_id, contact_id, whatsapp_id, rate) values (${ticketId}, ${ritaOld}, ${whatsappId}, 4)`
    const noted = await makeMessage(db, ticketId, 'nota da equipe')
    await sql`update message set media_type = 'comment' where id = ${noted}`
    await sql`update contact set merged_into = ${rita} where id = ${ritaOld}`
    for (const id of [luciaId, rita])
      expect([id, ...(await countExported(id))]).toEqual([id, ...countShown(await held(id))])
    expect((await held(rita)).conversations.messages).toBe(1)
    await sql`update contact set merged_into = null where id = ${ritaOld}`
    await sql`delete from rating where contact_id = ${ritaOld}`
  })

  test('every table that names a contact is found and exported, or has a reason', async () => {
    const tables = await sql<{ name: string }[]>`
      select distinct c.table_name::text as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.column_name in ('contact_id', 'author_id', 'from_id', 'into_id')`
    const rows = await Bun.file(new URL('../src/operations/privacy/rows.ts', import.meta.url)).text()
    const unknown = tables
      .map(({ name }) => name)
      .filter(name => !new RegExp(`from ${name}\\b|join ${name}\\b`).test(rows))
    expect(unknown.sort()).toEqual(Object.keys(NOT_HANDED_OVER).sort())
  })

  test('for administrators alone, of people alone', async () => {
    for (const [method, path] of [
      ['GET', '/privacy?searchParam=lucia'],
      ['GET', `/privacy/${luciaId}`],
      ['POST', `/privacy/${luciaId}/export`],
      ['DELETE', `/privacy/${luciaId}`],
      ['POST', `/privacy/${luciaId}/undo`],
    ] as const) {
      const { status } = await bruna.call(method, path, method === 'GET' ? undefined : { confirm: ERASE_WORD })
      expect([path, status]).toEqual([path, 403])
    }
    const [{ id } = { id: 0 }] = await sql<{ id: number }[]>`select id from contact where is_group`
    expect((await marina.call('GET', `/privacy/${id}`)).status).toBe(404)
    expect((await erase(id)).status).toBe(404)
  })
})

describe('§19: export', () => {
  test('data as JSON, the files and a PDF to read, in one archive', async () => {
    const { body } = await marina.call<{ jobId: number }>('POST', `/privacy/${luciaId}/export`)
    const job = async () => (await marina.call<Job>('GET', `/jobs/${body.jobId}`)).body
    await waitUntil('the archive is ready', async () => (await job()).endedAt !== null)
    const { state, result } = await job()
    expect([state, Object.keys(result?.counts ?? {}).sort()]).toEqual(['done', ['files', 'messages']])
    const files = unzipSync(new Uint8Array(await (await fetch(new URL(result?.url ?? '', url))).arrayBuffer()))
    const names = Object.keys(files)
    expect(names.slice(0, 2)).toEqual(['dados.json', 'conversas.pdf'])
    expect(names.some(name => name.endsWith('boleto-da-lucia.png'))).toBe(true)
    const data = JSON.parse(strFromU8(files['dados.json'] ?? new Uint8Array()))
    expect(data.contato[0]).toMatchObject({ name: NAME })
    expect(data.nomes.map(({ value }: { value: string }) => value)).toContain(LID)
    const texts = [...data.mensagens, ...data.mensagensEmGrupos].map(({ body: text }: { body: string }) => text)
    expect(texts).toEqual(expect.arrayContaining(['segredo-da-lucia', 'palavras-no-grupo-da-lucia']))
    expect(JSON.stringify(data)).not.toContain('resposta-do-beto')
    // Who reacted to her in the group is not hers to have.
    expect(JSON.stringify(data)).not.toContain('Beto')
    expect(data.mensagensEmGrupos[0]).not.toHaveProperty('reactions')
  })

  test('of files that were deleted in the conversation there is none', async () => {
    const rosa = await add({ name: 'Rosa', number: '5531984500219' })
    const ticketId = await makeTicket(db, { contactId: rosa, whatsappId, status: 'closed' })
    const messageId = await makeMessage(db, ticketId, 'com arquivo')
    await sql`insert into media (id, name, mime, size, sha256, owner) values ('arquivo-da-rosa-01', 'rosa.pdf', 'application/pdf', 1, 'x', 'message')`
    await sql`update message set media_id = 'arquivo-da-rosa-01', contact_id = ${rosa} where id = ${messageId}`
    const names = async () => (await Array.fromAsync(readContactFiles(db, [rosa]))).map(({ name }) => name)
    expect(await names()).toEqual([`${ticketId}/${messageId}-rosa.pdf`])
    await sql`update message set is_deleted = true where id = ${messageId}`
    expect(await names()).toEqual([])
    await sql`delete from message where id = ${messageId}`
    await sql`delete from media where id = 'arquivo-da-rosa-01'`
  })

  test('in the language of who asks: its names and the PDF', async () => {
    const { body } = await marina.call<{ jobId: number }>('POST', `/privacy/${luciaId}/export`, { language: 'en' })
    const job = async () => (await marina.call<Job>('GET', `/jobs/${body.jobId}`)).body
    await waitUntil('the archive is ready', async () => (await job()).endedAt !== null)
    const { result } = await job()
    const files = unzipSync(new Uint8Array(await (await fetch(new URL(result?.url ?? '', url))).arrayBuffer()))
    const names = Object.keys(files)
    expect(names.slice(0, 2)).toEqual(['data.json', 'conversations.pdf'])
    expect(names.slice(2).every(name => name.startsWith('files/'))).toBe(true)
    const { pages } = await readPdf(files['conversations.pdf'] ?? new Uint8Array())
    expect(pages[0]?.text).toContain('Period')
    const refused = await marina.call('POST', `/privacy/${luciaId}/export`, { language: 'fr' })
    expect([refused.status, refused.body.error]).toEqual([422, 'ERR_VALIDATION'])
  })
})

describe('§19, §23: erasing', () => {
  test('a protocol holds it back until a reason is given; the word is needed; it waits for the grace and can be undone', async () => {
    expect((await erase(luciaId, {})).body.error).toBe('ERR_VALIDATION')
    expect((await erase(luciaId)).body.error).toBe('ERR_PROTOCOL_LINKED')
    const erasure = await erase(luciaId, { confirm: 'apagar', reason: `Pedido de ${NAME}, ${NUMBER}` })
    expect(erasure.status).toBe(202)
    const days = (Date.parse(erasure.body.dueAt) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(6.9)
    expect(days).toBeLessThan(7.1)
    expect((await erase(luciaId)).body.id).toBe(erasure.body.id)
    expect(await eraseDue(parts)).toBe(0)
    expect((await held(luciaId)).erasure?.id).toBe(erasure.body.id)
    expect((await marina.call('POST', `/privacy/${luciaId}/undo`)).status).toBe(204)
    expect((await marina.call('POST', `/privacy/${luciaId}/undo`)).body).toMatchObject({
      error: 'ERR_NO_ERASURE_FOUND',
    })
    expect((await held(luciaId)).conversations.messages).toBeGreaterThan(0)
    await sql`delete from privacy_erasure`
  })

  test('interrupted after every batch it goes on; then her name, numbers and words stand in no table and no file', async () => {
    const before = await everywhere(TRACES)
    // The search finds what is there: otherwise it would prove nothing.
    for (const trace of [NAME, NUMBER, LID, ...WORDS]) expect([trace, before.has(trace)]).toEqual([trace, true])
    // The archive that was handed over bears her name, as a file's may be.
    const archive = ['Dona Lucia Ferreira.zip']
    expect([...(await everywhere(archive)).keys()]).toEqual(archive)
    const erasure = await erase(luciaId, { confirm: ERASE_WORD, reason: `Pedido de ${NAME}, ${NUMBER}` })
    expect(erasure.status).toBe(202)
    await sql`update privacy_erasure set due_at = now() - interval '1 second'`
    let batches = 0
    for (let isOver = false; !isOver && batches < 500; batches++) {
      const process = new AbortController()
      await eraseDue({ ...parts, ring: () => process.abort() }, process.signal)
      isOver = (await requestOf(luciaId))?.state === 'done'
    }
    expect(batches).toBeGreaterThan(5)
    expect([...(await everywhere([...TRACES, ...archive]))]).toEqual([])
  })

  test('who is named in a group is nobody there, before a change of the words and after it, and nothing names them again', async () => {
    const ines = makePeer({ pn: '5531984509911', lid: '340111222333555' })
    const caller = makePeer({ pn: '5531984509922' })
    const group = makeGroupPeer('120363000000000099')
    await receiveEvents(db, { id: whatsappId }, [makeMessageEvent(ines, 'Oi', { name: 'Inês Prado' })])
    const message = { author: caller, name: 'Téo', mentions: [ines] }
    const event = { ...makeMessageEvent(group, '@340111222333555 e @Inês vem?', { id: 'CALLED' }), ...message }
    await receiveEvents(db, { id: whatsappId }, [event])
    const ref = { chat: group.jid, id: 'CALLED', fromMe: false }
    const edit = { type: 'edit', ref, chat: group, by: caller, at: Date.now() + 5000 } as const
    await receiveEvents(db, { id: whatsappId }, [{ ...edit, body: 'vem, @340111222333555?', mentions: [ines] }])
    const read = async () => {
      const [row] = await sql<{ body: string; before: string; first: string; last: string; rest: number }[]>`
        select m.body, m.edited_msg as before, e.body as first, t.last_message as last,
          (select count(*)::int from message_member x where x.message_id = m.id) as rest
        from message m join ticket t on t.id = m.ticket_id join message_edit e on e.message_id = m.id where m.provider_id = 'CALLED'`
      return row
    }
    expect(await read()).toMatchObject({ body: 'vem, @Inês Prado?', first: '@Inês Prado e @Inês vem?' })
    const [contact] = await sql<{ id: number }[]>`select id from contact where name = 'Inês Prado'`
    await erase(contact?.id ?? 0)
    await sql`update privacy_erasure set due_at = now() - interval '1 second' where contact_id = ${contact?.id ?? 0}`
    await eraseDue(parts)
    const nobody = 'vem, @participante?'
    const first = '@participante e @Inês vem?'
    expect(await read()).toEqual({ body: nobody, before: first, first, last: nobody, rest: 0 })
    expect([...(await everywhere(['Inês Prado', '340111222333555']))]).toEqual([])
    await receiveEvents(db, { id: whatsappId }, [makeMessageEvent(ines, 'Voltei', { name: 'Inês Prado' })])
    expect((await read())?.body).toBe(nobody)
  })

  test('numbers and times of tickets stay, nameless; the log says who erased when', async () => {
    const { body } = await marina.call<Ticket>('GET', `/tickets/${luciasTicket}`)
    expect(body).toMatchObject({
      id: luciasTicket,
      status: 'closed',
      lastMessage: '',
      contact: { name: ERASED_NAME, number: null },
    })
    const [ratings] = await sql<{ n: number }[]>`select count(*)::int as n from rating where contact_id = ${luciaId}`
    expect(ratings?.n).toBe(1)
    const request = await requestOf(luciaId)
    expect(request).toMatchObject({ state: 'done', name: null, counts: { tickets: 1 } })
    expect(request?.counts.messages).toBeGreaterThanOrEqual(2)
    const [entry] = await sql<{ action: string; params: object; userId: number }[]>`
      select action, params, user_id as "userId" from log_entry where action = 'privacy.erase'`
    expect(entry).toMatchObject({ action: 'privacy.erase', params: { tickets: 1 } })
    expect(entry?.userId).toBeGreaterThan(1)
  })

  test('nobody finds, opens or writes to what is left of it', async () => {
    expect((await find('lucia ferreira')).people).toEqual([])
    expect((await marina.call('GET', `/contacts/${luciaId}`)).status).toBe(404)
    expect((await marina.call('PUT', `/contacts/${luciaId}`, { name: 'De volta' })).status).toBe(404)
    const again = await marina.call('POST', '/tickets', { contactId: luciaId, status: 'open', whatsappId, queueId })
    expect([again.status, again.body.error]).toEqual([404, 'ERR_NO_CONTACT_FOUND'])
    const reopened = await marina.call('PUT', `/tickets/${luciasTicket}`, { status: 'open' })
    expect([reopened.status, reopened.body.error]).toEqual([404, 'ERR_NO_CONTACT_FOUND'])
    expect((await erase(luciaId)).status).toBe(404)
  })

  test('what is of others stays: their words, their names, their numbers that look alike', async () => {
    const bodies = (await messagesOf(betosTicket)).map(({ body }) => body)
    expect(bodies).toContain('resposta-do-beto')
    expect(bodies).toContain('o número dela é …, e o meu 5531998762211')
    const named = await sql<
      { name: string }[]
    >`select name from contact where name in ('Lúcia Fernandes', 'Beto') order by name`
    expect(named.map(({ name }) => name)).toEqual(['Beto', 'Lúcia Fernandes'])
  })

  test('who writes again is somebody new', async () => {
    await receiveEvents(db, { id: whatsappId }, [makeMessageEvent(lucia, 'voltei', { name: 'Lúcia' })])
    const [{ id } = { id: 0 }] = await sql<{ id: number }[]>`
      select contact_id as id from contact_identity where value = ${LID}`
    expect(id).toBeGreaterThan(luciaId)
    expect(await eraseDue(parts)).toBe(0)
    expect((await held(id)).conversations.messages).toBe(1)
  })

  test('privacyGraceDays: with 0 it begins at once, without anybody asking again', async () => {
    await marina.call('PUT', '/settings/privacyGraceDays', { value: '0' })
    const { body: contact } = await marina.call<Contact>('POST', '/contacts', { name: 'Caio', number: '5531984501234' })
    const erasure = await erase(contact.id)
    expect(erasure.status).toBe(202)
    await waitUntil('Caio is erased', async () => (await requestOf(contact.id))?.state === 'done')
    expect([...(await everywhere(['5531984501234']))]).toEqual([])
  })

  test('two processes at once erase once', async () => {
    await marina.call('PUT', '/settings/privacyGraceDays', { value: '7' })
    const { body: contact } = await marina.call<Contact>('POST', '/contacts', { name: 'Davi', number: '5531984505678' })
    await erase(contact.id)
    await sql`update privacy_erasure set due_at = now() - interval '1 second' where contact_id = ${contact.id}`
    await Promise.all([eraseDue(parts), eraseDue(parts)])
    expect((await requestOf(contact.id))?.state).toBe('done')
    const [row] = await sql<{ n: number }[]>`
      select count(*)::int as n from log_entry where action = 'privacy.erase' and contact_id = ${contact.id}`
    expect(row?.n).toBe(1)
  })
})

describe('§19: what is of others stays', () => {
  const nameOf = async (name: string) =>
    (
      await sql<
        { email: string; info: string }[]
      >`select email, extra_info::text as info from contact where name = ${name}`
    )[0]

  test('an e-mail that others have too, one that is longer, and numbers that are spelt alike', async () => {
    const ana = await add({ name: 'Ana', number: '5551999998888', email: 'ana@empresa.com' })
    await add({ name: 'Bia', number: '5531984500001', email: 'Ana@Empresa.com' })
    await add({ name: 'Maria', number: '5531984500002', email: 'maria.ana@empresa.com' })
    await add({ name: 'Anna', number: '5531984500003', email: 'ana@empresa.com.br' })
    await add({ name: 'Peru', number: '5531984500004', extraInfo: [{ name: 'x', value: '51 99999-8888' }] })
    await sql`insert into phone_book (whatsapp_id, number, name) values (${whatsappId}, '51999998888', 'Pedro de Lima'), (${whatsappId}, '5551999998888', 'Ana')`
    await sql`
      insert into number_check (whatsapp_id, number, asked_at, known_as) values
        (${whatsappId}, '51999998888', now(), '51999998888'), (${whatsappId}, '5551999998888', now(), null)`
    await eraseNow(ana)
    expect([await nameOf('Bia'), await nameOf('Maria'), await nameOf('Anna')].map(row => row?.email)).toEqual([
      'Ana@Empresa.com',
      'maria.ana@empresa.com',
      'ana@empresa.com.br',
    ])
    expect((await nameOf('Peru'))?.info).not.toContain('8888')
    const book = await sql<{ name: string }[]>`select name from phone_book where number like '%51999998888'`
    expect(book.map(({ name }) => name)).toEqual(['Pedro de Lima'])
    const rows = await sql<{ number: string }[]>`select number from number_check where number like '%99998888'`
    expect(rows.map(({ number }) => number).sort()).toEqual(['51999998888'])
  })

  test("the company's own number in any spelling", async () => {
    await sql`update whatsapp set number = '5531988880001'`
    const own = await add({ name: 'Eu mesma', number: '553188880001', extraInfo: [] })
    const note = await add({
      name: 'Nota',
      number: '5531984500005',
      extraInfo: [{ name: 'loja', value: '+55 31 98888-0001' }],
    })
    await eraseNow(own)
    expect((await nameOf('Nota'))?.info).toContain('98888-0001')
    expect(note).toBeGreaterThan(0)
    await sql`update whatsapp set number = '5531322240100'`
  })
})

describe('§19: what was passed on', () => {
  const rita = makePeer({ pn: '5531984500101' })
  const members = makePeer({ pn: '5531984500102' })
  const group2 = makeGroupPeer('120363000000000002')
  const messageOf = async (body: string) => {
    const [row] = await sql<{ id: number; contactId: number; ticketId: number }[]>`
      select id::float8 as id, contact_id as "contactId", ticket_id as "ticketId" from message where body = ${body} order by id desc limit 1`
    return row ?? { id: 0, contactId: 0, ticketId: 0 }
  }
  const passOn = async (id: number, contactId: number): Promise<number> => {
    const { status, body } = await marina.call<ResponseBody<'POST /messages/forward/:id'>>(
      'POST',
      `/messages/forward/${id}`,
      {
        contacts: [contactId],
      },
    )
    expect(status).toBe(201)
    return body.messages[0]?.id ?? 0
  }
  const bodyOf = async (id: number) =>
    (await sql<{ body: string }[]>`select body from message where id = ${id}`)[0]?.body

  test('is followed from copy to copy, out of groups too; what the company wrote stays with others', async () => {
    const one = await add({ name: 'Um', number: '5531984500111' })
    const two = await add({ name: 'Dois', number: '5531984500112' })
    const connection = { id: whatsappId }
    await receiveEvents(db, connection, [
      makeMessageEvent(rita, 'so-entre-nos', { name: 'Rita', id: 'R1' }),
      makeMessageEvent(group2, 'so-no-grupo', { author: rita, name: 'Rita', id: 'R2' }),
      makeMessageEvent(group2, 'de-outra-pessoa', { author: members, name: 'Outra', id: 'R3' }),
    ])
    const own = await messageOf('so-entre-nos')
    expect((await marina.call('PUT', `/tickets/${own.ticketId}`, { status: 'open', queueId })).status).toBe(200)
    await marina.call('POST', `/messages/${own.ticketId}`, { body: 'tabela-de-precos' })
    const priceList = await messageOf('tabela-de-precos')
    await sql`update message set state = 'sent', provider_id = 'P1' where id = ${priceList.id}`
    const first = await passOn(own.id, one)
    const second = await passOn(first, two)
    const fromGroup = await passOn((await messageOf('so-no-grupo')).id, one)
    const onFromGroup = await passOn(fromGroup, two)
    const other = await passOn((await messageOf('de-outra-pessoa')).id, one)
    const prices = await passOn(priceList.id, one)
    expect(await bodyOf(second)).toBe('so-entre-nos')
    expect(await bodyOf(onFromGroup)).toBe('so-no-grupo')
    await eraseNow(own.contactId)
    expect([await bodyOf(first), await bodyOf(second), await bodyOf(fromGroup), await bodyOf(onFromGroup)]).toEqual([
      '',
      '',
      '',
      '',
    ])
    expect([await bodyOf(other), await bodyOf(prices)]).toEqual(['de-outra-pessoa', 'tabela-de-precos'])
  })
})

describe('§19: what comes in the grace', () => {
  const dueNow = async (id: number) => {
    await sql`update privacy_erasure set due_at = now() - interval '1 second' where contact_id = ${id} and state = 'waiting'`
    await eraseDue(parts)
  }

  test('nobody who is to be erased is merged by hand', async () => {
    const eva = await add({ name: 'Eva', number: '5531984500201' })
    const ivo = await add({ name: 'Ivo', number: '5531984500202' })
    await erase(eva)
    for (const [into, from] of [
      [ivo, eva],
      [eva, ivo],
    ]) {
      expect((await marina.call('GET', `/contacts/${into}/merge/${from}`)).body.error).toBe('ERR_ERASURE_WAITING')
      const done = await marina.call('POST', `/contacts/${into}/merge`, { contactId: from })
      expect([done.status, done.body.error]).toEqual([409, 'ERR_ERASURE_WAITING'])
    }
    await marina.call('POST', `/privacy/${eva}/undo`)
    expect((await marina.call('POST', `/contacts/${ivo}/merge`, { contactId: eva })).status).toBeLessThan(300)
  })

  test('who turned out to be another contact stays, and so does who got a protocol: held back, with why', async () => {
    const older = await add({ name: 'Olga', number: '5531984500203' })
    const younger = await add({ name: 'Olga nova', number: '5531984500204' })
    await erase(younger)
    await db.transaction(tx => mergeContacts(tx, older, younger))
    await dueNow(younger)
    expect(await requestOf(younger)).toMatchObject({ state: 'held', held: 'merged' })
    expect((await held(older)).person.name).toBe('Olga')

    const nair = await add({ name: 'Nair', number: '5531984500205' })
    await erase(nair)
    await sql`
      insert into protocol (protocolo, mensagem, ticket_id, contact_id, user_id)
      values ('20261123-0002', 'assunto', ${betosTicket}, ${nair}, ${await idOf('Marina')})`
    await dueNow(nair)
    expect(await requestOf(nair)).toMatchObject({ state: 'held', held: 'protocol' })
    expect((await held(nair)).person.name).toBe('Nair')
    const log = await sql<{ id: number }[]>`
      select contact_id as id from log_entry where action = 'privacy.held' and contact_id in (${younger}, ${nair}) order by id`
    expect(log.map(({ id }) => id)).toEqual([younger, nair])
    // With a reason it is done; what was written in the first request is then without the name, too.
    await sql`update privacy_erasure set reason = 'Nair pediu' where contact_id = ${nair}`
    await eraseNow(nair, { confirm: ERASE_WORD, reason: 'a pedido' })
    expect(await requestOf(nair)).toMatchObject({ state: 'done', held: null })
    expect((await find('')).requests.filter(({ contactId }) => contactId === nair).map(({ reason }) => reason)).toEqual(
      ['a pedido', '… pediu'],
    )
  })

  test('who asked and is no administrator any more has nobody erased', async () => {
    const ugo = await add({ name: 'Ugo', number: '5531984500206' })
    await makePerson(db, { name: 'Zilda', profile: 'admin', queueIds: [queueId] })
    const zilda = await server.as('Zilda')
    expect((await erase(ugo, { confirm: ERASE_WORD }, zilda)).status).toBe(202)
    await sql`update "user" set profile = 'user' where name = 'Zilda'`
    await dueNow(ugo)
    expect(await requestOf(ugo)).toMatchObject({ state: 'held', held: 'rights' })
    expect((await held(ugo)).person.name).toBe('Ugo')
  })

  test('who stops being one while it is asked or undone is refused', async () => {
    const ana = await add({ name: 'Ana', number: '5531984500216' })
    const userId = await makePerson(db, { name: 'Yara', profile: 'admin', queueIds: [queueId] })
    const session = await makeSession(db, userId)
    await sql`update "user" set profile = 'gerente' where id = ${userId}`
    const parts = { db, ring: () => {} } as unknown as Parts
    await expect(requestErasure(parts, session, ana, { confirm: ERASE_WORD })).rejects.toThrow('ERR_NO_PERMISSION')
    expect((await erase(ana)).status).toBe(202)
    await expect(undoErasure(parts, session, ana)).rejects.toThrow('ERR_NO_PERMISSION')
    expect(await requestOf(ana)).toMatchObject({ state: 'waiting' })
    await marina.call('POST', `/privacy/${ana}/undo`)
  })

  test('from its first batch on nothing goes out to the person, no flow goes on and no tag stays; a send for others, too, stays', async () => {
    const [gil, leo] = [
      await add({ name: 'Gil', number: '5531984500217' }),
      await add({ name: 'Leo', number: '5531984500218' }),
    ]
    const ticketId = await makeTicket(db, { contactId: gil, whatsappId, status: 'bot' })
    await sql`insert into typebot_session (ticket_id) values (${ticketId})`
    await sql`
      insert into outbox (whatsapp_id, contact_id, operation, payload, next_at) values (${whatsappId}, ${gil}, 'read', '{}', now() + interval '1 day')`
    const [tag] = await sql<{ id: number }[]>`insert into tag (name, color) values ('Vip', '#123456') returning id`
    await sql`insert into contact_tag (contact_id, tag_id) values (${gil}, ${tag?.id ?? 0})`
    const send = async (...contactIds: number[]) => {
      const [row] = await sql<{ id: number }[]>`
        insert into schedule (message, recurrence, send_time) values ('Oi', 'every_day', '09:00') returning id`
      for (const each of contactIds) await sql`insert into schedule_contact values (${row?.id ?? 0}, ${each})`
      return row?.id ?? 0
    }
    const [alone, both, tagged] = [await send(gil), await send(gil, leo), await send(gil)]
    await sql`insert into schedule_tag values (${tagged}, ${tag?.id ?? 0})`
    await erase(gil)
    await sql`update privacy_erasure set due_at = now() - interval '1 second' where contact_id = ${gil}`
    const process = new AbortController()
    await eraseDue({ ...parts, ring: () => process.abort() }, process.signal)
    expect((await requestOf(gil))?.state).toBe('running')
    const [left] = await sql`
      select (select count(*)::int from outbox where contact_id = ${gil}) as outbox,
        (select count(*)::int from typebot_session where ticket_id = ${ticketId}) as flows,
        (select count(*)::int from contact_tag where contact_id = ${gil}) as tags,
        (select count(*)::int from schedule_contact where contact_id = ${gil}) as named,
        array(select id from schedule where id in (${alone}, ${both}, ${tagged}) order by id) as sends,
        (select status from ticket where id = ${ticketId}) as status`
    expect(left).toEqual({ outbox: 0, flows: 0, tags: 0, named: 0, sends: [both, tagged], status: 'closed' })
    // A report that began meanwhile, and a sheet that was taken in.
    const by = await idOf('Marina')
    const [report] = await sql<{ id: number }[]>`
      insert into job (kind, user_id, params, state) values ('report.tickets', ${by}, '{}', 'running') returning id`
    await sql`insert into media (id, name, mime, size, sha256, owner) values ('planilha-do-gil-01', 'gil.csv', 'text/csv', 1, 'x', 'job')`
    await sql`
      insert into job (kind, user_id, params, state, ended_at)
      values ('contacts.import', ${by}, '{"uploadId": "planilha-do-gil-01"}', 'done', now())`
    await eraseDue(parts)
    expect((await sql`select state from job where id = ${report?.id ?? 0}`)[0]?.state).toBe('cancelled')
    expect([...(await sql`select 1 from media where id = 'planilha-do-gil-01'`)]).toEqual([])
    await sql`delete from schedule where id in (${both}, ${tagged})`
  })

  test('rows that came after the beginning are not touched', async () => {
    const rui = await add({ name: 'Rui', number: '5531984500207' })
    const before = await quickAnswer('antes 5531984500207')
    await erase(rui)
    await sql`update privacy_erasure set due_at = now() - interval '1 second' where contact_id = ${rui}`
    const process = new AbortController()
    await eraseDue({ ...parts, ring: () => process.abort() }, process.signal)
    expect((await requestOf(rui))?.state).toBe('running')
    const after = await quickAnswer('depois 5531984500207')
    await eraseDue(parts)
    const rows = await sql<
      { message: string }[]
    >`select message from quick_answer where id in (${before}, ${after}) order by id`
    expect(rows.map(({ message }) => message)).toEqual(['antes …', 'depois 5531984500207'])
  })

  test('what is being written while somebody is erased is cancelled: the archive, reports, sheets; nobody else’s archive', async () => {
    const lia = await add({ name: 'Lia', number: '5531984500208' })
    const noe = await add({ name: 'Noé', number: '5531984500209' })
    const exporting = async (contactId: number | null, kind = 'privacy.export'): Promise<number> => {
      const params = JSON.stringify({ contactId })
      const [job] = await sql<{ id: number }[]>`
        insert into job (kind, user_id, params, state)
        values (${kind}, ${await idOf('Marina')}, ${params}::text::jsonb, 'running') returning id`
      return job?.id ?? 0
    }
    const [lias, noes] = [await exporting(lia), await exporting(noe)]
    const others: number[] = []
    for (const kind of ['report.message', 'contacts.exportDelegation', 'log.export', 'contacts.import'])
      others.push(await exporting(null, kind))
    await eraseNow(lia)
    const states = async (ids: readonly number[]): Promise<string[]> => {
      const rows = await sql<{ state: string }[]>`select state from job where id = any(${[...ids]}::int[]) order by id`
      return rows.map(({ state }) => state)
    }
    expect(await states([lias, noes, ...others])).toEqual([
      'cancelled',
      'running',
      'cancelled',
      'cancelled',
      'cancelled',
      'running',
    ])
    await sql`delete from job where id = ${others.at(-1) ?? 0}`
    await sql`delete from job where id = ${noes}`
  })

  async function quickAnswer(message: string): Promise<number> {
    const [row] = await sql<{ id: number }[]>`
      insert into quick_answer (shortcut, message) values (${message.slice(0, 6)}, ${message}) returning id`
    return row?.id ?? 0
  }
})

describe('§19: numbers in text', () => {
  const finds = (text: string) => new RegExp(buildTracePattern([NUMBER, LID, '5512345']), 'g').test(text)

  test('are found however they are written, and never inside of others', () => {
    for (const text of [
      NUMBER,
      '+55 (31) 99876-2210',
      '31 99876-2210',
      '031998762210',
      '553198762210',
      '+55\u00a031\u00a099876\u20112210',
      '31 99876\u20132210',
      '\u200e+55 31 9 9876\u202f2210\u200f',
      '31 99876\u200b-\u200b2210',
      '31 99876\n2210',
      '31\u2060 99876 \u2014 2210',
      `${NUMBER}:7@s.whatsapp.net`,
      LID,
    ])
      expect([text, finds(text)]).toEqual([text, true])
    for (const text of [
      '15531998762210',
      '55319987622101',
      '5531998762211',
      '5531998762210-1500000000@g.us',
      `9${LID}`,
      '5512345',
    ])
      expect([text, finds(text)]).toEqual([text, false])
  })

  test('a landline is no mobile, the same digits abroad are somebody else, a date is no number', () => {
    const found = (value: string, text: string) => new RegExp(buildTracePattern([value])).test(text)
    for (const [value, text, is] of [
      ['551132221100', 'fixo (11) 3222-1100', true],
      ['551132221100', '5511932221100', false],
      ['551132221100', '11 93222-1100', false],
      ['5511932221100', '551132221100', false],
      ['5551999998888', '51 99999-8888', true],
      ['5551999998888', '{"name": "Celular", "value": "51999998888"}', true],
      ['5551999998888', '51999998888@s.whatsapp.net', false],
      ['5551999998888', '51999998888:12@s.whatsapp.net', false],
      ['5551999998888', '+51 999 998 888', false],
      ['5551999998888', '+(51) 999 998 888', false],
      ['5551999998888', '+47 51 99999-8888', false],
      ['5551999998888', '{"wa_id": "51999998888"}', false],
      ['5551999998888', '{"kind": "pn", "value": "51999998888"}', false],
      ['5551999998888', '5551999998888@s.whatsapp.net', true],
      ['5551999998888', '+55 (51) 9999-8888', true],
      ['5551999998888', '+55 (51) 9 9999-8888', true],
      ['20261123', 'em 2026-11-23', false],
      ['20261123', 'ramal 20261123', true],
    ] as const)
      expect([value, text, found(value, text)]).toEqual([value, text, is])
  })

  test('an address of mail is found with capitals and without, and never inside of a longer one', async () => {
    const pattern = buildTracePattern(['ana@empresa.com'])
    for (const [text, is] of [
      ['ana@empresa.com', true],
      ['Escreva a Ana@Empresa.COM.', true],
      [JSON.stringify('eu\nana@empresa.com\n'), true],
      ['maria.ana@empresa.com', false],
      ['maria-ana@empresa.com', false],
      ['ana+ana@empresa.com', false],
      ['ana@empresa.com.br', false],
      ['ana@empresa.com-br', false],
    ] as const) {
      expect([text, new RegExp(pattern).test(text)]).toEqual([text, is])
      const [row] = await sql<{ found: boolean }[]>`select ${text}::text ~ ${pattern} as found`
      expect([text, row?.found]).toEqual([text, is])
    }
  })

  test('the database finds the same', async () => {
    const pattern = buildTracePattern([NUMBER, LID])
    for (const text of [
      '31998762210@s.whatsapp.net',
      '+31998762210',
      '{"wa_id": "31998762210"}',
      '{"body": "31998762210"}',
      NUMBER,
      '+55 (31) 99876-2210',
      '5531998762210-1500000000@g.us',
      '55319987622101',
      `x${LID}@lid`,
    ]) {
      const [row] = await sql<{ found: boolean }[]>`select ${text}::text ~ ${pattern} as found`
      expect([text, row?.found]).toEqual([text, new RegExp(pattern).test(text)])
    }
  })
})

/** Puts the person everywhere a person can stand. */
/** Tables that name a contact and are no record of the person's own, and why. */
const NOT_HANDED_OVER: Readonly<Record<string, string>> = {
  contact_channel: 'what a network needs to reach an address that is handed over',
  contact_merge: 'which contacts were one: all of them are handed over',
  contact_redirect: "to whom the company gives the contact's tickets",
  figure_change: 'a count that waits to be made',
  figure_contact: 'a count',
  outbox: 'what goes out now: a message or a recipient, each handed over as such',
  privacy_erasure: 'a request of the company, shown in a list of its own',
  webhook_event: 'what other programs are told of messages and contacts that are handed over; seven days',
}

type Kinds = readonly (readonly [kind: string, count: number])[]

function countShown(of: HeldData): Kinds {
  const { contact, conversations, groups, protocols, ratings, sends, log } = of
  return [
    ['contato', contact.names],
    ['nomes', contact.numbers.length + contact.others],
    ['agendas', contact.phoneBooks],
    ['tags', contact.tags],
    ['atendimentos', conversations.tickets],
    ['mensagens', conversations.messages],
    ['mensagensEmGrupos', groups.messages],
    ['protocolos', protocols.count],
    ['notas', ratings.count],
    ['envios', sends.received + sends.listed],
    ['agendamentos', sends.scheduled],
    ['registro', log.entries],
  ]
}

async function countExported(id: number): Promise<Kinds> {
  const pages = readPersonalData(db, await findMergedContactIds(db, id), { messages: 0 }, async () => {})
  const data: Record<string, unknown[]> = JSON.parse(Buffer.concat(await Array.fromAsync(pages)).toString())
  return Object.entries(data).map(([kind, rows]) => [kind, rows.length])
}

async function fill(marinaId: number): Promise<void> {
  const connection = { id: whatsappId }
  await receiveEvents(db, connection, [makeMessageEvent(lucia, 'segredo-da-lucia', { name: 'Lúcia antiga', id: 'L1' })])
  const [known] = await sql<{ id: number; ticket: number }[]>`
    select t.contact_id as id, t.id as ticket from ticket t join message m on m.ticket_id = t.id where m.body = 'segredo-da-lucia'`
  luciaId = known?.id ?? 0
  luciasTicket = known?.ticket ?? 0
  await sql`insert into contact_identity (kind, value, contact_id) values ('pn', '553198762210', ${luciaId}) on conflict do nothing`
  const form = {
    name: NAME,
    email: 'lucia@ferreira.example',
    number: NUMBER,
    extraInfo: [{ name: 'RG', value: `de ${NAME}` }],
  }
  expect((await marina.call('PUT', `/contacts/${luciaId}`, form)).status).toBe(200)
  expect((await marina.call('PUT', `/tickets/${luciasTicket}`, { status: 'open', queueId })).status).toBe(200)
  await marina.call('POST', `/messages/${luciasTicket}`, { body: 'palavras-para-a-lucia' })
  const file = new FormData()
  file.append('body', '')
  file.append('medias', new File([Buffer.from(PIXEL, 'base64')], 'boleto-da-lucia.png', { type: 'image/png' }))
  expect((await marina.call<Message[]>('POST', `/messages/${luciasTicket}`, file)).status).toBe(201)

  // In a group: what she said, what others answered, and what they said of her.
  await receiveEvents(db, connection, [
    makeMessageEvent(group, 'palavras-no-grupo-da-lucia', { author: lucia, name: NAME, id: 'G1' }),
    makeMessageEvent(beto, 'resposta-do-beto', { name: 'Beto', id: 'B1' }),
    makeMessageEvent(beto, `o número dela é +55 31 99876-2210, e o meu 5531998762211`, { name: 'Beto', id: 'B2' }),
    makeReactionEvent(beto, 'B1', '👍', { by: lucia, name: NAME }),
    makeReactionEvent(group, 'G1', '🎉', { by: beto, name: 'Beto' }),
  ])
  const [beto1] = await sql<{ id: number; contactId: number; ticketId: number }[]>`
    select id::float8 as id, contact_id as "contactId", ticket_id as "ticketId" from message where body = 'resposta-do-beto'`
  betosTicket = beto1?.ticketId ?? 0
  await sql`
    update message set raw = ${JSON.stringify({ quoted: { participant: `${LID}@lid`, text: WORDS[2] } })}::text::jsonb where id = ${beto1?.id ?? 0}`

  // What stood behind her link, kept with the message and for a day for everybody.
  const link = {
    address: 'https://loja.example',
    title: 'cartao-da-lucia',
    thumb: 'data:image/png;base64,cartao-da-lucia',
  }
  await sql`update message set details = ${JSON.stringify({ link })}::text::jsonb where body = 'segredo-da-lucia' and contact_id = ${luciaId}`
  await sql`insert into link_preview (digest, host, preview) values ('d', 'loja.example', ${JSON.stringify(link)}::text::jsonb)`

  // Passed on to somebody else.
  const [secret] = await sql<
    { id: number }[]
  >`select id::float8 as id from message where body = 'segredo-da-lucia' and contact_id = ${luciaId}`
  const forwarded = await marina.call('POST', `/messages/forward/${secret?.id ?? 0}`, {
    contacts: [beto1?.contactId ?? 0],
  })
  expect(forwarded.status).toBe(201)

  await sql`insert into contact (name) values ('Lúcia Fernandes')`
  await sql`
    insert into protocol (protocolo, mensagem, ticket_id, contact_id, user_id)
    values ('20261123-0001', 'assunto-do-protocolo-da-lucia', ${luciasTicket}, ${luciaId}, ${marinaId})`
  await sql`insert into rating (ticket_id, contact_id, whatsapp_id, rate) values (${luciasTicket}, ${luciaId}, ${whatsappId}, 5)`
  const [schedule] = await sql<{ id: number }[]>`
    insert into schedule (message, recurrence, send_time) values (${`Oi ${NAME}`}, 'every_day', '09:00') returning id`
  await sql`insert into schedule_contact values (${schedule?.id ?? 0}, ${luciaId})`
  const [send] = await sql<{ id: number }[]>`
    insert into send (due_at, state, body, recipients) values (now(), 'done', 'Promoção', '{}') returning id`
  await sql`insert into send_recipient (send_id, contact_id, state) values (${send?.id ?? 0}, ${luciaId}, 'handed')`
  await sql`insert into phone_book (whatsapp_id, number, name) values (${whatsappId}, ${NUMBER}, ${NAME})`
  await sql`insert into number_check (whatsapp_id, number, asked_at, known_as) values (${whatsappId}, ${NUMBER}, now(), ${NUMBER})`
  await sql`insert into api_request (key, fingerprint, answer) values ('k1', 'f', ${JSON.stringify({ number: NUMBER, name: NAME })}::text::jsonb)`
  await sql`
    insert into whatsapp_auth (whatsapp_id, type, key_id, value) values
      (${whatsappId}, 'session', ${`${LID}_1.0`}, ${JSON.stringify({ s: 'x' })}::text::jsonb), (${whatsappId}, 'lid-mapping', 'x', ${JSON.stringify({ pn: NUMBER })}::text::jsonb)`
  await sql`
    insert into whatsapp_command (whatsapp_id, command, argument, state, answer)
    values (${whatsappId}, 'group', null, 'done', ${JSON.stringify({ people: [{ name: NAME, jid: `${LID}@lid` }] })}::text::jsonb)`
  const [job] = await sql<{ id: number }[]>`
    insert into job (kind, user_id, params, state, ended_at) values ('contacts.import', ${marinaId}, ${JSON.stringify({ name: `${NUMBER}.xlsx` })}::text::jsonb, 'done', now()) returning id`
  await sql`
    insert into job_error (job_id, row, cells, faults) values (${job?.id ?? 0}, 2, ${JSON.stringify([NAME, '319', '', ''])}::text::jsonb, 'número')`
  await sql`
    insert into log_entry (action, params, origem, contact_id) values
      ('contact.newNumber', ${JSON.stringify({ from: [NUMBER], to: NUMBER })}::text::jsonb, 'contact', ${luciaId})`
  const chat = await marina.call<{ id: number }>('POST', '/chats', { callingUserId: await idOf('Bruna') })
  await marina.call('POST', `/chats/messages/${chat.body.id}`, { body: `Ligue para +55 31 99876-2210` })
}

async function idOf(name: string): Promise<number> {
  const [row] = await sql<{ id: number }[]>`select id from "user" where name = ${name}`
  return row?.id ?? 0
}

async function messagesOf(ticketId: number): Promise<readonly Message[]> {
  return (await marina.call<{ messages: Message[] }>('GET', `/messages/${ticketId}`)).body.messages
}

/** Which of these stand anywhere: in any column of any table of any schema, or in the name or the bytes of any file. */
async function everywhere(traces: readonly string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  const note = (trace: string, where: string) => found.set(trace, [...(found.get(trace) ?? []), where])
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`
  for (const { name } of tables)
    for (const trace of traces) {
      const [row] = await sql.unsafe<{ n: number }[]>(
        `select count(*)::int as n from ${name} t where position($1 in t::text) > 0`,
        [trace],
      )
      if (row && row.n > 0) note(trace, `${name}: ${row.n}`)
    }
  for (const entry of await readdir(server.config.dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const bytes = Buffer.from(await Bun.file(path).arrayBuffer())
    for (const trace of traces) if (entry.name.includes(trace) || bytes.includes(trace)) note(trace, path)
  }
  return found
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
