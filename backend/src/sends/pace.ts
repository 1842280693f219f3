// A connection hands over the messages of its sends one after the other, at a pace that is kept in the database (docs/decisions/0172).
import { and, eq } from 'drizzle-orm'
import { checkEpoch, type Owned } from '../connections/owned.ts'
import { inTransaction } from '../database/again.ts'
import type { Db, Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { failPoint } from '../fail-point.ts'
import { AppError } from '../http/errors.ts'
import type { FileToSend } from '../media/table.ts'
import { contentOf } from '../messages/content.ts'
import { checkFits } from '../messages/fits.ts'
import { checkMayLeave, type Lane, writeMessage } from '../messages/write.ts'
import { ticketFor } from '../tickets/ticket-for.ts'
import { sendRecipients, sends } from './table.ts'

/** A fifth more or less by chance. */
const JITTER = 0.2

/**
 * Hands the next recipient's message to the outbox if the connection's clock allows. Gives 0 when it did, else the ms until it is
 * worth asking again; null while no send runs. To be asked when nobody else's message is due: what people write goes first.
 */
export async function handNext(db: Db, owned: Owned, paceMs: number): Promise<number | null> {
  const running = and(eq(sends.whatsappId, owned.whatsappId), eq(sends.state, 'running'))
  for (;;) {
    // Without a lock: nearly always there is none.
    const [any] = await db.select({ id: sends.id }).from(sends).where(running).limit(1)
    if (!any) return null
    const wait = await inTransaction(db, tx => handOne(tx, owned, paceMs))
    if (wait === 0) failPoint('send:handed')
    if (wait !== 'again') return wait
  }
}

async function handOne(tx: Tx, owned: Owned, paceMs: number): Promise<number | 'again'> {
  await checkEpoch(tx, owned)
  const wait = await lockClock(tx, owned.whatsappId, paceMs)
  // Instants are kept to the millisecond, rounded.
  if (wait > 1) return Math.ceil(wait)
  const next = await nextOf(tx, owned.whatsappId)
  if (!next) return Math.ceil(paceMs)
  const lane = { contactId: next.contactId, whatsappId: owned.whatsappId }
  // Who said so after the send began gets nothing more either.
  const given = next.optedOut ? { reason: 'opted_out' } : await write(tx, lane, next)
  const isHanded = 'messageId' in given
  await tx
    .update(sendRecipients)
    .set({ ...given, state: isHanded ? 'handed' : 'excluded', at: new Date().toISOString() })
    .where(eq(sendRecipients.id, next.recipientId))
  const sql = sqlOf(tx)
  const more = sql`exists (select 1 from send_recipient where send_id = ${next.id} and state = 'waiting')`
  await sql`
    update send set turn_at = now(), sent = sent + ${isHanded ? 1 : 0}, state = case when ${more} then state else 'done' end,
      ended_at = case when not ${more} then now() end
    where id = ${next.id}`
  if (!isHanded) return 'again'
  const gap = paceMs * (1 - JITTER + 2 * JITTER * Math.random())
  await sql`
    update send_clock set message_id = ${given.messageId}, next_at = now() + ${gap}::float8 * interval '1 millisecond'
    where whatsapp_id = ${owned.whatsappId}`
  failPoint('send:before-commit')
  return 0
}

/**
 * The connection's clock, locked: ms until the next may follow. It runs from when the one before went out, however long that took:
 * what waited for a connection that was down is not followed at once by the next.
 */
async function lockClock(tx: Tx, whatsappId: number, paceMs: number): Promise<number> {
  const [clock] = await sqlOf(tx)<{ ms: number }[]>`
    insert into send_clock as k (whatsapp_id) values (${whatsappId})
    on conflict (whatsapp_id) do update set next_at = greatest(k.next_at, (
      select case when o.state in ('queued', 'sending') then now() else coalesce(o.done_at, now()) end
        + ${paceMs * (1 - JITTER)}::float8 * interval '1 millisecond'
      from outbox o where o.message_id = k.message_id and o.operation = 'message'))
    returning coalesce(extract(epoch from next_at - now()) * 1000, 0)::float8 as ms`
  return clock?.ms ?? 0
}

interface Next {
  readonly id: number
  readonly recipientId: number
  readonly contactId: number
  readonly optedOut: boolean
  readonly body: string
  readonly file: FileToSend | null
  readonly userId: number | null
}

/** The next recipient of the send whose turn it is; the send is locked, so that who pauses it comes before or after. */
async function nextOf(tx: Tx, whatsappId: number): Promise<Next | undefined> {
  const [next] = await sqlOf(tx)<Next[]>`
    select s.id, s.body, s.file, s.user_id as "userId", r.id::float8 as "recipientId", r.contact_id as "contactId",
      exists (select 1 from contact where id = r.contact_id and opted_out_at is not null) as "optedOut"
    from send s cross join lateral (
      select id, contact_id from send_recipient where send_id = s.id and state = 'waiting' order by contact_id limit 1) r
    where s.whatsapp_id = ${whatsappId} and s.state = 'running'
    order by s.turn_at nulls first, s.id limit 1 for update of s`
  return next
}

/** In the live ticket, or where it disturbs nobody; a contact who may not get it is left out with the reason. */
async function write(
  tx: Tx,
  lane: Lane,
  { body, file, userId }: Next,
): Promise<{ readonly ticketId: number; readonly messageId: number } | { readonly reason: string }> {
  try {
    const content = contentOf({ body, file })
    checkFits(await checkMayLeave(tx, lane), content.payload)
    const ticketId = await ticketFor(tx, { ...lane, queueId: null, userId: null })
    const ticket = { id: ticketId, ...lane }
    const { id: messageId } = await writeMessage(tx, { ticket, userId, automatic: true, ...content })
    return { ticketId, messageId }
  } catch (error) {
    if (error instanceof AppError) return { reason: error.code }
    throw error
  }
}
