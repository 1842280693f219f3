// Who is named in a group is read by name, wherever the words stand.
import { beforeEach, describe, expect, test } from 'bun:test'
import type { MentionedPerson } from '../src/platform/channel/driver.ts'
import { createTestDatabase } from './database.ts'
import { makeGroupPeer, makeInbox, makeMessageEvent, makePeer, setPlainSettings } from './inbox-world.ts'

const { db } = await createTestDatabase()
const sql = db.$client
await setPlainSettings(db)
const inbox = await makeInbox(db)
const group = makeGroupPeer('120363000000000001')
const lucia = makePeer({ pn: '5531998762210', lid: '104405855962164' })
const rui = makePeer({ pn: '5531977770002', lid: '159392934358280' })

beforeEach(async () => {
  await inbox.empty()
  await sql`update setting set value = 'disabled' where key = 'CheckMsgIsGroup'`
})

const named = (peer: ReturnType<typeof makePeer>, more: Partial<MentionedPerson> = {}): MentionedPerson => ({
  ...peer,
  ...more,
})
const inGroup = (body: string, mentions: readonly MentionedPerson[] = [], more = {}) =>
  inbox.take({
    ...makeMessageEvent(group, body, { id: `G${Bun.randomUUIDv7()}`, ...more }),
    author: lucia,
    name: 'Lúcia',
    mentions,
  })
async function shown() {
  const [message] =
    await sql`select m.body, t.last_message from message m join ticket t on t.id = m.ticket_id where t.is_group order by m.id desc limit 1`
  return [message?.body, message?.last_message]
}
const found = async (words: string) =>
  [...(await sql`select 1 from message where search_text like ${`%${words}%`}`)].length

describe('in a group', () => {
  test('somebody the desk knows is called as the desk does, in conversation, preview and search', async () => {
    await inbox.take(makeMessageEvent(rui, 'Oi', { name: 'Rui Prado' }))
    await inGroup('@159392934358280 pode ver?', [
      named({ jid: '159392934358280@lid', lid: '159392934358280@lid', group: false }),
    ])
    expect(await shown()).toEqual(['@Rui Prado pode ver?', '@Rui Prado pode ver?'])
    expect(await found('@rui prado pode')).toBe(1)
    const rows = await sql`select payload from live_event where payload::text like '%159392934358280 pode%'`
    expect([...rows]).toEqual([])
  })

  test('also where the provider does not say that somebody is named', async () => {
    await inbox.take(makeMessageEvent(rui, 'Oi', { name: 'Rui Prado' }))
    await inGroup('@159392934358280 e @5531977770002: pedido @12345 de 2026')
    expect((await shown())[0]).toBe('@Rui Prado e @Rui Prado: pedido @12345 de 2026')
  })

  test('whom the desk does not know is called as the group does, else by number, and nobody by a hidden id', async () => {
    await inGroup('@159392934358280', [named(rui, { name: 'Rui do grupo' })])
    expect((await shown())[0]).toBe('@Rui do grupo')
    await inGroup('@159392934358280', [named(rui)])
    expect((await shown())[0]).toBe('@+55 31 97777-0002')
    await inGroup('@159392934358280', [{ jid: '159392934358280@lid', lid: '159392934358280@lid', group: false }])
    expect((await shown())[0]).toBe('@participante')
  })

  test('a long name said thousands of times makes no message longer than there are', async () => {
    await inbox.take(makeMessageEvent(rui, 'Oi', { name: 'Rui '.repeat(60) }))
    const body = '@159392934358280 '.repeat(3800)
    await inGroup(body, [named(rui)])
    expect((await shown())[0]).toBe(body)
  })

  test('the connection itself is called by its name', async () => {
    await inGroup('@159392934358280, me ajuda?', [named(rui, { isSelf: true })])
    expect((await shown())[0]).toBe('@Loja Centro, me ajuda?')
  })

  test('the words of a quote that came along name people, too', async () => {
    const content = { mediaType: 'chat', body: '@159392934358280 pode ver?' } as const
    const quote = { chat: group.jid, id: 'BEFORE', fromMe: false, content }
    await inbox.take({
      ...makeMessageEvent(group, 'pode', { quote }),
      author: lucia,
      mentions: [named(rui, { name: 'Rui do grupo' })],
    })
    const [message] = await sql`select quote->'content'->>'body' as words from message order by id desc limit 1`
    expect(message?.words).toBe('@Rui do grupo pode ver?')
  })

  test('an edit names people, too', async () => {
    await inGroup('espera', [], { id: 'EDITED' })
    const ref = { chat: group.jid, id: 'EDITED', fromMe: false }
    await inbox.take({
      type: 'edit',
      ref,
      chat: group,
      by: lucia,
      at: Date.now() + 1000,
      body: 'espera, @159392934358280',
      mentions: [named(rui, { name: 'Rui do grupo' })],
    })
    expect((await shown())[0]).toBe('espera, @Rui do grupo')
  })
})

test('a name turns nothing around: not of a person, of who wrote in a group, nor of a group', async () => {
  await inbox.take(makeMessageEvent(rui, 'Oi', { name: 'Rui \u202Eodarp\u2067' }))
  const event = { ...makeMessageEvent(group, 'Oi'), author: lucia, name: 'Lúcia\u202E', chatName: 'Turma\u202E' }
  await inbox.take(event, { type: 'group', jid: group.jid, subject: 'Turma \u202B2' })
  const contacts = await sql`select name from contact order by id`
  expect(contacts.map(({ name }) => name)).toEqual(['Rui odarp', 'Turma 2', 'Lúcia'])
  const [message] = await sql`select author_name from message order by id desc limit 1`
  expect(message?.author_name).toBe('Lúcia')
})

test('in a private chat digits after an @ are what was written', async () => {
  await inbox.take(makeMessageEvent(rui, 'Oi', { name: 'Rui Prado' }))
  await inbox.take(makeMessageEvent(rui, 'Meu Instagram é @5531977770002', { name: 'Rui Prado' }))
  const [message] = await sql`select body from message order by id desc limit 1`
  expect(message?.body).toBe('Meu Instagram é @5531977770002')
})
