// Customers who have been waiting since before there were targets wait from the upgrade on, in their order (docs/decisions/0317).
import { beforeAll, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { startTwoQueueDesk } from './two-queue-desk.ts'

const { sql, finance, openTicket } = await startTwoQueueDesk()
const MINUTE = 60_000
const upgrade = await Bun.file(join(import.meta.dir, '../migrations/0103_waiting_since.sql')).text()

type Line = 'customer' | 'person' | 'phone' | 'greeting' | 'comment'

beforeAll(async () => {
  await sql`update queue set first_answer_minutes = 15, answer_minutes = 60 where id = ${finance}`
  await sql`delete from work_span`
  await sql`insert into work_span (begins, ends, before) values ('2020-01-01', '2090-01-01', 0)`
})

beforeEach(async () => {
  await sql`delete from ticket`
})

test('nobody is late at once, and who came first is due first', async () => {
  const ids = [await openTicket(), await openTicket(), await openTicket()]
  for (const [n, minutesAgo] of [40, 4000, 400].entries()) await say(ids[n] ?? 0, 'customer', minutesAgo)
  const before = Date.now()
  await sql.unsafe(upgrade)
  const rows = await sql<{ id: number; since: string; due: string }[]>`
    select id, answer_since as since, answer_due_at as due from ticket order by answer_due_at`
  expect(rows.map(({ id }) => id)).toEqual([ids[1], ids[2], ids[0]] as number[])
  for (const { since, due } of rows) {
    expect(Math.abs(Date.parse(since) - before)).toBeLessThan(MINUTE)
    expect(Date.parse(due) - Date.parse(since)).toBe(15 * MINUTE)
  }
  expect(await sql`select 1 from ticket_answer`).toHaveLength(0)
})

test.each<[string, boolean, Line[]]>([
  ['who wrote nothing', false, ['person']],
  ['who was answered', false, ['customer', 'person']],
  ['who was answered by the phone', false, ['customer', 'phone']],
  ['whom a greeting or a comment came after', true, ['customer', 'greeting', 'comment']],
  ['who wrote after the answer', true, ['customer', 'person', 'customer']],
])('%s waits: %p', async (_, waits, lines) => {
  const id = await openTicket()
  for (const [n, line] of lines.entries()) await say(id, line, 50 - n)
  await sql.unsafe(upgrade)
  expect(await findWaiting(id)).toEqual({ waits, minutes: waits ? (lines.includes('person') ? 60 : 15) : null })
})

test('what was said before the last closing is over; what came after it waits for a first answer', async () => {
  const [over, again] = [await openTicket(), await openTicket()]
  for (const id of [over, again]) {
    await say(id, 'person', 51)
    await say(id, 'customer', 50)
    await sql`update ticket set status = 'closed' where id = ${id}`
    await sql`update ticket set status = 'open' where id = ${id}`
  }
  await say(again, 'customer', -1)
  await sql.unsafe(upgrade)
  expect(await findWaiting(over)).toEqual({ waits: false, minutes: null })
  expect(await findWaiting(again)).toEqual({ waits: true, minutes: 15 })
})

test('paused, nothing is due until it is resumed; with the bot, in a group and after the upgrade all stays', async () => {
  const [paused, bot, group, served] = [await openTicket(), await openTicket(), await openTicket(), await openTicket()]
  await sql`update ticket set status = 'paused' where id = ${paused}`
  await sql`update ticket set status = 'bot' where id = ${bot}`
  await sql`update ticket set is_group = true where id = ${group}`
  for (const id of [paused, bot, group, served]) await say(id, 'customer', 50)
  await sql`update ticket set answered_at = now() where id = ${served}`
  await sql.unsafe(upgrade)
  expect(await findWaiting(paused)).toEqual({ waits: true, minutes: null })
  for (const id of [bot, group, served]) expect(await findWaiting(id)).toEqual({ waits: false, minutes: null })
  await sql`update ticket set status = 'open' where id = ${paused}`
  expect(await findWaiting(paused)).toEqual({ waits: true, minutes: 15 })
})

/** As it stood before: the ticket knows nothing of it. */
async function say(ticketId: number, line: Line, minutesAgo: number): Promise<void> {
  const mediaType = line === 'comment' ? 'comment' : 'chat'
  await sql`
    with t as (update ticket set message_seq = message_seq + 1 where id = ${ticketId} returning id, contact_id, whatsapp_id, message_seq)
    insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, user_id, automatic, media_type, body, state)
    select id, contact_id, whatsapp_id, message_seq, now() - make_interval(mins => ${minutesAgo}), ${line !== 'customer'},
      case when ${line === 'person'} then (select min(id) from "user") end, ${line === 'greeting'}, ${mediaType}, 'Olá', 'received' from t`
}

async function findWaiting(id: number) {
  const [row] = await sql<{ waits: boolean; minutes: number | null }[]>`
    select answer_since is not null as waits, (extract(epoch from answer_due_at - answer_since) / 60)::int as minutes
    from ticket where id = ${id}`
  return { ...row }
}
