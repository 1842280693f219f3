import { beforeEach, describe, expect, test } from 'bun:test'
import { showUnreadableCards } from '../src/messaging/inbox/overdue.ts'
import { receiveEvents } from '../src/messaging/inbox/receive.ts'
import { type ChannelEvent, type InboundMessage, UNREADABLE } from '../src/platform/channel/driver.ts'
import { createTestDatabase } from './database.ts'

const { db } = await createTestDatabase()
const sql = db.$client

const [row] = await sql<
  { id: number }[]
>`insert into whatsapp (name, api) values ('Loja Centro', 'baileys') returning id`
const whatsappId = row?.id ?? 0

beforeEach(async () => {
  await sql`truncate message, ticket, contact_identity, contact_channel, contact, raw_event, live_event cascade`
})

const content: InboundMessage = {
  type: 'message',
  ref: { chat: '5531998762210@s.whatsapp.net', id: 'A1', fromMe: false },
  chat: { jid: '5531998762210@s.whatsapp.net', pn: '5531998762210', group: false },
  at: Date.now(),
  name: 'Dona Lúcia',
  mediaType: 'chat',
  body: 'O pedido chegou?',
  replay: false,
  raw: {},
}
const unreadable: ChannelEvent = {
  type: 'unreadable',
  card: { ...content, mediaType: 'unknown', body: UNREADABLE },
}

const take = (...events: ChannelEvent[]) => receiveEvents(db, { id: whatsappId }, events)
const messages = () => sql`select body, media_type from message order by id`
const twoMinutesPass = () => sql`update raw_event set received_at = received_at - interval '2 minutes'`
const show = () => showUnreadableCards(db, () => {})

describe('a message that nobody can read yet', () => {
  test('waits for its content two minutes; then a card stands for it, once', async () => {
    await take(unreadable, unreadable)
    await show()
    expect(await messages()).toHaveLength(0)
    await twoMinutesPass()
    await show()
    await show()
    expect([...(await messages())]).toEqual([{ body: UNREADABLE, media_type: 'unknown' }])
    const [ticket] = await sql`select status, unread_messages from ticket`
    expect(ticket).toEqual({ status: 'pending', unread_messages: 1 })
  })

  test('shows what came late, whatever letters are in it', async () => {
    await take(unreadable)
    await twoMinutesPass()
    await show()
    const card = { kind: 'form', fields: [{ name: 'a\u0000b', value: '\ud800' }] } as const
    await take({
      ...content,
      mediaType: 'form',
      body: 'a\u0000b',
      details: { card: { ...card, fields: [...card.fields] } },
    })
    expect([...(await messages())]).toEqual([{ body: 'ab', media_type: 'form' }])
  })

  test('shows what came late in the list too: of a place its description', async () => {
    await take(unreadable)
    await twoMinutesPass()
    await show()
    await take({ ...content, mediaType: 'location', body: '|https://maps.google.com/?q=1,2|Rua das Acácias' })
    const [ticket] = await sql`select last_message, last_message_type from ticket`
    expect(ticket).toEqual({ last_message: 'Rua das Acácias', last_message_type: 'location' })
  })

  test('leaves no card when the content came in time, or before', async () => {
    await take(unreadable)
    await take(content)
    await take(unreadable)
    await twoMinutesPass()
    await show()
    expect([...(await messages())]).toEqual([{ body: 'O pedido chegou?', media_type: 'chat' }])
  })

  test('shows its content in the place of the card when it comes late', async () => {
    await take(unreadable)
    await twoMinutesPass()
    await show()
    await take(content)
    expect([...(await messages())]).toEqual([{ body: 'O pedido chegou?', media_type: 'chat' }])
    const [ticket] = await sql`select last_message, last_message_type, unread_messages, message_seq from ticket`
    expect(ticket).toEqual({
      last_message: 'O pedido chegou?',
      last_message_type: 'chat',
      unread_messages: 1,
      message_seq: 1,
    })
    const events =
      await sql`select payload::json->>'event' as event, payload::json->>'action' as action from live_event order by id`
    expect(events.slice(-2).map(one => `${one.event}.${one.action}`)).toEqual(['appMessage.update', 'ticket.update'])
  })

  test('shows it also when no database can store all of it', async () => {
    await take(unreadable)
    await twoMinutesPass()
    await show()
    const card = { kind: 'actions' as const, text: 'a\0b\ud800', buttons: [] }
    const came = await take({
      ...content,
      mediaType: 'actions',
      body: 'a\0b\ud800',
      details: { card },
      raw: { 'x\0': '\0' },
    })
    expect(came.undigested).toBe(0)
    expect([...(await messages())]).toEqual([{ body: 'ab\ufffd', media_type: 'actions' }])
  })
})
