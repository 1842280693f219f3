// A photo in the better quality comes twice and is one message.
import { beforeEach, describe, expect, test } from 'bun:test'
import { type InboundMessage, UNREADABLE } from '../src/platform/channel/driver.ts'
import { createTestDatabase } from './database.ts'
import { makeGroupPeer, makeInbox, makeMessageEvent, makePeer, makeRevokeEvent } from './inbox-world.ts'

const { db } = await createTestDatabase()
const sql = db.$client
const inbox = await makeInbox(db)
const { take } = inbox
const lucia = makePeer({ pn: '5531998762210' })
const ana = makePeer({ pn: '5531911111111' })

beforeEach(() => inbox.empty())

const photo = (id: string, more: Partial<InboundMessage> & { handle?: string } = {}): InboundMessage => {
  const { handle = id, ...rest } = more
  const event = makeMessageEvent(lucia, '', { id, mediaType: 'image', at: 1_700_000_000_000 })
  return { ...event, media: { mime: 'image/jpeg', size: 10, handle }, raw: { from: id }, ...rest }
}
const better = (of: string, more: Partial<InboundMessage> = {}) => photo('HD', { betterOf: of, ...more })
const stored = async () =>
  (await sql`select provider_id, body, media_id, raw->'handle'->>'handle' as handle from message order by id`).map(
    row => Object.values(row),
  )
const unread = async () => (await sql`select unread_messages from ticket`).map(row => row.unread_messages)

describe('the better file', () => {
  test('takes the place of the small one, in one message, and nobody is told twice', async () => {
    await take(photo('SD', { body: 'Veja' }))
    expect(await take(better('SD', { body: 'outra' }))).toMatchObject({ stored: 1, withMedia: true, answered: false })
    expect(await stored()).toEqual([['SD', 'Veja', null, 'HD']])
    expect(await unread()).toEqual([1])
    expect(await take(better('SD'))).toMatchObject({ stored: 0, repeated: 1 })
  })

  test('brings its words where the small one had none, in the list too', async () => {
    await take(photo('SD'), better('SD', { body: 'A fachada' }))
    expect((await sql`select last_message from ticket`)[0]).toEqual({ last_message: 'A fachada' })
  })

  test('also when both come at once', async () => {
    await take(photo('SD'), better('SD'))
    expect(await stored()).toEqual([['SD', '', null, 'HD']])
    expect(await unread()).toEqual([1])
  })

  test('is a message by itself without the small one, which is no second one should it still come', async () => {
    await take(better('SD', { body: 'Só a boa' }))
    await take(photo('SD'))
    expect(await stored()).toEqual([['SD', 'Só a boa', null, 'HD']])
    await inbox.empty()
    await take(better('SD'), photo('SD'))
    expect(await stored()).toEqual([['SD', '', null, 'HD']])
    expect(await unread()).toEqual([1])
  })

  test('comes once: nobody takes what was seen away by one more', async () => {
    const another = (id: string) => better('SD', { ref: { chat: lucia.jid, id, fromMe: false } })
    await take(photo('SD'))
    await take(another('HD1'))
    await take({ ...another('HD1'), author: lucia })
    await take(another('HD2'))
    expect((await stored()).map(([id]) => id)).toEqual(['SD', 'HD2'])
    expect(await sql`select 1 from message where provider_id = 'SD' and raw->>'better' = 'HD1'`).toHaveLength(1)
  })

  test('fills the card of a small one that nobody could read', async () => {
    await take(makeMessageEvent(lucia, UNREADABLE, { id: 'SD', mediaType: 'unknown' }))
    await take(better('SD'))
    expect(await stored()).toEqual([['SD', '', null, 'HD']])
  })

  test('of somebody else, for words, or for what was deleted, takes no place', async () => {
    await take(
      photo('SD'),
      makeMessageEvent(lucia, 'palavras', { id: 'TEXT' }),
      makeMessageEvent(ana, 'Oi', { id: 'A' }),
      photo('GONE'),
      makeRevokeEvent(lucia, 'GONE'),
    )
    await take(better('SD', { chat: ana, ref: { chat: ana.jid, id: 'HD1', fromMe: false } }))
    await take(better('TEXT', { ref: { chat: lucia.jid, id: 'HD2', fromMe: false } }))
    await take(better('GONE', { ref: { chat: lucia.jid, id: 'HD3', fromMe: false } }))
    await take(better('SD', { ref: { chat: lucia.jid, id: 'HD4', fromMe: true } }))
    const handles = (await stored()).map(([id, , , handle]) => [id, handle])
    expect(handles).toEqual([
      ['SD', 'SD'],
      ['TEXT', null],
      ['A', null],
      ['GONE', 'GONE'],
      ['SD', 'HD'],
      ['HD2', 'HD'],
      ['HD4', 'HD'],
    ])
  })

  test('in a group only its author brings it', async () => {
    const group = makeGroupPeer('120')
    const inGroup = (event: InboundMessage, author = ana, id = event.ref.id) => ({
      ...event,
      chat: group,
      author,
      ref: { chat: group.jid, id, fromMe: false },
    })
    await take(inGroup(photo('SD')))
    await take(inGroup(better('SD'), lucia, 'HD1'))
    await take(inGroup(better('SD'), ana, 'HD2'))
    expect((await stored()).map(([id, , , handle]) => [id, handle])).toEqual([
      ['SD', 'HD'],
      ['HD1', 'HD'],
    ])
  })
})

describe('a change that only the phone can read', () => {
  const hidden = (id: string, at: number) =>
    ({ type: 'edit', ref: { chat: lucia.jid, id, fromMe: false }, chat: lucia, body: null, at }) as const
  const one = async () => (await sql`select body, is_edited, details from message`)[0]

  test('marks its message, and one that can be read takes the mark away', async () => {
    const at = Date.now()
    await take(makeMessageEvent(lucia, 'As oito', { id: 'E1', at: at - 9000 }), hidden('E1', at))
    expect(await one()).toEqual({ body: 'As oito', is_edited: true, details: { hiddenEdit: true } })
    await take({ ...hidden('E1', at), body: 'Às oito' })
    expect(await one()).toEqual({ body: 'Às oito', is_edited: true, details: {} })
  })

  test('of a message that never came waits, and makes no message', async () => {
    await take(makeMessageEvent(lucia, 'Oi', { id: 'X' }), hidden('NEVER', Date.now()))
    expect(await stored()).toHaveLength(1)
    expect(await sql`select 1 from raw_event where waits_for = 'NEVER'`).toHaveLength(1)
  })

  test('of a card brings how it is now', async () => {
    const event = (name: string) =>
      ({ card: { kind: 'event', name, startsAt: null, endsAt: null, isCanceled: false } }) as const
    const at = Date.now()
    await take({
      ...makeMessageEvent(lucia, 'Visita', { id: 'E1', mediaType: 'event', at: at - 9000 }),
      details: event('Visita'),
    })
    await take({ ...hidden('E1', at), body: 'Visita', details: event('Visita técnica') })
    expect(await one()).toMatchObject({ details: event('Visita técnica') })
  })
})
