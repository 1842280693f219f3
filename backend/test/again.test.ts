// What an older version did not understand, or failed on, is read again by one that does.
import { beforeEach, expect, test } from 'bun:test'
import { reprocessEvents, reprocessForVersion } from '../src/messaging/inbox/reprocess.ts'
import { createTestDatabase } from './database.ts'
import { makeInbox, makeMessageEvent, makePeer } from './inbox-world.ts'
import { waitUntil } from './until.ts'

const { db } = await createTestDatabase()
const sql = db.$client
const inbox = await makeInbox(db)
const { take } = inbox
const lucia = makePeer({ pn: '5531998762210' })

beforeEach(async () => {
  await inbox.empty()
  await sql`truncate digested`
})

const shown = async () =>
  (await sql`select media_type, body, seq, version::int from message order by seq`).map(row => Object.values(row))
const failures = async () => (await sql`select 1 from raw_event where error is not null`).length
const row = async () => (await sql`select last_message, last_message_type, unread_messages from ticket`)[0]

/** As a version left it that did not know this kind of message. */
const notUnderstood = (id: string, words: string) => ({
  ...makeMessageEvent(lucia, '', { id }),
  mediaType: 'unknown' as const,
  raw: { key: { remoteJid: lucia.jid, id, fromMe: false }, message: { conversation: words } },
})

test('a card says what it is, in its place, and nothing is told twice', async () => {
  await take(
    makeMessageEvent(lucia, 'antes'),
    notUnderstood('NEW1', 'o que é agora entendido'),
    notUnderstood('NEW2', 'e isto'),
  )
  expect(await shown()).toEqual([
    ['chat', 'antes', 1, 1],
    ['unknown', '', 2, 1],
    ['unknown', '', 3, 1],
  ])
  expect(await reprocessEvents(db)).toMatchObject({ looked: 2, understood: 2 })
  expect(await shown()).toEqual([
    ['chat', 'antes', 1, 1],
    ['chat', 'o que é agora entendido', 2, 2],
    ['chat', 'e isto', 3, 2],
  ])
  expect(await row()).toEqual({ last_message: 'e isto', last_message_type: 'chat', unread_messages: 3 })
  expect(await reprocessEvents(db)).toMatchObject({ looked: 0, understood: 0 })
})

test('what is still not understood, was deleted, or is older than what came is kept stays as it is', async () => {
  await take(notUnderstood('NEW1', 'velho'), notUnderstood('NEW2', 'apagado'), {
    ...notUnderstood('NEW3', ''),
    raw: { key: {}, message: null },
  })
  await sql`update message set created_at = now() - interval '8 days' where provider_id = 'NEW1'`
  await sql`update message set is_deleted = true where provider_id = 'NEW2'`
  expect(await reprocessEvents(db)).toMatchObject({ looked: 1, understood: 0 })
  expect((await shown()).map(([type]) => type)).toEqual(['unknown', 'unknown', 'unknown'])
})

test('what the desk failed on fills the card it left, and what fails again keeps its error', async () => {
  await sql.unsafe(`
    create function refuse() returns trigger language plpgsql as $$ begin
      if new.body in ('x', 'y') then raise exception 'refused'; end if; return new; end $$;
    create trigger refuse before insert or update on message for each row execute function refuse()`)
  await take(makeMessageEvent(lucia, 'x', { id: 'X' }))
  await take(makeMessageEvent(lucia, 'y', { id: 'Y' }))
  expect([await failures(), (await shown()).map(([type]) => type)]).toEqual([2, ['unknown', 'unknown']])
  expect(await reprocessEvents(db)).toMatchObject({ looked: 4, understood: 0 })
  expect(await failures()).toBe(2)
  await sql.unsafe('drop trigger refuse on message; drop function refuse')
  expect(await reprocessEvents(db)).toMatchObject({ understood: 2 })
  expect((await shown()).map(([type, body]) => [type, body])).toEqual([
    ['chat', 'x'],
    ['chat', 'y'],
  ])
  expect(await failures()).toBe(0)
})

test('one that is taken back while it is read again stays hidden', async () => {
  await take(notUnderstood('NEW1', 'segredo'))
  const isWaiting = async () =>
    (await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`).length >
    0
  const running = await sql.begin(async tx => {
    await tx`select 1 from ticket for update`
    await tx`update message set is_deleted = true`
    const again = reprocessEvents(db)
    await waitUntil('reading again waits for who takes it back', isWaiting)
    return { again }
  })
  expect(await running.again).toMatchObject({ looked: 1, understood: 0 })
  expect((await shown()).map(([type, body]) => [type, body])).toEqual([['unknown', '']])
})

test('one that cannot even be read keeps none of the others from being read', async () => {
  await take(
    { ...notUnderstood('BAD', ''), raw: { key: { remoteJid: 5, id: 'BAD' }, message: { conversation: 'x' } } },
    notUnderstood('GOOD', 'entendido'),
  )
  expect(await reprocessEvents(db)).toMatchObject({ looked: 2, understood: 1 })
  expect((await shown()).map(([type, body]) => [type, body])).toEqual([
    ['unknown', ''],
    ['chat', 'entendido'],
  ])
})

test('is done once for a version', async () => {
  await take(notUnderstood('NEW1', 'agora'))
  expect(await reprocessForVersion(db, '8.0.0')).toMatchObject({ understood: 1 })
  await take(notUnderstood('NEW2', 'depois'))
  expect(await reprocessForVersion(db, '8.0.0')).toBeNull()
  expect(await reprocessForVersion(db, '8.0.1')).toMatchObject({ looked: 1, understood: 1 })
})
