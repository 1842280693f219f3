import { describe, expect, test } from 'bun:test'
import { foldContactTally } from '../src/desk/contacts/tally.ts'
import { foldTally } from '../src/desk/tickets/tally.ts'
import type { Db } from '../src/platform/database/client.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { createTestDatabase } from './database.ts'

const { db } = await createTestDatabase()
const sql = getSql(db)

describe('the running tally', () => {
  test('equals a full count after any changes, folded at any time', async () => {
    await sql`insert into whatsapp (name, api) values ('Loja', 'baileys')`
    await sql`insert into queue (name, color) values ('Vendas', '#111111'), ('Financeiro', '#222222')`
    await sql`insert into contact (name) select 'c' || g from generate_series(1, 40) g`
    const random = seeded(7)
    for (let step = 0; step < 400; step++) {
      await randomChange(random)
      if (step % 37 === 0) await foldTally(db)
    }
    expect(await tally()).toEqual(await counted())
    await foldTally(db)
    expect(await tally()).toEqual(await counted())
    const [rows] = await sql<{ n: number; kinds: number }[]>`select count(*)::int as n,
      (select count(*)::int from (select distinct status, queue_id, user_id, is_group, unread_messages > 0 from ticket where status <> 'closed') d) as kinds from ticket_tally`
    expect(rows?.n).toBe(rows?.kinds ?? -1)
  })
})

test.each([
  ['tickets', foldTally],
  ['contacts', foldContactTally],
] as const)(
  'many rows of the tally of %s are folded in short transactions, each with the same sums',
  async (_, fold) => {
    await sql`truncate ticket_tally, contact_tally`
    await sql`
    insert into ticket_tally (status, queue_id, is_group, unread, n) select 'pending', g % 3, g % 5 = 0, g % 2 = 0, 1 from generate_series(1, 20000) g`
    await sql`insert into contact_tally (is_group, n) select g % 9 = 0, 1 from generate_series(1, 20000) g`
    const sizes: number[] = []
    const counting: Db = Object.create(db, {
      transaction: {
        value: async (work: Parameters<Db['transaction']>[0]) => {
          const before = await countRows()
          const done = await db.transaction(work)
          sizes.push(before - (await countRows()))
          expect(await sums()).toEqual({ tickets: 20_000, contacts: 20_000 })
          return done
        },
      },
    })
    await fold(counting)
    // Two passes: the sums of the pieces are folded as well.
    expect(sizes.length).toBeGreaterThan(3)
    expect(Math.max(...sizes)).toBeLessThan(15_000)
    expect([12, 2]).toContain((await countRows()) - 20_000)
  },
)

async function countRows(): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select (select count(*) from ticket_tally)::int + (select count(*) from contact_tally)::int as n`
  return row?.n ?? 0
}

async function sums() {
  const [row] = await sql`
    select (select sum(n) from ticket_tally)::int as tickets, (select sum(n) from contact_tally)::int as contacts`
  return row
}

async function randomChange(random: () => number): Promise<void> {
  const id = Math.floor(random() * 40) + 1
  const status = ['pending', 'open', 'paused', 'closed', 'bot'][Math.floor(random() * 5)] ?? 'open'
  const queue = [null, 1, 2][Math.floor(random() * 3)] ?? null
  switch (Math.floor(random() * 5)) {
    case 0:
      await sql`insert into ticket (status, contact_id, whatsapp_id, queue_id) values (${status}, ${id}, 1, ${queue}) on conflict do nothing`
      return
    case 1:
      await sql`update ticket set status = ${status} where contact_id = ${id} and status <> 'closed'`
      return
    case 2:
      await sql`update ticket set queue_id = ${queue}, last_message = 'x' where contact_id = ${id}`
      return
    case 3:
      await sql`update ticket set unread_messages = ${Math.floor(random() * 3)} where contact_id = ${id}`
      return
    default:
      await sql`delete from ticket where id in (select id from ticket where contact_id = ${id} limit 1)`
  }
}

function tally() {
  return sql`select status, queue_id, unread, sum(n)::int as n from ticket_tally group by 1, 2, 3 having sum(n) <> 0 order by 1, 2, 3`
}

function counted() {
  return sql`select status, queue_id, unread_messages > 0 as unread, count(*)::int as n from ticket where status <> 'closed' group by 1, 2, 3 order by 1, 2, 3`
}

/** Numbers that look like chance and are the same every time. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}
