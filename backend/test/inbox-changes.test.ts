// Who may change what from outside: a message is its author's, a reaction its person's, and of two edits the later one counts.
import { beforeEach, describe, expect, test } from 'bun:test'
import { appendMessages } from '../src/desk/messages/append.ts'
import { loadMessages } from '../src/desk/messages/present.ts'
import { applyWaiting } from '../src/messaging/inbox/changes.ts'
import { UNREADABLE } from '../src/platform/channel/driver.ts'
import { readSettings } from '../src/policy/settings/read.ts'
import { createTestDatabase } from './database.ts'
import {
  makeEditEvent,
  makeGroupPeer,
  makeInbox,
  makeMessageEvent,
  makePeer,
  makeReactionEvent,
  makeRevokeEvent,
} from './inbox-world.ts'

const { db } = await createTestDatabase()
const sql = db.$client
const { take, empty, whatsappId } = await makeInbox(db)

const lucia = makePeer({ pn: '5531998762210' })
const joao = makePeer({ pn: '5511944443333' })
const ana = makePeer({ pn: '5531911111111' })
const otherAna = makePeer({ lid: '777' })
const group = makeGroupPeer('120')

beforeEach(empty)

const one = async (providerId: string) => {
  const [row] = await sql`
    select id, body, is_edited, edited_msg, is_deleted, reactions, quoted_id from message where provider_id = ${providerId} order by id limit 1`
  return row
}

/** What we wrote to a customer who is there already, as the provider knows it. */
async function ours(providerId: string, body: string, customer = lucia): Promise<number> {
  const [ticket] = await sql<{ id: number }[]>`
    select t.id from ticket t join contact_identity i on i.contact_id = t.contact_id
    where i.value = ${customer.pn ?? customer.jid} limit 1`
  const [id = 0] = await db.transaction(tx =>
    appendMessages(tx, [
      { ticketId: ticket?.id ?? 0, body, mediaType: 'chat', state: 'read', userId: null, providerId },
    ]),
  )
  return id
}

describe('a message is changed by its author alone', () => {
  test('a customer changes and takes away his own words, not ours', async () => {
    await take(makeMessageEvent(lucia, 'Quanto fica?', { id: 'HERS' }))
    await ours('OURS', 'R$ 900')
    await take(
      makeEditEvent(lucia, 'OURS', 'R$ 9'),
      makeRevokeEvent(lucia, 'OURS'),
      makeEditEvent(lucia, 'HERS', 'Quanto custa?'),
    )
    expect(await one('OURS')).toMatchObject({ body: 'R$ 900', is_edited: false, is_deleted: false })
    expect(await one('HERS')).toMatchObject({ body: 'Quanto custa?', edited_msg: 'Quanto fica?' })
    await take(makeRevokeEvent(lucia, 'HERS'))
    expect((await one('HERS'))?.is_deleted).toBe(true)
  })

  test('we, on the phone, change our words and not the customer’s', async () => {
    await take(
      makeMessageEvent(lucia, 'Oi', { id: 'HERS' }),
      makeMessageEvent(lucia, 'Pois não', { id: 'PHONE', fromMe: true }),
    )
    await take(
      makeEditEvent(lucia, 'HERS', 'x', { fromMe: true }),
      makeRevokeEvent(lucia, 'HERS', { fromMe: true }),
      makeEditEvent(lucia, 'PHONE', 'Pois não!', { fromMe: true }),
    )
    expect(await one('HERS')).toMatchObject({ body: 'Oi', is_deleted: false })
    expect((await one('PHONE'))?.body).toBe('Pois não!')
  })

  test('from another chat nobody changes it, takes it away or reacts to it, and nobody quotes it', async () => {
    await take(makeMessageEvent(lucia, 'Meu CPF é 123', { id: 'HERS' }), makeMessageEvent(joao, 'Oi'))
    await take(
      makeEditEvent(joao, 'HERS', 'x'),
      makeRevokeEvent(joao, 'HERS'),
      makeReactionEvent(joao, 'HERS', '😂'),
      makeMessageEvent(joao, 'veja', { id: 'QUOTES', quote: { chat: joao.jid, id: 'HERS', fromMe: false } }),
    )
    expect(await one('HERS')).toMatchObject({ body: 'Meu CPF é 123', is_deleted: false, reactions: [] })
    expect((await one('QUOTES'))?.quoted_id).toBeNull()
  })

  test('what a stranger says of it first does not make the author’s own word a repeat', async () => {
    const at = Date.now()
    await take(makeMessageEvent(lucia, 'Oi', { id: 'HERS' }), makeMessageEvent(joao, 'Oi'))
    await take(makeEditEvent(joao, 'HERS', 'Olá', { at }), makeRevokeEvent(joao, 'HERS', { at }))
    await take(makeEditEvent(lucia, 'HERS', 'Olá', { at }))
    expect((await one('HERS'))?.body).toBe('Olá')
    await take(makeRevokeEvent(lucia, 'HERS', { at }))
    expect((await one('HERS'))?.is_deleted).toBe(true)
  })

  test('of two messages of one id each author changes his own', async () => {
    await take(makeMessageEvent(lucia, 'de Lúcia', { id: 'SAME' }), makeMessageEvent(joao, 'de João', { id: 'SAME' }))
    await take(makeEditEvent(lucia, 'SAME', 'de Dona Lúcia'))
    const rows = await sql`select body from message where provider_id = 'SAME' order by id`
    expect(rows.map(row => row.body)).toEqual(['de Dona Lúcia', 'de João'])
  })

  test('in a group it is the author’s, not another member’s', async () => {
    await take(
      makeMessageEvent(group, 'Bom dia', { id: 'G1', author: ana, name: 'Ana' }),
      makeMessageEvent(group, 'Oi', { author: otherAna }),
    )
    await take(
      makeEditEvent(group, 'G1', 'x', { by: otherAna }),
      makeRevokeEvent(group, 'G1', { by: otherAna }),
      makeEditEvent(group, 'G1', 'y'),
      makeEditEvent(ana, 'G1', 'z'),
    )
    expect(await one('G1')).toMatchObject({ body: 'Bom dia', is_deleted: false })
    await take(makeEditEvent(group, 'G1', 'Boa tarde', { by: ana }))
    expect((await one('G1'))?.body).toBe('Boa tarde')
  })

  test('the author is known by any of his addresses, and after two contacts turned out to be one', async () => {
    const byLid = makePeer({ lid: '555' })
    await take(
      makeMessageEvent(group, 'Bom dia', { id: 'G1', author: ana }),
      makeMessageEvent(group, 'Oi', { id: 'G2', author: byLid }),
    )
    await take({ type: 'identity', pn: '5531911111111', lid: '555@lid' })
    await take(makeEditEvent(group, 'G1', 'Boa tarde', { by: byLid }), makeEditEvent(group, 'G2', 'Olá', { by: ana }))
    expect([(await one('G1'))?.body, (await one('G2'))?.body]).toEqual(['Boa tarde', 'Olá'])
  })

  test('in a group nobody fills the card of what another one wrote', async () => {
    const card = makeMessageEvent(group, UNREADABLE, { id: 'G1', author: ana, mediaType: 'unknown' })
    await take(card)
    await take(makeMessageEvent(group, 'nunca escrevi isso', { id: 'G1', author: otherAna }))
    expect((await one('G1'))?.body).toBe(UNREADABLE)
    await take(makeMessageEvent(group, 'o que Ana escreveu', { id: 'G1', author: ana }))
    expect((await one('G1'))?.body).toBe('o que Ana escreveu')
  })
})

describe('a receipt is of the chat its message went to', () => {
  const ack = (chat: string, id: string) => ({ type: 'ack', ref: { chat, id, fromMe: true }, ack: 'read' }) as const
  const stateOf = async (id: string) => (await sql`select state from message where provider_id = ${id}`)[0]?.state

  test('one from the chat of somebody else changes nothing, and does not make the true one a repeat', async () => {
    await take(makeMessageEvent(lucia, 'Oi'), makeMessageEvent(joao, 'Oi'))
    await ours('OURS', 'R$ 900')
    await sql`update message set state = 'sent' where provider_id = 'OURS'`
    await take(ack(joao.jid, 'OURS'))
    expect(await stateOf('OURS')).toBe('sent')
    await take(ack(lucia.jid, 'OURS'))
    expect(await stateOf('OURS')).toBe('read')
  })

  test('one from an address nobody is known by may be his', async () => {
    await take(makeMessageEvent(lucia, 'Oi'))
    await ours('OURS', 'R$ 900')
    await sql`update message set state = 'sent' where provider_id = 'OURS'`
    await take(ack('99887@lid', 'OURS'))
    expect(await stateOf('OURS')).toBe('read')
  })

  test('of two that came before their message the one of its chat counts', async () => {
    await take(
      makeMessageEvent(lucia, 'Oi'),
      makeMessageEvent(joao, 'Oi'),
      ack(joao.jid, 'LATER'),
      ack(lucia.jid, 'LATER'),
    )
    const id = await ours('LATER', 'R$ 900')
    await sql`update message set state = 'sent' where id = ${id}`
    await take(makeMessageEvent(lucia, 'R$ 900', { id: 'LATER', fromMe: true }))
    const settings = await readSettings(db)
    const world = { connection: { id: whatsappId }, settings, messages: [], withMedia: false, answered: false }
    await db.transaction(tx => applyWaiting({ ...world, tx }, ['LATER']))
    expect(await stateOf('LATER')).toBe('read')
  })
})

describe('of two edits the later one counts', () => {
  test('whichever came first, and with the same words as before too', async () => {
    await take(makeMessageEvent(lucia, 'original', { id: 'E1' }))
    const at = Date.now()
    await take(
      makeEditEvent(lucia, 'E1', 'novo', { at: at + 2000 }),
      makeEditEvent(lucia, 'E1', 'velho', { at: at + 1000 }),
    )
    expect((await one('E1'))?.body).toBe('novo')
    await take(
      makeEditEvent(lucia, 'E1', 'novo', { at: at + 4000 }),
      makeEditEvent(lucia, 'E1', 'entre eles', { at: at + 3000 }),
    )
    expect((await one('E1'))?.body).toBe('novo')
  })

  test('changes that waited for their message are applied in their order', async () => {
    const at = Date.now()
    await take(makeEditEvent(lucia, 'W1', 'a última', { at: at + 2000 }))
    await take(makeEditEvent(lucia, 'W1', 'a primeira', { at: at + 1000 }))
    await take(
      makeReactionEvent(lucia, 'W1', '👍', { at: at + 1000 }),
      makeReactionEvent(lucia, 'W1', '', { at: at + 2000 }),
    )
    await take(makeMessageEvent(lucia, 'original', { id: 'W1' }))
    expect(await one('W1')).toMatchObject({ body: 'a última', reactions: [{ emoji: '' }] })
    const edited = await sql`select e.body from message_edit e order by e.id`
    expect(edited.map(row => row.body)).toEqual(['original', 'a primeira'])
  })

  test('what waited from another chat does nothing when the message comes', async () => {
    await take(makeMessageEvent(joao, 'Oi'), makeRevokeEvent(joao, 'W2'), makeEditEvent(joao, 'W2', 'x'))
    await take(makeMessageEvent(lucia, 'original', { id: 'W2' }))
    expect(await one('W2')).toMatchObject({ body: 'original', is_deleted: false })
  })

  test('a stranger’s message of the same id does not use up what waits for the author’s, nor the card of one unread', async () => {
    const card = makeMessageEvent(lucia, UNREADABLE, { id: 'W4', mediaType: 'unknown' })
    await take(makeMessageEvent(lucia, 'Oi'), makeEditEvent(lucia, 'W3', 'corrigido'), { type: 'unreadable', card })
    await take(makeMessageEvent(joao, 'de João', { id: 'W3' }), makeMessageEvent(joao, 'de João', { id: 'W4' }))
    await take(makeMessageEvent(lucia, 'original', { id: 'W3' }))
    const rows = await sql`select body from message where provider_id = 'W3' order by id`
    expect(rows.map(row => row.body)).toEqual(['de João', 'corrigido'])
    expect((await sql`select 1 from raw_event where waits_for = 'W4'`).length).toBe(1)
  })

  test('an edit of what nobody can read yet waits for it', async () => {
    await take(
      makeMessageEvent(lucia, UNREADABLE, { id: 'U1', mediaType: 'unknown' }),
      makeEditEvent(lucia, 'U1', 'corrigido'),
    )
    expect((await one('U1'))?.body).toBe(UNREADABLE)
    await take(makeMessageEvent(lucia, 'original', { id: 'U1' }))
    expect(await one('U1')).toMatchObject({ body: 'corrigido', edited_msg: 'original' })
  })
})

describe('a card that is changed', () => {
  const event = (name: string) => ({
    card: { kind: 'event' as const, name, startsAt: null, endsAt: null, isCanceled: false },
  })
  const shown = async () => {
    const [row] = await sql`
      select m.body, m.media_type, m.details, t.last_message, t.last_message_type from message m join ticket t on t.last_message_id = m.id`
    return row
  }

  test('says what it says now, in the list too, and nothing of before when it is words alone', async () => {
    await take({ ...makeMessageEvent(lucia, 'Festa', { id: 'E' }), mediaType: 'event', details: event('Festa') })
    await take({
      ...makeEditEvent(lucia, 'E', 'Almoço', { at: 1 }),
      type: 'edit',
      body: 'Almoço',
      details: event('Almoço'),
    })
    expect(await shown()).toEqual({
      body: 'Almoço',
      media_type: 'event',
      details: event('Almoço'),
      last_message: 'Almoço',
      last_message_type: 'event',
    })
    await take(makeEditEvent(lucia, 'E', 'Fica para depois', { at: 2 }))
    expect(await shown()).toEqual({
      body: 'Fica para depois',
      media_type: 'actions',
      details: { card: { kind: 'actions', text: 'Fica para depois', buttons: [] } },
      last_message: 'Fica para depois',
      last_message_type: 'actions',
    })
    expect(await sql`select body from message_edit order by id`.then(rows => rows.map(row => row.body))).toEqual([
      'Festa',
      'Almoço',
    ])
  })

  test('is one only if it was one: words stay words', async () => {
    const origin = { kind: 'ad', title: 'Cestas' } as const
    await take({ ...makeMessageEvent(lucia, 'Oi', { id: 'W' }), details: { origin } })
    await take({
      ...makeEditEvent(lucia, 'W', 'Festa', { at: 1 }),
      type: 'edit',
      body: 'Festa',
      details: event('Festa'),
    })
    expect(await shown()).toMatchObject({
      body: 'Festa',
      media_type: 'chat',
      details: { origin },
      last_message: 'Festa',
    })
  })
})

describe('what was deleted stays hidden', () => {
  test('edits and content that come later change nothing anybody sees', async () => {
    await take(makeMessageEvent(lucia, UNREADABLE, { id: 'D1', mediaType: 'unknown' }))
    await take(
      makeRevokeEvent(lucia, 'D1'),
      makeMessageEvent(lucia, 'segredo', { id: 'D1' }),
      makeEditEvent(lucia, 'D1', 'outro segredo'),
    )
    expect((await one('D1'))?.is_deleted).toBe(true)
    const [ticket] = await sql`select last_message, last_message_type from ticket`
    expect(ticket).toEqual({ last_message: '', last_message_type: 'deleted' })
  })
})

describe('of a reaction and its removal the later one counts', () => {
  const at = Date.now() - 60_000
  const emojis = async () => {
    const id = Number((await one('R1'))?.id)
    return (await loadMessages(db, [id], null))[0]?.reactions.map(({ emoji }) => emoji)
  }

  test('also where the removal comes before its reaction, to a message that is there', async () => {
    await take(makeMessageEvent(lucia, 'Boa!', { id: 'R1' }))
    await take(makeReactionEvent(lucia, 'R1', '', { at: at + 2000, own: 'b' }))
    const version = (await sql`select version from message where provider_id = 'R1'`)[0]?.version
    await take(makeReactionEvent(lucia, 'R1', '👍', { at: at + 1000, own: 'a' }))
    expect(await emojis()).toEqual([])
    expect((await sql`select version from message where provider_id = 'R1'`)[0]?.version).toBe(version)
    await take(makeReactionEvent(lucia, 'R1', '🎉', { at: at + 3000, own: 'c' }))
    expect(await emojis()).toEqual(['🎉'])
  })

  test('given, taken back and given again within one second it is there; told twice it changes nothing', async () => {
    await take(makeMessageEvent(lucia, 'Boa!', { id: 'R1' }))
    const changes = [
      makeReactionEvent(lucia, 'R1', '👍', { at, own: 'a' }),
      makeReactionEvent(lucia, 'R1', '', { at, own: 'b' }),
      makeReactionEvent(lucia, 'R1', '👍', { at, own: 'c' }),
    ]
    for (const event of changes) await take(event)
    expect(await emojis()).toEqual(['👍'])
    expect(await take(...changes)).toMatchObject({ stored: 0, repeated: 3 })
    expect(await emojis()).toEqual(['👍'])
  })

  test('one that is repeated later outlasts a removal from between', async () => {
    await take(makeMessageEvent(lucia, 'Boa!', { id: 'R1' }))
    await take(
      makeReactionEvent(lucia, 'R1', '👍', { at, own: 'a' }),
      makeReactionEvent(lucia, 'R1', '👍', { at: at + 3000, own: 'c' }),
    )
    await take(makeReactionEvent(lucia, 'R1', '', { at: at + 1000, own: 'b' }))
    expect(await emojis()).toEqual(['👍'])
  })

  test('of edits, too: there and back within one second the words are those of the last', async () => {
    await take(makeMessageEvent(lucia, 'um', { id: 'R1' }))
    const texts = ['dois', 'três', 'dois']
    for (const [nth, body] of texts.entries()) await take(makeEditEvent(lucia, 'R1', body, { at, own: `e${nth}` }))
    expect(await one('R1')).toMatchObject({ body: 'dois', edited_msg: 'três' })
  })
})

describe('a reaction is its person’s', () => {
  const reactionsOf = async (providerId: string) => {
    const id = Number((await one(providerId))?.id)
    return (await loadMessages(db, [id], null))[0]?.reactions ?? []
  }

  test('two of one name have one each, and each takes back the own one', async () => {
    await take(makeMessageEvent(group, 'Bom dia', { id: 'G1', author: ana }))
    await take(
      makeReactionEvent(group, 'G1', '👍', { by: ana, name: 'Ana' }),
      makeReactionEvent(group, 'G1', '❤️', { by: otherAna, name: 'Ana' }),
    )
    const both = await reactionsOf('G1')
    expect(both.map(({ by, emoji }) => [by, emoji])).toEqual([
      ['Ana', '👍'],
      ['Ana', '❤️'],
    ])
    expect(new Set(both.map(reaction => reaction.person)).size).toBe(2)
    await take(makeReactionEvent(group, 'G1', '', { by: ana, name: 'Ana Paula' }))
    expect((await reactionsOf('G1')).map(reaction => reaction.emoji)).toEqual(['❤️'])
  })

  test('it stays one under another name, by another address, and when an earlier one comes late', async () => {
    const at = Date.now()
    const both = makePeer({ pn: '5531911111111', lid: '555' })
    await take(
      makeMessageEvent(group, 'Bom dia', { id: 'G1', author: ana }),
      makeReactionEvent(group, 'G1', '👍', { by: ana, name: 'Ana', at }),
    )
    await take(
      makeMessageEvent(group, 'Oi', { author: both }),
      makeReactionEvent(group, 'G1', '🎉', { by: both, name: 'Aninha', at: at + 2000 }),
    )
    await take(makeReactionEvent(group, 'G1', '😢', { by: ana, name: 'Ana', at: at + 1000 }))
    expect((await reactionsOf('G1')).map(({ by, emoji }) => [by, emoji])).toEqual([['Aninha', '🎉']])
  })

  test('the company has one, whoever of us gave it where', async () => {
    await take(makeMessageEvent(lucia, 'Oi', { id: 'R1' }))
    await sql`update message set reactions = '[{"by":"Bruna","fromMe":true,"emoji":"👍"}]' where provider_id = 'R1'`
    await take(makeReactionEvent(lucia, 'R1', '❤️', { fromMe: true }))
    expect(await reactionsOf('R1')).toEqual([{ by: 'me', fromMe: true, emoji: '❤️' }])
  })

  test('those that are known by a name alone go on being shown, and their person takes them back', async () => {
    await take(makeMessageEvent(lucia, 'Oi', { id: 'R1' }), makeMessageEvent(group, 'Oi', { id: 'G1', author: ana }))
    await sql`update message set reactions = '[{"by":"Ana","fromMe":false,"emoji":"👍"}]'`
    expect(await reactionsOf('G1')).toEqual([{ by: 'Ana', fromMe: false, emoji: '👍' }])
    await take(
      makeReactionEvent(group, 'G1', '😂', { by: otherAna, name: 'Beto' }),
      makeReactionEvent(group, 'G1', '', { by: ana, name: 'Ana' }),
    )
    expect((await reactionsOf('G1')).map(reaction => reaction.by)).toEqual(['Beto'])
    await take(makeReactionEvent(lucia, 'R1', '', { name: 'Lúcia' }))
    expect(await reactionsOf('R1')).toEqual([])
  })
})

describe('a time that cannot be is the time of arrival', () => {
  for (const at of [Number.NaN, Number.POSITIVE_INFINITY, -1, 8.64e15 + 1, Date.UTC(2400, 0, 1), 1000])
    test(`of a message: ${at}`, async () => {
      const before = Date.now() - 1000
      await take(makeMessageEvent(lucia, 'Oi', { id: 'T1', at }))
      const [row] = await sql<{ at: string; kind: string }[]>`
        select extract(epoch from at) * 1000 as at, media_type as kind from message where provider_id = 'T1'`
      expect(row?.kind).toBe('chat')
      expect(Number(row?.at)).toBeWithin(before - 1000, Date.now() + 1)
      expect((await sql`select 1 from raw_event where error is not null`).length).toBe(0)
    })

  test('of an edit, a receipt and a call: later edits still count, and the window stays what it was', async () => {
    await take(makeMessageEvent(lucia, 'original', { id: 'T2', at: Date.now() + 3_600_000 }))
    await ours('OURS', 'Oi')
    await take(
      makeEditEvent(lucia, 'T2', 'de 2400', { at: Date.UTC(2400, 0, 1) }),
      { type: 'ack', ref: { chat: lucia.jid, id: 'OURS', fromMe: true }, ack: 'read', at: Number.NaN },
      { type: 'call', id: 'C1', from: lucia, video: false, state: 'missed', at: Number.POSITIVE_INFINITY },
    )
    await take(makeEditEvent(lucia, 'T2', 'de hoje', { at: Date.now() + 1000 }))
    expect((await one('T2'))?.body).toBe('de hoje')
    expect((await sql`select 1 from raw_event where error is not null`).length).toBe(0)
    const [channel] =
      await sql`select last_inbound_at <= now() as ok from contact_channel where whatsapp_id = ${whatsappId}`
    expect(channel?.ok).toBe(true)
  })
})
