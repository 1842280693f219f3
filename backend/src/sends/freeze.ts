// Who gets a send is settled when it begins: each contact a row, who is left out with the reason (decisions §15).
import { and, eq, sql as raw } from 'drizzle-orm'
import type postgres from 'postgres'
import { inTransaction } from '../database/again.ts'
import type { Db, Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { type Recipients, sends } from './table.ts'

/** A batch is one short transaction: live readers wait for the longest. */
const BATCH = 2000

/** Freezes the recipients of every send that waits for it; what a killed process left goes on behind its last batch. */
export async function freezeRecipients(db: Db, batch = BATCH): Promise<void> {
  const begun = await db.select({ id: sends.id }).from(sends).where(eq(sends.state, 'calculating')).orderBy(sends.id)
  for (const { id } of begun) while (await inTransaction(db, tx => freezeSome(tx, id, batch)));
}

/** The contacts `c` somebody chose. Groups are never among all, and are reached when they are named. */
export function chosenContacts(sql: postgres.Sql, { allContacts, contactsIds, tagsIds }: Recipients) {
  return allContacts
    ? sql`not c.is_group`
    : sql`c.id in (select unnest(${[...contactsIds]}::int[])
        union select contact_id from contact_tag where tag_id = any(${[...tagsIds]}::int[]))`
}

/** One batch, whose end is noted with it. Whether there is more. */
async function freezeSome(tx: Tx, id: number, batch: number): Promise<boolean> {
  const calculating = and(eq(sends.id, id), eq(sends.state, 'calculating'))
  const [send] = await tx.select().from(sends).where(calculating).for('update')
  if (!send) return false
  const sql = sqlOf(tx)
  // Counted by whom it looked at: somebody may have his row already, of a contact that was merged into him.
  const [some] = await sql<{ looked: number; last: number; waiting: number }[]>`
    with looked as (
      select c.id, case when c.opted_out_at is not null then 'opted_out' when c.number is null and not c.is_group then 'no_number' end as reason
      from contact c where c.merged_into is null and c.id > ${send.frozenTo} and ${chosenContacts(sql, send.recipients)}
      order by c.id limit ${batch}),
    stored as (
      insert into send_recipient (send_id, contact_id, state, reason)
      select ${id}, id, case when reason is null then 'waiting' else 'excluded' end, reason from looked order by id
      on conflict do nothing returning state)
    select count(*)::int as looked, coalesce(max(id), ${send.frozenTo})::int as last,
      (select count(*) from stored where state = 'waiting')::int as waiting from looked`
  const { looked = 0, last: frozenTo = send.frozenTo, waiting = 0 } = some ?? {}
  const total = send.total + waiting
  const isLast = looked < batch
  const state = !isLast ? 'calculating' : total === 0 ? 'done' : 'running'
  await tx
    .update(sends)
    .set({ frozenTo, total, state, ...(state === 'done' ? { endedAt: raw`now()` } : {}) })
    .where(eq(sends.id, id))
  return !isLast
}
