// The order of a conversation: answers after what they answer, and the last words in the list.
import { beforeEach, describe, expect, test } from 'bun:test'
import { MEDIA_TYPES } from '@balcao/contract'
import { appendMessages } from '../src/desk/messages/append.ts'
import { clearSettingsCache } from '../src/policy/settings/read.ts'
import { createTestDatabase } from './database.ts'
import { makeInbox, makeMessageEvent, makePeer, setPlainSettings } from './inbox-world.ts'
import { writeFromDesk } from './outgoing-world.ts'

const { db } = await createTestDatabase()
const sql = db.$client
const inbox = await makeInbox(db)
const { take, whatsappId } = inbox
const lucia = makePeer({ pn: '5531998762210' })

beforeEach(async () => {
  await inbox.empty()
  await setPlainSettings(db)
  await sql`update whatsapp set greeting_message = ''`
})

const ticketId = async () => (await sql<{ id: number }[]>`select id from ticket`)[0]?.id ?? 0
const bodies = async () => (await sql`select body from message order by at, ticket_id, seq`).map(row => row.body)
const preview = async () => {
  const [row] = await sql`
    select t.last_message, t.last_message_from_me, m.body from ticket t left join message m on m.id = t.last_message_id`
  return row
}

/** The second in which we wrote last, as the provider would tell it. */
async function ourSecond(): Promise<number> {
  const [row] = await sql<{ at: string }[]>`select extract(epoch from max(at)) * 1000 as at from message where from_me`
  return Number(row?.at)
}

const ways: [string, (id: number) => Promise<unknown>][] = [
  [
    'an agent',
    id =>
      db.transaction(tx =>
        appendMessages(tx, [{ ticketId: id, body: 'Posso ajudar?', mediaType: 'chat', state: 'queued', userId: null }]),
      ),
  ],
  ['the desk', id => db.transaction(tx => writeFromDesk(tx, id, 'Posso ajudar?'))],
]

describe('an answer in the same second is the preview', () => {
  for (const [writer, writes] of ways)
    test(`to what ${writer} wrote`, async () => {
      await take(makeMessageEvent(lucia, 'oi', { at: Date.now() - 60_000 }))
      await writes(await ticketId())
      // Kept to the millisecond by whoever wrote it before.
      await sql`update ticket set last_message_at = last_message_at + interval '0.4 seconds'`
      await take(makeMessageEvent(lucia, 'sim, quero', { at: await ourSecond() }))
      expect(await bodies()).toEqual(['oi', 'Posso ajudar?', 'sim, quero'])
      expect(await preview()).toEqual({ last_message: 'sim, quero', last_message_from_me: false, body: 'sim, quero' })
    })

  test('of two that come together, of one second, the later one in the conversation is', async () => {
    const second = Math.floor(Date.now() / 1000) * 1000 - 60_000
    await take(
      makeMessageEvent(lucia, 'oi', { at: second + 900 }),
      makeMessageEvent(lucia, 'tudo bem?', { at: second + 100 }),
    )
    expect(await bodies()).toEqual(['oi', 'tudo bem?'])
    expect(await preview()).toEqual({ last_message: 'tudo bem?', last_message_from_me: false, body: 'tudo bem?' })
  })

  test('what we write has whole seconds in the list too', async () => {
    await take(makeMessageEvent(lucia, 'oi', { at: Date.now() - 60_000 }))
    for (const [, writes] of ways) {
      await writes(await ticketId())
      const [row] = await sql`select date_trunc('second', last_message_at) = last_message_at as whole from ticket`
      expect(row?.whole).toBe(true)
    }
  })

  test('what is older than the last words is not', async () => {
    await take(makeMessageEvent(lucia, 'oi', { at: Date.now() - 60_000 }))
    await db.transaction(async tx => writeFromDesk(tx, await ticketId(), 'Pois não'))
    await take(makeMessageEvent(lucia, 'atrasada', { at: Date.now() - 30_000 }))
    expect((await preview())?.last_message).toBe('Pois não')
  })

  test('what was on its way while a pause ended is, and the ticket keeps its place', async () => {
    await take(makeMessageEvent(lucia, 'oi', { at: Date.now() - 3_600_000 }))
    // As the end of a pause leaves it: first in the list, with the words of before.
    await sql`update ticket set last_message_at = date_trunc('second', now())`
    const readPlace = async () => (await sql`select last_message_at as at from ticket`)[0]?.at
    const place = await readPlace()
    await take(makeMessageEvent(lucia, 'a caminho', { at: Date.now() - 60_000 }))
    expect((await preview())?.last_message).toBe('a caminho')
    expect(await readPlace()).toEqual(place)
  })
})

describe('what we write stands after what is there, whatever the clock of the provider says', () => {
  test('the greeting', async () => {
    await sql`update whatsapp set greeting_message = 'Olá! Bem-vindo.' where id = ${whatsappId}`
    await sql`insert into setting (key, value) values ('sendGreetingMessage', 'enabled')`
    clearSettingsCache(db)
    await take(makeMessageEvent(lucia, 'bom dia', { at: Date.now() + 300_000 }))
    expect(await bodies()).toEqual(['bom dia', 'Olá! Bem-vindo.'])
  })

  for (const [writer, writes] of ways)
    test(`what ${writer} writes`, async () => {
      await take(makeMessageEvent(lucia, 'bom dia', { at: Date.now() + 300_000 }))
      await writes(await ticketId())
      await writes(await ticketId())
      expect(await bodies()).toEqual(['bom dia', 'Posso ajudar?', 'Posso ajudar?'])
      expect((await preview())?.last_message).toBe('Posso ajudar?')
    })
})

test('the table of kinds decides what begins a conversation: not what the desk alone writes', async () => {
  const begun: string[] = []
  for (const [n, mediaType] of MEDIA_TYPES.entries()) {
    await take(makeMessageEvent(makePeer({ pn: String(5531900000000 + n) }), 'oi', { mediaType }))
    const [row] = await sql<{ n: number }[]>`select count(*)::int as n from ticket`
    if ((row?.n ?? 0) > begun.length) begun.push(mediaType)
  }
  expect(MEDIA_TYPES.filter(mediaType => !begun.includes(mediaType))).toEqual(['comment', 'system'])
})

test('the time in which one may answer runs since the newest of what came together, in whatever order it came', async () => {
  const now = Math.floor(Date.now() / 1000) * 1000
  await take(
    makeMessageEvent(lucia, 'agora', { at: now }),
    makeMessageEvent(lucia, 'de ontem', { at: now - 23 * 3_600_000 }),
  )
  const [channel] = await sql`select extract(epoch from last_inbound_at)::float8 * 1000 as at from contact_channel`
  expect(channel?.at).toBe(now)
})

test('what the provider tells of a customer does not count as their words: nobody may be written to because of it', async () => {
  const before = Math.floor(Date.now() / 1000) * 1000 - 25 * 3_600_000
  await take(makeMessageEvent(lucia, 'ontem', { at: before }))
  for (const customer of [lucia, makePeer({ pn: '5531998762219' })])
    await take({ ...makeMessageEvent(customer, 'Pago', { mediaType: 'payment' }), byProvider: true })
  const rows = await sql`
    select extract(epoch from last_inbound_at)::float8 * 1000 as at from contact_channel order by contact_id`
  expect(rows.map(({ at }) => at)).toEqual([before, null])
})

test('a message that comes late takes no number back from who has it since', async () => {
  const pn = '5531998762210'
  const before = makePeer({ pn, lid: '104405855962164' })
  const since = makePeer({ pn, lid: '159392934358280' })
  const now = Date.now()
  await take(makeMessageEvent(before, 'oi', { at: now - 60_000 }))
  await take(makeMessageEvent(since, 'oi', { at: now - 10_000 }))
  await take(makeMessageEvent(before, 'atrasada', { at: now - 30_000 }))
  const owners = await sql`
    select l.value from contact_identity p join contact_identity l on l.contact_id = p.contact_id and l.kind = 'lid'
    where p.kind = 'pn' and p.value = ${pn}`
  expect(owners.map(({ value }) => value)).toEqual(['159392934358280'])
})
