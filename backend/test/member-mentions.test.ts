// Members of a group whom a text of ours names: the group gets addresses, the desk reads names.
import { beforeAll, describe, expect, test } from 'bun:test'
import { LIMITS, type Message } from '@balcao/contract'
import { resolveMemberMentions } from '../src/desk/messages/member-mentions.ts'
import { sendMessage } from '../src/desk/messages/send.ts'
import { receiveEvents } from '../src/messaging/inbox/receive.ts'
import type { ChannelEvent } from '../src/platform/channel/driver.ts'
import { getSql } from '../src/platform/database/raw.ts'
import type { Parts } from '../src/policy/kit/parts.ts'
import type { Session } from '../src/policy/sessions/authenticate.ts'
import { clearSettingsCache } from '../src/policy/settings/read.ts'
import { type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeSession, makeTicket } from './desk-world.ts'
import { makeGroupPeer, makeMessageEvent, makePeer } from './inbox-world.ts'
import { waitUntil } from './until.ts'

const server = await startDeskServer()
const { db } = server
const sql = getSql(db)
const RUI = '159392934358280@lid'
const ANA = '5531988880002@s.whatsapp.net'
const HIDDEN = '204405855962164@lid'
const GROUP = {
  subject: 'Obra',
  members: [
    { jid: RUI, lid: RUI, group: false },
    { jid: ANA, pn: '5531988880002', group: false },
    { jid: HIDDEN, lid: HIDDEN, group: false },
  ],
}
const parts = {
  ...server,
  ring: () => {},
  supervisor: { ask: async () => GROUP },
} as unknown as Parts
let bruna: SignedInPerson
let carlos: SignedInPerson
let session: Session
let ticketId = 0
let alone = 0

beforeAll(async () => {
  const queueId = await makeQueue(db, 'Financeiro')
  const whatsappId = await makeConnection(db, 'Loja Centro')
  await sql`update whatsapp set status = 'CONNECTED' where id = ${whatsappId}`
  const userId = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [queueId] })
  await makePerson(db, { name: 'Carlos Mota', profile: 'user', queueIds: [await makeQueue(db, 'Comercial')] })
  bruna = await server.as('Bruna')
  carlos = await server.as('Carlos Mota')
  session = await makeSession(db, userId)
  const contactId = await makeContact(db, 'Obra', true)
  await sql`insert into contact_identity (kind, value, contact_id) values ('group', '1@g.us', ${contactId})`
  const rui = await makeContact(db, 'Rui Prado')
  await sql`insert into contact_identity (kind, value, contact_id) values ('lid', ${RUI.replace('@lid', '')}, ${rui})`
  ticketId = await makeTicket(db, { contactId, whatsappId, queueId, status: 'open', userId, isGroup: true })
  alone = await makeTicket(db, { contactId: rui, whatsappId, queueId, status: 'open', userId })
}, 60_000)

describe('a text in a group names its members', () => {
  test('to the group by their addresses; conversation, list and search have their names, never a hidden id', async () => {
    const { id } = await send('@159392934358280, @5531988880002 e @204405855962164: cheguei', [RUI, ANA, HIDDEN])
    const [row] = await sql<{ payload: unknown; body: string; search: string; last: string }[]>`
      select o.payload, m.body, m.search_text as search, t.last_message as last
      from message m join outbox o on o.message_id = m.id join ticket t on t.id = m.ticket_id where m.id = ${id}`
    expect(row?.payload).toMatchObject({
      type: 'text',
      text: '@159392934358280, @5531988880002 e @204405855962164: cheguei',
      mentions: [RUI, ANA, HIDDEN],
    })
    const shown = '@Rui Prado, @+55 31 98888-0002 e @participante: cheguei'
    expect([row?.body, row?.last]).toEqual([shown, shown])
    expect(row?.search).toContain('@rui prado')
    const events = await sql`select 1 from live_event where payload::text like '%159392934358280%'`
    expect([...events]).toEqual([])
  })

  test('of whom is not in the text nobody is called, and digits that are not meant stay', async () => {
    const members = await resolve('@159392934358280 no pedido @5531988880002', [RUI, HIDDEN])
    expect(members.mentions).toEqual([RUI])
    expect(members.members.map(({ digits, shown }) => [digits, shown])).toEqual([['159392934358280', 'Rui Prado']])
  })

  test('and say what these are called by now, when a name comes later', async () => {
    const { id } = await send('@204405855962164, @5531988880002, chegou?', [HIDDEN, ANA])
    const late = await makeContact(db, 'Zé Tinta')
    await sql`insert into contact_identity (kind, value, contact_id) values ('lid', ${HIDDEN.replace('@lid', '')}, ${late})`
    const shown = '@Zé Tinta, @+55 31 98888-0002, chegou?'
    await waitUntil('he is called by his name', async () => (await read(id)) === shown)
    const page = await bruna.call<{ messages: Message[] }>('GET', `/messages/${ticketId}`)
    expect(page.body.messages.find(message => message.id === id)?.body).toBe(shown)
    const [row] = await sql<{ text: string; last: string }[]>`
      select o.payload->>'text' as text, t.last_message as last from outbox o join message m on m.id = o.message_id
        join ticket t on t.id = m.ticket_id where m.id = ${id}`
    expect(row).toEqual({ text: '@204405855962164, @5531988880002, chegou?', last: shown })
    const events = await sql`select 1 from live_event where payload::jsonb->'message'->>'body' = ${shown}`
    expect(events.length).toBe(1)
    await sql`delete from contact where id = ${late}`
    const nobody = '@participante, @+55 31 98888-0002, chegou?'
    await waitUntil('he is nobody again', async () => (await read(id)) === nobody)
  })

  test('words that are changed while they wait go on calling those whose names they still say', async () => {
    const { id } = await send('@159392934358280 e @5531988880002 vêm?', [RUI, ANA])
    await edit(id, '@Rui Prado vem hoje?')
    const [row] = await sql<{ payload: object }[]>`select payload from outbox where message_id = ${id}`
    expect(row?.payload).toEqual({ type: 'text', text: '@159392934358280 vem hoje?', mentions: [RUI] })
    expect(await read(id)).toBe('@Rui Prado vem hoje?')
    await edit(id, 'Vem hoje?')
    const [plain] = await sql<{ payload: object }[]>`select payload from outbox where message_id = ${id}`
    expect(plain?.payload).toEqual({ type: 'text', text: 'Vem hoje?' })
  })

  test('changed, or passed on to somebody by name, they say what these are called by now', async () => {
    const { id } = await send('*Bruna:*\n@159392934358280 chegou?', [RUI])
    const [forwarded] = await forwardTo(alone, id)
    const [sent] = await sql<{ payload: object }[]>`select payload from outbox where message_id = ${forwarded?.id ?? 0}`
    expect(sent?.payload).toEqual({ type: 'text', text: '@Rui Prado chegou?', forward: 'true' })
    await edit(id, '*Bruna:*\n@Rui Prado já chegou?')
    await sql`update contact set name = 'Rui Prado Neto' where name = 'Rui Prado'`
    await waitUntil('both say it', async () => {
      const now = [await read(id), await read(forwarded?.id ?? 0)]
      return now.join() === '*Bruna:*\n@Rui Prado Neto já chegou?,@Rui Prado Neto chegou?'
    })
    await bruna.call('PUT', `/messages/${alone}`, { messageId: forwarded?.id ?? 0, body: '@Rui Prado Neto chegou já?' })
    const [still] = await sql<
      { payload: object }[]
    >`select payload from outbox where message_id = ${forwarded?.id ?? 0}`
    expect(still?.payload).toMatchObject({ text: '@Rui Prado Neto chegou já?' })
    await sql`update contact set name = 'Rui Prado' where name = 'Rui Prado Neto'`
    await waitUntil('as before', async () => (await read(id)) === '*Bruna:*\n@Rui Prado já chegou?')
  })
})

test('a repeat of what was sent gives the same message, though the connection is away or the member left meanwhile', async () => {
  const request = { body: '@159392934358280 chegou?', mentions: [RUI], clientId: 'grupo-1' }
  const members = await resolve(request.body, request.mentions)
  const { id } = await sendMessage(parts, session, ticketId, { ...request, members })
  await sql`update whatsapp set status = 'DISCONNECTED'`
  const again = await bruna.call<Message>('POST', `/messages/${ticketId}`, request)
  await sql`update whatsapp set status = 'CONNECTED'`
  expect([again.status, again.body.id]).toEqual([201, id])
})

test('what comes in says what somebody is called by now, too: a name that is learned, changed or joined, and only of the one who is meant', async () => {
  await sql`update setting set value = 'disabled' where key = 'CheckMsgIsGroup'`
  clearSettingsCache(db)
  const [{ id: whatsappId } = { id: 0 }] = await sql<{ id: number }[]>`select id from whatsapp`
  const take = (...events: ChannelEvent[]) => receiveEvents(db, { id: whatsappId }, events)
  const group = makeGroupPeer('120363000000000044')
  const author = makePeer({ pn: '5531977770009' })
  const hidden = (lid: string) => ({ jid: `${lid}@lid`, lid: `${lid}@lid`, group: false })
  const [ivo, eva] = [makePeer({ pn: '5531977770001', lid: '111111111111111' }), hidden('222222222222222')]
  const mentions = [hidden('111111111111111'), eva]
  const words = '@111111111111111 e @222222222222222: nota @333333333333333'
  await take({ ...makeMessageEvent(group, words, { id: 'LATE' }), author, name: 'Téo', mentions })
  const body = async () => (await sql<{ body: string }[]>`select body from message where provider_id = 'LATE'`)[0]?.body
  const becomes = (text: string) => waitUntil(text, async () => (await body()) === text)
  expect(await body()).toBe('@participante e @participante: nota @333333333333333')
  await take(makeMessageEvent(ivo, 'Oi', { name: 'Ivo' }))
  await becomes('@Ivo e @participante: nota @333333333333333')
  await take(makeMessageEvent(makePeer({ lid: '333333333333333' }), 'Oi', { name: 'Nota Fiscal' }))
  await becomes('@Ivo e @participante: nota @Nota Fiscal')
  const [contact] = await sql<
    { id: number }[]
  >`update contact set name = 'Ivo Reis', name_source = 'manual' where name = 'Ivo' returning id`
  await becomes('@Ivo Reis e @participante: nota @Nota Fiscal')
  await sql`insert into contact_identity (kind, value, contact_id) values ('lid', '222222222222222', ${contact?.id ?? 0})`
  await becomes('@Ivo Reis e @Ivo Reis: nota @Nota Fiscal')
  const [found] = await sql`select 1 from message where search_text like '%@ivo reis e%'`
  expect(found).toBeDefined()
  const jobs =
    await sql`select last_error from graphile_worker.jobs where task_identifier = 'rename-members' and last_error is not null`
  expect([...jobs]).toEqual([])
})

describe('is refused', () => {
  test('for who is not in the group, and in a comment', async () => {
    const refusal = { code: 'ERR_VALIDATION', details: [{ path: 'mentions' }] }
    const stranger = '5531900000009@s.whatsapp.net'
    const errors = [
      await resolve('@5531900000009', [stranger]).catch(error => error),
      await resolve('-- @159392934358280', [RUI]).catch(error => error),
    ]
    for (const error of errors) expect(error).toMatchObject(refusal)
  })

  test('outside of groups, with a file, for a thousand at once, and to whom the ticket is not shown', async () => {
    const body = '@159392934358280'
    const codes = async (person: SignedInPerson, id: number, more: object) => {
      const { status, body: answer } = await person.call('POST', `/messages/${id}`, { body, mentions: [RUI], ...more })
      return [status, answer.error]
    }
    expect(await codes(bruna, alone, {})).toEqual([422, 'ERR_VALIDATION'])
    expect(await codes(bruna, ticketId, { uploadId: 'x' })).toEqual([422, 'ERR_VALIDATION'])
    const thousand = Array.from({ length: 1000 }, (_, at) => `${at}@lid`)
    expect(await codes(bruna, ticketId, { mentions: thousand })).toEqual([422, 'ERR_VALIDATION'])
    expect(await codes(carlos, ticketId, {})).toEqual([403, 'ERR_NO_PERMISSION'])
  })

  test('where names would make the text longer than there are', async () => {
    const contact = sql`select contact_id from contact_identity where value = ${RUI.replace('@lid', '')}`
    await sql`update contact set name = ${'Rui '.repeat(60)} where id in (${contact})`
    const error = await resolve('@159392934358280 '.repeat(LIMITS.textLength / 20), [RUI]).catch(error => error)
    expect(error).toMatchObject({ code: 'ERR_VALIDATION', details: [{ path: 'body' }] })
  })
})

async function read(id: number): Promise<string | undefined> {
  const [row] = await sql<{ body: string }[]>`select body from message where id = ${id}`
  return row?.body
}

function resolve(body: string, ids: readonly string[]) {
  return resolveMemberMentions(parts, session, ticketId, { body, ids })
}

async function send(body: string, ids: readonly string[]): Promise<Message> {
  return sendMessage(parts, session, ticketId, { body, members: await resolve(body, ids) })
}

async function edit(messageId: number, body: string): Promise<void> {
  expect((await bruna.call('PUT', `/messages/${ticketId}`, { messageId, body })).status).toBe(200)
}

async function forwardTo(targetId: number, messageId: number): Promise<readonly Message[]> {
  const [target] = await sql<{ id: number }[]>`select contact_id as id from ticket where id = ${targetId}`
  const request = { contacts: [target?.id ?? 0] }
  return (await bruna.call<{ messages: Message[] }>('POST', `/messages/forward/${messageId}`, request)).body.messages
}
