// Events that cannot be taken in: they wait while the database is away, and otherwise stop nobody behind them.
import { beforeEach, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { createInboxBatcher } from '../src/messaging/inbox/batcher.ts'
import type { ChannelEvent } from '../src/platform/channel/driver.ts'
import { createTestDatabase } from './database.ts'
import {
  makeEditEvent,
  makeInbox,
  makeMessageEvent,
  makePeer,
  makeReactionEvent,
  makeRevokeEvent,
} from './inbox-world.ts'

const { db } = await createTestDatabase()
const sql = db.$client
const inbox = await makeInbox(db)
const { take, whatsappId } = inbox
const lucia = makePeer({ pn: '5531998762210' })

beforeEach(async () => {
  await inbox.empty()
  await sql.unsafe(
    'drop trigger if exists refuse on message; drop function if exists refuse; drop sequence if exists tries',
  )
})

/** From now on storing 'x' fails so each time, or only the first times. */
async function refusing(error: string, times = 1_000_000): Promise<void> {
  await sql.unsafe(`
    create sequence tries;
    create function refuse() returns trigger language plpgsql as $$ begin
      if new.body = 'x' and nextval('tries') <= ${times} then raise exception using message = 'refused', ${error}; end if;
      return new; end $$;
    create trigger refuse before insert or update on message for each row execute function refuse()`)
}

const readStored = async () =>
  (await sql`select media_type, body from message order by seq`).map(row => [row.media_type, row.body])
const undigested = async () =>
  (await sql<{ error: string }[]>`select error from raw_event where error is not null`).map(row => row.error)

describe('no event stops those behind it for ever', () => {
  test('a unique violation that is no known race is kept at once, with a card in its place', async () => {
    await refusing(`errcode = '23505', constraint = 'message_client'`)
    const result = await take(
      makeMessageEvent(lucia, 'antes'),
      makeMessageEvent(lucia, 'x'),
      makeMessageEvent(lucia, 'depois'),
    )
    expect(result).toMatchObject({ stored: 3, undigested: 1 })
    expect(await readStored()).toEqual([
      ['chat', 'antes'],
      ['unknown', ''],
      ['chat', 'depois'],
    ])
    expect(await undigested()).toEqual(['PostgresError: refused'])
    const [tries] = await sql`select last_value::int as n from tries`
    expect(tries?.n).toBe(2)
  })

  test('what names no index takes is kept, a message with a card, whoever chose them', async () => {
    const long = randomBytes(6000).toString('base64url')
    const ack = { type: 'ack', ref: { chat: lucia.jid, id: long, fromMe: true }, ack: 'read' } as const
    const events = [
      makeMessageEvent(lucia, 'antes'),
      makeMessageEvent(lucia, 'x', { id: long }),
      makeEditEvent(lucia, long, 'x'),
      makeRevokeEvent(lucia, long),
      makeReactionEvent(lucia, long, '👍'),
      ack,
      makeMessageEvent(makePeer({ lid: long }), 'x'),
      makeMessageEvent(lucia, 'depois'),
    ]
    expect(await take(...events)).toMatchObject({ stored: 8, undigested: 6 })
    expect(await readStored()).toEqual([
      ['chat', 'antes'],
      ['unknown', ''],
      ['chat', 'depois'],
    ])
    expect(await take(...events)).toMatchObject({ stored: 0, repeated: 8 })
  })

  for (const error of [`errcode = '23505', constraint = 'ticket_live'`, `errcode = '40P01'`])
    test(`what is lost again at every try is kept after some: ${error}`, async () => {
      await refusing(error)
      const passed: string[] = []
      const taker = createInboxBatcher(
        db,
        { id: whatsappId },
        { taken: () => passed.push('taken'), failed: () => passed.push('failed') },
      )
      await taker.take([makeMessageEvent(lucia, 'x')])
      await taker.take([makeMessageEvent(lucia, 'depois')])
      expect(passed).toEqual(['taken', 'taken'])
      expect(await readStored()).toEqual([
        ['unknown', ''],
        ['chat', 'depois'],
      ])
      expect(await undigested()).toEqual(['PostgresError: refused'])
    })

  test('a race that is lost a few times is won in the end', async () => {
    await refusing(`errcode = '40001'`, 4)
    await take(makeMessageEvent(lucia, 'x'))
    expect(await readStored()).toEqual([['chat', 'x']])
    expect(await undigested()).toEqual([])
  })

  test('a connection lost at this very event, while the database is there, is a fault of the event', async () => {
    await refusing(`errcode = '08006'`)
    expect(await take(makeMessageEvent(lucia, 'x'), makeMessageEvent(lucia, 'depois'))).toMatchObject({ undigested: 1 })
    expect((await readStored()).at(-1)).toEqual(['chat', 'depois'])
  })

  test('while there is no room an event waits as it is', async () => {
    await refusing(`errcode = '53100'`, 3)
    let failures = 0
    const taker = createInboxBatcher(db, { id: whatsappId }, { taken: () => {}, failed: () => failures++ })
    await taker.take([makeMessageEvent(lucia, 'x'), makeMessageEvent(lucia, 'depois')])
    expect(failures).toBeGreaterThan(0)
    expect(await readStored()).toEqual([
      ['chat', 'x'],
      ['chat', 'depois'],
    ])
  })

  test('what has no name or words that can be kept is kept as far as it can be', async () => {
    const odd: unknown[] = [
      { ...makeMessageEvent(lucia, 'a', { id: 'NUL\u0000' }) },
      { ...makeMessageEvent(lucia, 'b'), raw: { big: 1n } },
      { ...makeEditEvent(lucia, 'Z', 'c'), body: undefined },
      { ...makeMessageEvent(lucia, 'd', { id: 'metade\ud83d' }) },
      { type: 'reaction', ref: {}, at: 1 },
    ]
    await take(...(odd as ChannelEvent[]), makeMessageEvent(lucia, 'depois'))
    expect((await readStored()).at(-1)).toEqual(['chat', 'depois'])
  })
})

test('a change that cannot be applied leaves the message it waited for as it came', async () => {
  await take(makeEditEvent(lucia, 'W1', 'x'))
  await refusing(`errcode = '22000'`)
  await take(makeMessageEvent(lucia, 'original', { id: 'W1' }))
  expect(await readStored()).toEqual([['chat', 'original']])
  expect(await undigested()).toEqual(['PostgresError: refused'])
})
