// What comes in: messages, names, calls, and contacts that turn out to be one.
import { describe, expect, test } from 'bun:test'
import type { ChannelEvent, Peer } from '../src/platform/channel/driver.ts'
import { clearSettingsCache } from '../src/policy/settings/read.ts'
import { lucia, number, ref, startInbox } from './inbox-messages.ts'

const { db, sql, take, text } = await startInbox()

describe('a message that comes in', () => {
  test('a name that is cut, or was no text, is the name it was told as: told again it is no news', async () => {
    for (const [name, expected] of [
      [`${'a'.repeat(254)}😀`, 'a'.repeat(254)],
      ['Lú\ud83dcia', 'Lú\ufffdcia'],
    ] as const) {
      const stood = async () => {
        const [row] = await sql`select name, version from contact order by id desc limit 1`
        return row
      }
      await take(text(lucia, 'oi', { name }))
      const before = await stood()
      expect(before?.name).toBe(expected)
      await take(text(lucia, 'de novo', { name }))
      expect((await stood())?.version).toBe(before?.version)
    }
  })

  test('opens one waiting ticket for a new contact, with its live events', async () => {
    await take(text(lucia, 'Bom dia!', { name: 'Dona Lúcia' }))
    const [row] =
      await sql`select t.status, t.unread_messages, t.last_message, c.name, c.number from ticket t join contact c on c.id = t.contact_id`
    expect(row).toEqual({
      status: 'pending',
      unread_messages: 1,
      last_message: 'Bom dia!',
      name: 'Dona Lúcia',
      number: '5531998762210',
    })
    const events =
      await sql`select payload::json->>'event' as event, payload::json->>'action' as action from live_event order by id`
    expect(events.map(one => `${one.event}.${one.action}`)).toEqual([
      'contact.update',
      'appMessage.create',
      'ticket.create',
    ])
  })

  test('a repeat changes nothing', async () => {
    const event = text(lucia, 'Oi')
    await take(event)
    const again = await take(event)
    expect(again).toMatchObject({ stored: 0, repeated: 1 })
    expect(await number(sql`select count(*)::int as n from message`)).toBe(1)
  })

  test('the same message told again under another address of the chat is one message', async () => {
    const first = text({ jid: '9911@lid', lid: '9911@lid', pn: '5531998762210', group: false }, 'Oi')
    await take(first)
    await take({ ...first, ref: { ...first.ref, chat: lucia.jid }, chat: lucia } as ChannelEvent)
    const [row] = await sql`select (select count(*)::int from message) as messages, unread_messages from ticket`
    expect(row).toEqual({ messages: 1, unread_messages: 1 })
  })

  test('also in one batch: it is counted once, and lists know which one they show', async () => {
    const first = text({ jid: '9911@lid', lid: '9911@lid', pn: '5531998762210', group: false }, 'Oi')
    await take(first, { ...first, ref: { ...first.ref, chat: lucia.jid }, chat: lucia } as ChannelEvent)
    const [ticket] = await sql`
      select t.unread_messages, t.message_seq, m.body from ticket t left join message m on m.id = t.last_message_id`
    expect(ticket).toEqual({ unread_messages: 1, message_seq: 1, body: 'Oi' })
  })

  test('many at once for a new contact, from several processes, make one contact and one live ticket', async () => {
    const events = Array.from({ length: 40 }, (_, n) => text(lucia, `mensagem ${n}`))
    await Promise.all(events.map(event => take(event)))
    const [row] =
      await sql`select (select count(*)::int from contact) as contacts, (select count(*)::int from ticket) as tickets, (select count(*)::int from message) as messages, (select count(distinct seq)::int from message) as numbers`
    expect(row).toEqual({ contacts: 1, tickets: 1, messages: 40, numbers: 40 })
  })

  test('with and without the ninth digit, and by LID once it is known, it is one person', async () => {
    await take(text(lucia, 'com nove'))
    await take(text({ jid: '553198762210@s.whatsapp.net', pn: '553198762210', group: false }, 'sem nove'))
    await take(text({ jid: '7788@lid', lid: '7788@lid', pn: '5531998762210', group: false }, 'por LID'))
    await take(text({ jid: '7788@lid', lid: '7788@lid', group: false }, 'só LID'))
    expect(await number(sql`select count(*)::int as n from contact`)).toBe(1)
    expect(await number(sql`select count(*)::int as n from ticket`)).toBe(1)
  })

  test('messages are ordered by the time of the provider, whatever order they come in', async () => {
    const now = Date.now()
    await take(text(lucia, 'segunda', { at: now }), text(lucia, 'primeira', { at: now - 60_000 }))
    const rows = await sql`select body from message order by at, ticket_id, seq`
    expect(rows.map(row => row.body)).toEqual(['primeira', 'segunda'])
    expect(await number(sql`select count(*)::int as n from ticket where last_message = 'segunda'`)).toBe(1)
  })

  test('texts of any kind are stored as they are: script, SQL, direction marks, zero width, NUL', async () => {
    const odd = `<script>alert(1)</script> '; drop table ticket; -- \u202Eabc\u200B😀`
    await take(text(lucia, `${odd}\u0000`, { name: `${'x'.repeat(10_000)}` }))
    const [row] = await sql`select m.body, length(c.name) as name from message m join contact c on c.id = m.contact_id`
    expect(row).toEqual({ body: odd, name: 255 })
  })

  test("what no database can store inside the provider's own form does no harm", async () => {
    const raw = { text: 'a\u0000b', half: '\ud83d', deep: ['\u0000'] }
    await take({ ...text(lucia, 'metade \ud83d e \u0000', { name: 'Lú\u0000cia' }), raw } as ChannelEvent)
    const [row] =
      await sql`select m.body, m.media_type, m.raw->'event' as event, c.name from message m join contact c on c.id = m.contact_id`
    expect(row).toEqual({
      body: 'metade \ufffd e ',
      media_type: 'chat',
      event: { text: 'ab', half: '\ufffd', deep: [''] },
      name: 'Lú cia',
    })
  })

  test('an unknown kind is kept as a card', async () => {
    await take({ ...text(lucia, 'hologramMessage'), mediaType: 'unknown' } as ChannelEvent)
    expect(await number(sql`select count(*)::int as n from message where media_type = 'unknown'`)).toBe(1)
  })

  test('what our own code cannot digest is kept with its error, shows a card, and harms no other', async () => {
    const bad = { ...text(lucia, 'x'), body: null as unknown as string }
    const result = await take(text(lucia, 'antes'), bad, text(lucia, 'depois'))
    expect(result.stored).toBe(3)
    const rows = await sql`select body from message where media_type = 'chat' order by seq`
    expect(rows.map(row => row.body)).toEqual(['antes', 'depois'])
    expect(await number(sql`select count(*)::int as n from raw_event where error is not null`)).toBe(1)
  })
})

describe('what names a message', () => {
  test('receipts only grow, in any order, and may come before the message is known to be sent', async () => {
    const ticket = await ticketWithOwnMessage('OWN1')
    await take(ack('OWN1', 'read'), ack('OWN1', 'delivered'), ack('OWN1', 'sent'))
    const [row] =
      await sql`select m.state, t.last_message_state from message m join ticket t on t.id = m.ticket_id where m.provider_id = 'OWN1'`
    expect(row).toEqual({ state: 'read', last_message_state: 'read' })
    await take(ack('OWN2', 'delivered'))
    await ownMessage(ticket, 'OWN2')
    await take({
      ...text(lucia, 'OWN2', { fromMe: true }),
      ref: { chat: lucia.jid, id: 'OWN2', fromMe: true },
      ack: 'sent',
    } as ChannelEvent)
    expect(await number(sql`select count(*)::int as n from message where provider_id = 'OWN2'`)).toBe(1)
  })

  test('a receipt moves the tick in the lists, and leaves the words of what has none of its own', async () => {
    for (const [mediaType, body, shown] of [
      ['location', '-19.9|-43.9|Praça Sete', 'Praça Sete'],
      ['vcard', 'BEGIN:VCARD\nFN:Rafael\nEND:VCARD', 'Rafael'],
      ['application', '', 'nota.pdf'],
    ] as const) {
      const id = `DATA-${mediaType}`
      const ticket = await ticketWithOwnMessage(id)
      await sql`update message set media_type = ${mediaType}, body = ${body} where provider_id = ${id}`
      await sql`update ticket set last_message = ${shown}, last_message_type = ${mediaType} where id = ${ticket}`
      await take(ack(id, 'read'))
      const [row] =
        await sql`select last_message, last_message_type, last_message_state from ticket where id = ${ticket}`
      expect(row).toEqual({ last_message: shown, last_message_type: mediaType, last_message_state: 'read' })
    }
  })

  test('an error is kept with the code and text of the provider', async () => {
    await ticketWithOwnMessage('OWN3')
    await take({ type: 'ack', ref: ref('OWN3'), ack: 'error', code: '463', text: 'restricted' })
    const [row] = await sql`select state, error_log from message where provider_id = 'OWN3'`
    expect(row).toEqual({ state: 'failed', error_log: { code: '463', message: 'restricted' } })
  })

  test('edits, deletions and reactions that overtake their message are applied when it comes', async () => {
    const chat = lucia
    const target = { chat: chat.jid, id: 'LATE', fromMe: false }
    const at = Date.now()
    await take(
      { type: 'edit', ref: target, chat, body: 'corrigido', at },
      { type: 'reaction', ref: target, chat, by: lucia, fromMe: false, emoji: '👍', at },
    )
    await take({ ...text(lucia, 'original'), ref: target } as ChannelEvent)
    const [row] = await sql`select body, edited_msg, is_edited, reactions from message`
    expect(row).toMatchObject({
      body: 'corrigido',
      edited_msg: 'original',
      is_edited: true,
      reactions: [{ emoji: '👍', fromMe: false }],
    })
    await take(
      { type: 'reaction', ref: target, chat, by: lucia, fromMe: false, emoji: '', at: at + 1 },
      { type: 'revoke', ref: target, chat, at },
    )
    const [gone] = await sql`select is_deleted, reactions from message`
    expect(gone).toMatchObject({ is_deleted: true, reactions: [{ emoji: '', fromMe: false }] })
  })

  test('a missed call is a line in the live ticket, not a ticket of its own', async () => {
    await take(text(lucia, 'oi'))
    await take({ type: 'call', id: 'C1', from: lucia, video: true, state: 'missed', at: Date.now() })
    const [row] =
      await sql`select (select count(*)::int from ticket) as tickets, media_type, body from message order by id desc limit 1`
    expect(row).toEqual({ tickets: 1, media_type: 'call_log', body: 'video' })
  })
})

describe('decisions §5: call', () => {
  const ring = (id: string, at = Date.now()) =>
    take({ type: 'call', id, from: lucia, video: false, state: 'offer', at })
  const listSent = () => sql<{ body: string }[]>`select body from message where from_me order by id`
  const taken = async (value: 'enabled' | 'disabled') => {
    await sql`insert into setting (key, value) values ('call', ${value}) on conflict (key) do update set value = excluded.value`
    clearSettingsCache(db)
  }

  test('off: the contact of a refused call is told in text, once, and the call is a line in the conversation', async () => {
    await taken('disabled')
    expect((await ring('C2')).answered).toBe(true)
    await ring('C2')
    await take({ type: 'call', id: 'C2', from: lucia, video: false, state: 'missed', at: Date.now() })
    expect([...(await listSent())]).toEqual([
      { body: 'Não atendemos chamadas por aqui. Escreva para nós, por favor: respondemos por mensagem.' },
    ])
    expect(await number(sql`select count(*)::int as n from message where media_type = 'call_log'`)).toBe(1)
    expect(await number(sql`select count(*)::int as n from outbox`)).toBe(1)
  })

  test('decisions-2 §8: with respostaAutomatica off the call is a line, and nothing is said', async () => {
    await taken('disabled')
    await take(text(lucia, 'oi'))
    await sql`delete from message where from_me`
    await sql`update contact set resposta_automatica = false`
    await ring('C5')
    expect([...(await listSent())]).toEqual([])
    expect(await number(sql`select count(*)::int as n from message where media_type = 'call_log'`)).toBe(1)
  })

  test('on again it rings from the next call, and what rang long ago is answered by nobody', async () => {
    await taken('disabled')
    await ring('C3', Date.now() - 3_600_000)
    await taken('enabled')
    await ring('C4')
    expect([...(await listSent())]).toEqual([])
  })
})

test('two contacts that turn out to be one are merged: tickets, messages and the old number', async () => {
  const byLid: Peer = { jid: '555@lid', lid: '555@lid', group: false }
  await take(text(lucia, 'pelo número', { name: 'Lúcia' }), text(byLid, 'pelo LID'), text(byLid, 'de novo pelo LID'))
  expect(await number(sql`select count(*)::int as n from ticket where status = 'pending'`)).toBe(2)
  await take({ type: 'identity', pn: '5531998762210', lid: '555@lid' })
  const [row] = await sql`
    select (select count(*)::int from ticket) as tickets, (select count(*)::int from message) as messages, (select count(distinct contact_id)::int from message) as people,
      (select unread_messages from ticket) as unread, (select merged_into is not null from contact order by id desc limit 1) as merged`
  expect(row).toEqual({ tickets: 1, messages: 3, people: 1, unread: 3, merged: true })
  await take(text({ jid: '553198762210@s.whatsapp.net', pn: '553198762210', group: false }, 'ainda eu'))
  expect(await number(sql`select count(*)::int as n from ticket`)).toBe(1)
})

function ack(id: string, state: 'sent' | 'delivered' | 'read'): ChannelEvent {
  return { type: 'ack', ref: ref(id), ack: state }
}

async function ticketWithOwnMessage(providerId: string): Promise<number> {
  await take(text(lucia, 'oi'))
  const ticket = (await number(sql`select id as n from ticket`)) ?? 0
  await ownMessage(ticket, providerId)
  return ticket
}

async function ownMessage(ticketId: number, providerId: string): Promise<void> {
  const [made] = await sql`
    with t as (update ticket set message_seq = message_seq + 1 where id = ${ticketId} returning *)
    insert into message (ticket_id, contact_id, whatsapp_id, seq, at, provider_id, from_me, body, state)
    select id, contact_id, whatsapp_id, message_seq, now(), ${providerId}, true, 'resposta', 'sending' from t returning id`
  await sql`update ticket set last_message_id = ${made?.id}, last_message_from_me = true, last_message_state = 'sending' where id = ${ticketId}`
}
