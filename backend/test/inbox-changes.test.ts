// Messages that are edited, deleted and replaced by who wrote them.
import { describe, expect, test } from 'bun:test'
import { UNREADABLE } from '../src/platform/channel/driver.ts'
import { startInboxChanges } from './inbox-changes-world.ts'
import { makeEditEvent, makeMessageEvent, makePeer, makeReactionEvent, makeRevokeEvent } from './inbox-world.ts'

const { sql, take, lucia, joao, ana, otherAna, group, one, ours } = await startInboxChanges()

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
