// Who comes back with an old cursor is told what a fresh fetch would tell: nothing of what was taken back meanwhile (spec 1 §4 "Live events").
import { describe, expect, test } from 'bun:test'
import type { Chat, ChatMessage, LiveEvent, NamedLiveEvent } from '@balcao/contract'
import { receiveEvents } from '../src/messaging/inbox/receive.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makeConnection, makePerson, makeQueue } from './desk-world.ts'
import { makeMessageEvent, makePeer, makeRevokeEvent } from './inbox-world.ts'
import { waitUntil } from './until.ts'

const server = await startDeskServer()
const { db, url } = server
const sql = getSql(db)
const lucia = makePeer({ pn: '5531998762210' })
const rui = makePeer({ pn: '5531998762211' })
const ana = makePeer({ pn: '5531998762212' })
const people: Record<string, SignedInPerson> = {}
const ids: Record<string, number> = {}

const queueIds = [await makeQueue(db, 'Vendas')]
const whatsappId = await makeConnection(db, 'Loja Centro')
await sql`insert into whatsapp_queue (whatsapp_id, queue_id) values (${whatsappId}, ${queueIds[0] ?? 0})`
for (const name of ['Bruna', 'Diego']) {
  ids[name] = await makePerson(db, { name, profile: 'user', queueIds })
  people[name] = await server.as(name)
}
const witness = await hello('Bruna', null)

describe('what was taken back while somebody was away', () => {
  test('comes without its words, in its conversation, where it is quoted, and as the last of a ticket', async () => {
    const away = await lastCursor('Bruna')
    const quote = { chat: lucia.jid, id: 'CARD', fromMe: false }
    await tell(makeMessageEvent(lucia, 'Bom dia'))
    await tell(
      makeMessageEvent(lucia, 'o cartão é 4111-1111', { id: 'CARD' }),
      makeMessageEvent(rui, 'senha 4711', { id: 'PIN' }),
    )
    await tell(makeMessageEvent(lucia, 'Isso mesmo', { quote }))
    await tell(makeRevokeEvent(lucia, 'CARD'), makeRevokeEvent(rui, 'PIN'))
    await everybodyHeard()
    const { text, events } = await comesBack('Bruna', away)
    for (const secret of ['o cartão é', 'senha 4711']) expect(text).not.toContain(secret)
    const messages = events.filter(event => event.event === 'appMessage').flatMap(toEvent)
    expect(messages.filter(message => message.isDeleted).map(message => message.body)).toEqual(['', '', '', ''])
    expect(messages.map(message => message.body)).toContain('Bom dia')
    expect(messages.find(message => message.body === 'Isso mesmo')?.quotedMsg).toMatchObject({
      isDeleted: true,
      body: '',
    })
    const shown = events.flatMap(event => (event.event === 'ticket' && event.action !== 'delete' ? event.ticket : []))
    expect(shown.filter(ticket => ticket.lastMessageType === 'deleted').map(ticket => ticket.lastMessage)).not.toEqual(
      [],
    )
    // The list as it stands after all of it is the list of a fresh fetch.
    const { body } = await as('Bruna').call<{ tickets: typeof shown }>('GET', '/tickets?status=pending')
    const last = new Map(shown.map(ticket => [ticket.id, ticket]))
    const words = (tickets: typeof shown) => tickets.map(one => [one.id, one.lastMessage, one.lastMessageType]).sort()
    expect(words([...last.values()])).toEqual(words(body.tickets))
  })

  test('and what is gone altogether says nothing any more', async () => {
    const away = await lastCursor('Bruna')
    await tell(makeMessageEvent(lucia, 'apague isto: 0800', { id: 'GONE' }), makeMessageEvent(lucia, 'Até logo'))
    await sql`delete from message where provider_id = 'GONE'`
    await everybodyHeard()
    const { text } = await comesBack('Bruna', away)
    expect(text).not.toContain('apague isto')
    expect(text).toContain('Até logo')
  })

  test('in internal chats too', async () => {
    const { body: chat } = await as('Bruna').call<Chat>('POST', '/chats', {
      userId: ids.Bruna,
      callingUserId: ids.Diego,
    })
    const away = await lastCursor('Diego')
    const written = await write(chat.id, { body: 'o cofre abre com 9182' })
    await write(chat.id, { body: 'entendeu?', quotedMsg: { id: written.id } })
    const last = await write(chat.id, { body: 'e o alarme com 7364' })
    for (const { id } of [written, last])
      expect((await as('Bruna').call('DELETE', `/chats/messages/${id}`)).status).toBe(204)
    await everybodyHeard()
    const { text, events } = await comesBack('Diego', away)
    for (const secret of ['o cofre abre', 'o alarme']) expect(text).not.toContain(secret)
    expect(text).toContain('entendeu?')
    const names = new Set<string>(events.map(event => event.event))
    expect(['appMessageChat', 'chat', 'ticketChat'].filter(name => !names.has(name))).toEqual([])
  })
})

function as(name: string): SignedInPerson {
  const person = people[name]
  if (!person) throw new Error(`${name} is not signed in`)
  return person
}

function toEvent(event: NamedLiveEvent<'appMessage'>) {
  return event.action === 'delete' ? [] : [event.message]
}

function tell(...events: Parameters<typeof receiveEvents>[2]): Promise<unknown> {
  return receiveEvents(db, { id: whatsappId }, events)
}

async function write(chatId: number, body: object): Promise<ChatMessage> {
  const answer = await as('Bruna').call<ChatMessage>('POST', `/chats/messages/${chatId}`, body)
  expect(answer.status).toBe(201)
  return answer.body
}

/** The process has read the live log up to here: what comes afterwards is caught up with, not live. */
async function everybodyHeard(): Promise<void> {
  const words = `Até aqui ${crypto.randomUUID()}`
  await tell(makeMessageEvent(ana, words))
  await waitUntil('who stayed has heard it all', () => witness.texts.some(text => text.includes(words)))
}

/** Where somebody who comes in now begins. */
async function lastCursor(name: string): Promise<string> {
  const { cursor, leave } = await hello(name, null)
  leave()
  return cursor
}

/** What somebody is told up to the welcome. */
async function comesBack(name: string, from: string): Promise<{ text: string; events: readonly LiveEvent[] }> {
  const { texts, events, leave } = await hello(name, from)
  leave()
  return { text: texts.join('\n'), events }
}

async function hello(name: string, from: string | null) {
  const { body } = await as(name).call<{ token: string }>('POST', '/auth/socket', {})
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/socket?token=${body.token}`)
  const texts: string[] = []
  const events: LiveEvent[] = []
  let cursor = ''
  let wasOfNoUse = false
  socket.onopen = () => socket.send(JSON.stringify({ type: 'hello', cursor: from }))
  socket.onmessage = ({ data }) => {
    const frame = JSON.parse(String(data))
    if (frame.type === 'reset') wasOfNoUse = true
    if (frame.type === 'welcome' || frame.type === 'reset') cursor = frame.cursor
    if (frame.type !== 'events') return
    texts.push(String(data))
    events.push(...frame.events)
  }
  await waitUntil(`${name} is welcome`, () => cursor !== '')
  expect(wasOfNoUse).toBe(false)
  return { cursor, events, texts, leave: () => socket.close() }
}
