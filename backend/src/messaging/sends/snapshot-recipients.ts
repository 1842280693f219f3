// Who gets a send is settled when it begins: each contact a row, who is left out with the reason (decisions §15).
import { and, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { runInTransaction } from '../../platform/database/transaction.ts'
import { enqueueJob } from '../../platform/worker/enqueue.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { chosenContactsSql, exclusionSql } from './chosen-contacts.ts'
import { publishSendUpdates } from './events.ts'
import { notifyAdmins } from './stop.ts'
import { sends } from './table.ts'
import { waitForConnection } from './waiting.ts'

/** A batch is one short transaction: live readers wait for the longest. */
const BATCH = 2000

export const FREEZE = 'freeze-sends'

/** Asks for it, after the commit. A worker that is not there yet looks by itself within a minute. */
export async function enqueueRecipientSnapshot({ db, log }: Pick<Parts, 'db' | 'log'>): Promise<void> {
  await enqueueJob(db, FREEZE, { key: FREEZE, queue: FREEZE, attempts: 5 }).catch(error =>
    log.warn({ err: error }, 'nobody was asked to freeze the recipients of a send'),
  )
}

/** Freezes the recipients of every send that waits for it; what a killed process left goes on behind its last batch. Gives how many. */
export async function snapshotRecipients(db: Db, batch = BATCH): Promise<number> {
  const begun = await db.select({ id: sends.id }).from(sends).where(eq(sends.state, 'calculating')).orderBy(sends.id)
  for (const { id } of begun) {
    for (let came: Came = 'more'; came === 'more'; ) {
      came = await runInTransaction(db, tx => freezeSome(tx, id, batch))
      if (came === 'nobody') await tellOfNobody(db, id)
    }
  }
  return begun.length
}

/** `nobody`: there was nobody to look at, and it stopped. */
type Came = 'more' | 'over' | 'nobody'

/** One batch, whose end is noted with it. */
async function freezeSome(tx: Tx, id: number, batch: number): Promise<Came> {
  const calculating = and(eq(sends.id, id), eq(sends.state, 'calculating'))
  const [send] = await tx.select().from(sends).where(calculating).for('update')
  if (!send) return 'over'
  const sql = getSql(tx)
  const { whatsappId, onlyWhoWrote, template, recipients } = send
  const exclusions = {
    whatsappId,
    onlyWhoWrote,
    hasTemplate: template !== null,
    isConversation: isOneConversation(send),
    some: true,
  }
  // Nobody of them is deleted or merged until they have their rows; who was meanwhile is read as they are by then.
  const held = await sql<{ id: number }[]>`
    select c.id from contact c where c.id > ${send.frozenTo} and ${chosenContactsSql(sql, recipients)}
    order by c.id limit ${batch} for share of c`
  const upTo = held.length < batch ? null : (held.at(-1)?.id ?? null)
  // Somebody may have his row already, of a contact that was merged into him.
  const [some] = await sql<{ last: number; waiting: number }[]>`
    with looked as (
      select c.id, ${exclusionSql(sql, exclusions)} as reason
      from contact c
      where c.id > ${send.frozenTo} and (${upTo}::int is null or c.id <= ${upTo}::int) and ${chosenContactsSql(sql, recipients)}),
    stored as (
      insert into send_recipient (send_id, contact_id, state, reason)
      select ${id}, id, case when reason is null then 'waiting' else 'excluded' end, reason from looked order by id
      on conflict do nothing returning state)
    select coalesce(max(id), ${send.frozenTo})::int as last,
      (select count(*) from stored where state = 'waiting')::int as waiting from looked`
  const { last = send.frozenTo, waiting = 0 } = some ?? {}
  const frozenTo = upTo ?? last
  const total = send.total + waiting
  const isLast = upTo === null
  const now = new Date().toISOString()
  await tx
    .update(sends)
    .set({ frozenTo, total, ...(isLast && { frozenAt: now, stateAt: now, ...toOutcomeColumns(frozenTo, total, now) }) })
    .where(eq(sends.id, id))
  if (!isLast) return 'more'
  if (whatsappId !== null) await waitForConnection(tx, whatsappId, false)
  await publishSendUpdates(tx, [id])
  return frozenTo === 0 ? 'nobody' : 'over'
}

/** A send whose tag is gone has nobody: those hear of it who can give it another. */
async function tellOfNobody(db: Db, id: number): Promise<void> {
  const [send] = await db.select({ whatsappId: sends.whatsappId }).from(sends).where(eq(sends.id, id))
  const whatsappId = send?.whatsappId
  if (whatsappId) await runInTransaction(db, tx => notifyAdmins(tx, whatsappId, 'no_recipients'))
}

/** With nobody to send to it is over; where nobody was named at all (a tag that is gone) it stopped. */
function toOutcomeColumns(frozenTo: number, total: number, endedAt: string): Partial<typeof sends.$inferInsert> {
  if (total > 0) return { state: 'running' }
  return { state: frozenTo === 0 ? 'stopped' : 'done', stateReason: 'no_recipients', endedAt }
}

/** What is scheduled for one conversation goes there, a group or not; what goes to many goes to people. */
function isOneConversation({ scheduleId, recipients }: typeof sends.$inferSelect): boolean {
  const { allContacts, contactsIds, tagsIds } = recipients
  return scheduleId !== null && !allContacts && contactsIds.length === 1 && tagsIds.length === 0
}
