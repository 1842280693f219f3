// An answer shows what it answers, in whatever order the two come, and also where the desk never had it.
import { beforeEach, describe, expect, test } from 'bun:test'
import type { Message } from '@balcao/contract'
import { mergeContacts } from '../src/desk/contacts/merge.ts'
import { loadMessages } from '../src/desk/messages/present.ts'
import { toChannelEvents as gatewayEvents } from '../src/messaging/channels/meow/inbound.ts'
import { createInboxBatcher } from '../src/messaging/inbox/batcher.ts'
import { receiveEvents } from '../src/messaging/inbox/receive.ts'
import { claimDue } from '../src/messaging/outbox/claim.ts'
import { settle } from '../src/messaging/outbox/settle.ts'
import type { QuotedContent, ReceivedQuote } from '../src/platform/channel/driver.ts'
import { createTestDatabase } from './database.ts'
import {
  makeGroupPeer,
  makeInbox,
  makeMessageEvent,
  makePeer,
  makeReactionEvent,
  makeRevokeEvent,
} from './inbox-world.ts'
import { makeOutgoingFixture } from './outgoing-world.ts'

const { db } = await createTestDatabase()
const sql = db.$client
const { take, empty, whatsappId } = await makeInbox(db)
const lucia = makePeer({ pn: '5531998762210' })
const group = makeGroupPeer('120363000000000001')
const PICTURE = `/9j/${'A'.repeat(400)}`

beforeEach(empty)

const ref = (id: string, more: Partial<ReceivedQuote> = {}): ReceivedQuote => ({
  ...{ chat: lucia.jid, id, fromMe: false },
  ...more,
})
const question = (at = Date.now()) => makeMessageEvent(lucia, 'Tem caixa de 40?', { id: 'Q', at })
const answer = (more: Partial<ReceivedQuote> = {}) =>
  makeMessageEvent(lucia, 'essa mesmo', { id: 'A', quote: ref('Q', more) })

async function message(providerId: string): Promise<Message> {
  const [row] = await sql<{ id: string }[]>`select id from message where provider_id = ${providerId}`
  const [found] = row ? await loadMessages(db, [Number(row.id)], null) : []
  if (!found) throw new Error(`There is no message ${providerId}`)
  return found
}

const quoted = async (providerId = 'A') => (await message(providerId)).quotedMsg

describe('an answer finds what it quotes', () => {
  test('that came before it', async () => {
    await take(question())
    await take(answer())
    expect(await quoted()).toMatchObject({ id: (await message('Q')).id, body: 'Tem caixa de 40?' })
  })

  test('and not what somebody else gave the same id', async () => {
    await take(makeMessageEvent(makePeer({ pn: '5531977770002' }), 'Saldo: R$ 900', { id: 'Q' }))
    await take(question())
    await take(answer())
    expect((await quoted())?.body).toBe('Tem caixa de 40?')
  })

  test('in the same batch, from somebody who never wrote before', async () => {
    await take(question(), answer())
    expect(await quoted()).toMatchObject({ id: (await message('Q')).id, body: 'Tem caixa de 40?' })
  })

  test('in webhooks a few milliseconds apart, which go in together', async () => {
    const taker = createInboxBatcher(db, { id: whatsappId }, { taken() {}, failed() {} })
    await Promise.all([taker.take([makeMessageEvent(lucia, 'oi')]), taker.take([question()]), taker.take([answer()])])
    expect((await quoted())?.body).toBe('Tem caixa de 40?')
  })

  test('in webhooks that two processes take at the same moment', async () => {
    await Promise.all([take(question()), take(answer())])
    expect((await quoted())?.body).toBe('Tem caixa de 40?')
  })

  test('that comes after it, and screens hear of it', async () => {
    await take(answer())
    expect(await quoted()).toBeNull()
    const [before] = await sql<{ id: string }[]>`select coalesce(max(id), 0) as id from live_event`
    await take(question())
    expect((await quoted())?.body).toBe('Tem caixa de 40?')
    const events = await sql<{ payload: string }[]>`select payload from live_event where id > ${before?.id ?? 0}`
    expect(
      events.some(({ payload }) => payload.includes('essa mesmo') && payload.includes('"body":"Tem caixa de 40?"')),
    ).toBe(true)
  })

  test('in a piece of the past that is told newest first', async () => {
    const past = { past: true, replay: true } as const
    await take({ ...answer(), ...past }, { ...question(Date.now() - 60_000), ...past })
    expect((await quoted())?.body).toBe('Tem caixa de 40?')
  })

  test('together with what else had waited for it', async () => {
    await take(answer(), makeReactionEvent(lucia, 'Q', '👍'))
    await take(question())
    expect((await quoted())?.body).toBe('Tem caixa de 40?')
    expect((await message('Q')).reactions).toMatchObject([{ emoji: '👍' }])
  })

  test('of ours, before the provider has told us its id', async () => {
    const world = await makeOutgoingFixture(db, 1, 'cloud_api')
    const id = await world.write(0, 'Pode ser às 15h?')
    const owned = { whatsappId: world.whatsappId, epoch: 0 }
    const [claim] = await claimDue(db, owned, 1)
    if (!claim) throw new Error('Nothing was claimed')
    const chat = world.tickets[0]?.to ?? ''
    const customer = { jid: chat, pn: chat.replace(/@.*/, ''), group: false }
    const event = makeMessageEvent(customer, 'pode', { id: 'A', quote: { chat, id: 'wamid.OURS', fromMe: true } })
    await receiveEvents(db, { id: world.whatsappId }, [event])
    expect(await quoted()).toBeNull()
    await settle(db, owned, claim, { state: 'done', id: 'wamid.OURS', ack: 'sent' })
    expect(await quoted()).toMatchObject({ id, body: 'Pode ser às 15h?', fromMe: true })
  })

  test.each(['the one that asked', 'the one that answered'])(
    'of the same person by another address, once the two are one: %s stays',
    async stays => {
      const hidden = makePeer({ lid: '777' })
      await take(question())
      await take(makeMessageEvent(hidden, 'essa mesmo', { id: 'A', quote: ref('Q', { chat: hidden.jid }) }))
      expect(await quoted()).toBeNull()
      const rows = await sql<{ contact_id: number }[]>`select contact_id from message order by id`
      const [first = 0, second = 0] = rows.map(row => row.contact_id)
      const [into, from] = stays === 'the one that asked' ? [first, second] : [second, first]
      await db.transaction(tx => mergeContacts(tx, into, from))
      expect((await quoted())?.body).toBe('Tem caixa de 40?')
    },
  )
})

describe('of a message that the desk does not have', () => {
  const content: QuotedContent = { mediaType: 'chat', body: 'Orçamento: R$ 1.250,00 à vista' }

  test('the words that came along are shown, and whose they were', async () => {
    await take(answer({ fromMe: true, content }))
    expect(await quoted()).toEqual({
      ...{ id: null, body: content.body, fromMe: true, contact: { name: '' }, isEdited: false, editedMsg: null },
      ...{ mediaUrl: null, thumbUrl: null, mediaType: 'chat', isDeleted: false },
    })
  })

  test('a picture is shown small; what is no picture, or too large for one, is not', async () => {
    const shown = async (id: string, thumb: string) => {
      await take(
        makeMessageEvent(lucia, 'essa', {
          id,
          quote: ref('S', { content: { mediaType: 'image', body: 'vestido', thumb } }),
        }),
      )
      return quoted(id)
    }
    expect(await shown('A1', PICTURE)).toMatchObject({
      mediaType: 'image',
      body: 'vestido',
      thumbUrl: `data:image/jpeg;base64,${PICTURE}`,
    })
    expect((await shown('A2', Buffer.from('<svg onload="x"/>').toString('base64')))?.thumbUrl).toBeNull()
    expect((await shown('A3', `/9j/${'A'.repeat(40_000)}`))?.thumbUrl).toBeNull()
  })

  test('nothing is shown where nothing came along', async () => {
    await take(answer())
    expect(await quoted()).toBeNull()
  })

  test('in a group they are of who wrote them, by the name the desk knows', async () => {
    const ana = makePeer({ pn: '5531911111111' })
    await take(makeMessageEvent(group, 'oi', { author: ana, name: 'Ana' }))
    const quote = { chat: group.jid, id: 'X', fromMe: false, participant: ana.jid, content }
    await take(makeMessageEvent(group, 'isso', { id: 'A', author: lucia, name: 'Lúcia', quote }))
    expect((await quoted())?.contact.name).toBe('Ana')
  })

  test('once it comes it stands there itself, and is taken back with itself', async () => {
    await take(answer({ content }))
    await take(question())
    expect(await quoted()).toMatchObject({ id: (await message('Q')).id, body: 'Tem caixa de 40?' })
    await take(makeRevokeEvent(lucia, 'Q'))
    expect(await quoted()).toMatchObject({ isDeleted: true, body: '', thumbUrl: null })
    expect(await sql`select 1 from message where quote is not null`).toHaveLength(0)
  })

  test('an answer that is taken back quotes nothing any more', async () => {
    await take(answer({ content }), makeRevokeEvent(lucia, 'A'))
    expect(await quoted()).toBeNull()
  })

  test('one that stands in another conversation of the desk is not shown from there', async () => {
    await take(makeMessageEvent(group, 'O preço é segredo', { id: 'Q', author: makePeer({ pn: '5531911111111' }) }))
    await take(answer({ content }))
    expect(await quoted()).toBeNull()
  })
})

test('a gateway tells the words of what is answered', () => {
  const payload = {
    id: 'A',
    chat_id: lucia.jid,
    from: lucia.jid,
    body: 'essa',
    replied_to_id: 'X',
    quoted_body: 'R$ 900',
  }
  const [event] = gatewayEvents({ event: 'message', payload })
  expect(event).toMatchObject({ quote: { id: 'X', content: { mediaType: 'chat', body: 'R$ 900' } } })
})
