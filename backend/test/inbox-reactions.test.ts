// Reactions, receipts and times that come in.
import { describe, expect, test } from 'bun:test'
import { loadMessages } from '../src/desk/messages/present.ts'
import { applyWaiting } from '../src/messaging/inbox/changes.ts'
import { readSettings } from '../src/policy/settings/read.ts'
import { startInboxChanges } from './inbox-changes-world.ts'
import { makeEditEvent, makeMessageEvent, makePeer, makeReactionEvent } from './inbox-world.ts'

const { db, sql, take, whatsappId, lucia, joao, ana, otherAna, group, one, ours } = await startInboxChanges()

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
