// What the desk says to several customers is written together, and is as if each had been written alone.
import { beforeEach, expect, test } from 'bun:test'
import { toSettingTexts } from '@balcao/contract'
import { writeAutomaticMessages } from '../src/desk/messages/automatic.ts'
import { toContentColumns } from '../src/desk/messages/content.ts'
import { writeMessages } from '../src/desk/messages/write.ts'
import { AppError } from '../src/platform/http/errors.ts'
import { clearSettingsCache } from '../src/policy/settings/read.ts'
import { settings } from '../src/policy/settings/table.ts'
import { createTestDatabase } from './database.ts'
import { makeInbox, makeMessageEvent, makePeer, setPlainSettings } from './inbox-world.ts'
import { makeOutgoingFixture } from './outgoing-world.ts'

const { db } = await createTestDatabase()
const sql = db.$client
const inbox = await makeInbox(db)

beforeEach(async () => {
  await inbox.empty()
  await setPlainSettings(db)
})

const timezone = 'America/Sao_Paulo'
const saying = (ticketId: number, text: string) => ({ ticketId, text, timezone, ticketToldLater: true })
const conversation = async (id: number) => [
  ...(await sql`select body, seq from message where ticket_id = ${id} order by seq`),
]

test('each keeps its place in its conversation, and its event its audience', async () => {
  const { tickets } = await makeOutgoingFixture(db, 2)
  const [a = 0, b = 0] = tickets.map(({ id }) => id)
  const results = await db.transaction(tx =>
    writeAutomaticMessages(tx, [
      saying(a, 'Olá, {{name}}!'),
      saying(b, 'Olá, {{name}}!'),
      saying(a, ''),
      saying(a, 'Já atendemos.'),
    ]),
  )
  expect(results.map(message => message?.body ?? null)).toEqual([
    'Olá, Cliente 0!',
    'Olá, Cliente 1!',
    null,
    'Já atendemos.',
  ])
  expect(results.map(message => message?.ticketId ?? null)).toEqual([a, b, null, a])
  expect(await conversation(a)).toEqual([
    { body: 'Olá, Cliente 0!', seq: 1 },
    { body: 'Já atendemos.', seq: 2 },
  ])
  expect(await conversation(b)).toEqual([{ body: 'Olá, Cliente 1!', seq: 1 }])
  const shown = await sql`select last_message, message_seq, version::int from ticket order by id`
  // The first of the desk's words where there were none: what comes after it does not take its place.
  expect([...shown]).toEqual([
    { last_message: 'Olá, Cliente 0!', message_seq: 2, version: 3 },
    { last_message: 'Olá, Cliente 1!', message_seq: 1, version: 2 },
  ])
  const queued = await sql`select m.body from outbox o join message m on m.id = o.message_id order by o.id`
  expect(queued.map(row => row.body)).toEqual(['Olá, Cliente 0!', 'Olá, Cliente 1!', 'Já atendemos.'])
  const notified =
    await sql`select audience->>'ticketId' as ticket, payload::jsonb->'message'->>'body' as body from live_event order by id`
  expect(notified.map(row => [Number(row.ticket), row.body])).toEqual([
    [a, 'Olá, Cliente 0!'],
    [b, 'Olá, Cliente 1!'],
    [a, 'Já atendemos.'],
  ])
})

test('one that may not leave stops none of the others', async () => {
  const { tickets, whatsappId } = await makeOutgoingFixture(db, 3, 'cloud_api')
  const [, late] = tickets
  await sql`update contact_channel set last_inbound_at = now() - interval '25 hours' where contact_id = ${late?.contactId ?? 0}`
  const results = await db.transaction(tx =>
    writeAutomaticMessages(
      tx,
      tickets.map(({ id }) => saying(id, 'Bom dia')),
    ),
  )
  expect(results.map(message => message?.ticketId ?? null)).toEqual([tickets[0]?.id ?? 0, null, tickets[2]?.id ?? 0])
  const [first] = tickets
  const nowhere = { ticket: { id: first?.id ?? 0, contactId: first?.contactId ?? 0, whatsappId: 0 }, userId: null }
  const here = { ticket: { ...nowhere.ticket, whatsappId }, userId: null }
  const written = await db.transaction(tx =>
    writeMessages(
      tx,
      [nowhere, here].map(one => ({ ...one, ...toContentColumns({ body: 'Oi' }) })),
    ),
  )
  expect(written.map(one => (one instanceof AppError ? one.code : one.body))).toEqual([
    'ERR_WAPP_NOT_INITIALIZED',
    'Oi',
  ])
})

test('of many who write at once outside the hours each is told once', async () => {
  const closed = { monday: false, tuesday: false, wednesday: false, thursday: false, friday: false }
  await db.delete(settings)
  await db
    .insert(settings)
    .values(toSettingTexts({ ...closed, saturday: false, sunday: false }).map(([key, value]) => ({ key, value })))
  clearSettingsCache(db)
  const people = Array.from({ length: 30 }, (_, at) => makePeer({ pn: `55319987600${String(at).padStart(2, '0')}` }))
  await inbox.take(...people.flatMap(chat => [makeMessageEvent(chat, 'oi'), makeMessageEvent(chat, 'alguém?')]))
  await inbox.take(...people.map(chat => makeMessageEvent(chat, 'alô?')))
  const rows = await sql`select ticket_id from message where automatic group by ticket_id having count(*) = 1`
  expect(rows).toHaveLength(30)
  const numbers = await sql`
    select ticket_id from message group by ticket_id having count(*) <> max(seq) or count(distinct seq) <> count(*)`
  expect([...numbers]).toEqual([])
})
