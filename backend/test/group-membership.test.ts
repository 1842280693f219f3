// A number that is taken out of a group: its conversation says so, until the number is in it again.
import { beforeEach, expect, test } from 'bun:test'
import { loadTickets } from '../src/desk/tickets/present.ts'
import { createTestDatabase } from './database.ts'
import { makeGroupPeer, makeInbox, makeMessageEvent, makePeer, setPlainSettings } from './inbox-world.ts'

const { db } = await createTestDatabase()
const sql = db.$client
await setPlainSettings(db)
const inbox = await makeInbox(db)
const group = makeGroupPeer('120363000000000002')
const lucia = makePeer({ pn: '5531998762210' })
const start = Date.parse('2026-11-20T12:00:00Z')

const writes = (body: string, at: number) =>
  inbox.take({ ...makeMessageEvent(group, body, { at }), author: lucia, name: 'Lúcia', chatName: 'Obra' })
const isMember = (is: boolean, at: number, id?: string) =>
  inbox.take({ type: 'membership', ...(id && { id }), group, isMember: is, at })
const lines = async () =>
  (
    await sql<{ code: string }[]>`select system->>'code' as code from message where media_type = 'system' order by id`
  ).map(({ code }) => code)
async function isOut() {
  const [row] = await sql<{ id: number }[]>`select id from ticket`
  return row && (await loadTickets(db, [row.id])).get(row.id)?.ticket.isOutOfGroup
}

beforeEach(async () => {
  await inbox.empty()
  await sql`update setting set value = 'disabled' where key = 'CheckMsgIsGroup'`
  await writes('Bom dia', start)
})

test('being taken out is a line in the conversation and a state of it, told live', async () => {
  expect(await isOut()).toBe(false)
  await sql`truncate live_event`
  await isMember(false, start + 60_000)
  expect([await isOut(), await lines()]).toEqual([true, ['groupLeft']])
  const change =
    await sql`select 1 from live_event where payload::text like '%"isOutOfGroup": true%' or payload::text like '%"isOutOfGroup":true%'`
  expect(change.length).toBeGreaterThan(0)
})

test('being added again undoes it; what is told twice or late is no line more', async () => {
  await isMember(false, start + 60_000)
  await isMember(false, start + 61_000)
  await isMember(true, start + 120_000)
  await isMember(false, start + 62_000)
  expect([await isOut(), await lines()]).toEqual([false, ['groupLeft', 'groupJoined']])
})

test('out, in and out again within one second are three, where each has an id of its own; a repeat is none', async () => {
  const at = start + 60_000
  for (const [is, id] of [
    [false, 'A1'],
    [true, 'A2'],
    [false, 'A3'],
    [false, 'A3'],
  ] as const)
    await isMember(is, at, id)
  expect([await isOut(), await lines()]).toEqual([true, ['groupLeft', 'groupJoined', 'groupLeft']])
})

test('whoever reads a group is in it: a message of later undoes it, a late one of before does not', async () => {
  await isMember(false, start + 60_000)
  await writes('De antes', start + 30_000)
  expect(await isOut()).toBe(true)
  await writes('De depois', start + 90_000)
  expect(await isOut()).toBe(false)
})

test('a first joining is no news, and of a group without a conversation nothing is kept', async () => {
  await isMember(true, start + 60_000)
  expect(await lines()).toEqual([])
  await inbox.take({ type: 'membership', group: makeGroupPeer('120363000000000003'), isMember: false, at: start })
  expect(await lines()).toEqual([])
})
