// What is to be sent next: of every contact the oldest thing, and only while nothing of that contact is on its way. What a send to many
// says waits behind what anybody else says to the contact (docs/decisions/0218).
import type postgres from 'postgres'
import { checkEpoch, type OwnedConnection } from '../../desk/connections/ownership.ts'
import { windowOpenSql } from '../../desk/connections/window.ts'
import { publishMessageEvents } from '../../desk/messages/present.ts'
import type { Outgoing } from '../../platform/channel/driver.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { runInTransaction } from '../../platform/database/transaction.ts'

/** Something claimed: its row says `sending` and nobody else will touch it while our epoch lasts. */
export interface Claim {
  /** Nobody waits for it. */
  readonly unhurried: boolean
  readonly id: number
  readonly contactId: number
  readonly messageId: number | null
  readonly operation: 'message' | 'edit' | 'revoke' | 'reaction' | 'read'
  readonly payload: Outgoing
  readonly attempts: number
  /** In ms. */
  readonly createdAt: number
  /** The provider id the message goes out under; null where the provider gives it. */
  readonly providerId: string | null
  readonly to: string | null
  /** Goes out with the send, the same at every try; null where the provider tells nothing back. */
  readonly trace: string | null
  /** Whether more than a template may go out (`desk/connections/window.ts`). */
  readonly windowOpen: boolean
  /** `isOut`: a group that the connection's number was taken out of. */
  readonly contact: { readonly isGroup: boolean; readonly number: string | null; readonly isOut: boolean }
}

/**
 * Claims up to `most` due rows, at most one of a contact, those that nobody waits for last. `traced`: the provider tells back what goes
 * with a send. `unhurried`: how many of those that nobody waits for; one that what somebody waits for stands behind is none of them.
 */
export async function claimDue(
  db: Db,
  owned: OwnedConnection,
  most: number,
  traced = false,
  unhurried = most,
): Promise<Claim[]> {
  return runInTransaction(db, async tx => {
    await checkEpoch(tx, owned)
    const sql = getSql(tx)
    // Instants are kept to the millisecond, rounded: what is due now may be written as due half a millisecond later.
    const claims = await sql<Claim[]>`
      with ready as (
        select o.id, o.next_at, i.unhurried, row_number() over (partition by i.unhurried order by o.next_at, o.id) as nth from outbox o
          cross join lateral (select o.unhurried and (o.paced or not exists (select 1 from outbox l where l.whatsapp_id = ${owned.whatsappId}
            and l.contact_id = o.contact_id and l.id > o.id and l.state = 'queued' and not l.paced and not l.unhurried)) as unhurried) i
        where o.whatsapp_id = ${owned.whatsappId} and o.state = 'queued' and o.next_at <= now() + interval '1 millisecond'
          and not exists (select 1 from outbox e where e.whatsapp_id = ${owned.whatsappId} and e.contact_id = o.contact_id
            and e.id <> o.id and e.state in ('queued', 'sending') and (e.state = 'sending' or case
              when ${isBehindSql(sql, sql`e`)} = ${isBehindSql(sql, sql`o`)} then e.id < o.id
              else o.paced and e.operation = 'message' end))
      ), due as (
        select id from ready where not unhurried or nth <= ${unhurried} order by unhurried, next_at, id limit ${most}
      ), claimed as (
        update outbox o set state = 'sending', epoch = ${owned.epoch}, attempts = o.attempts + 1,
          trace = case when ${traced} then coalesce(o.trace, gen_random_uuid()) end
        from due where o.id = due.id and o.state = 'queued'
        returning o.id, o.contact_id, o.message_id, o.operation, o.payload, o.attempts, o.trace, o.created_at, o.unhurried
      )
      select claimed.id::float8 as id, claimed.contact_id as "contactId", claimed.message_id::float8 as "messageId",
        claimed.operation, case when claimed.operation = 'message' and h.timer > 0
          then claimed.payload || jsonb_build_object('timer', h.timer) else claimed.payload end as payload, claimed.attempts, claimed.trace, claimed.unhurried, extract(epoch from claimed.created_at)::float8 * 1000 as "createdAt", m.provider_id as "providerId", h.jid as to,
        ${windowOpenSql(sql)} as "windowOpen", json_build_object('isGroup', c.is_group, 'number', c.number,
          'isOut', c.is_group and coalesce(h.is_out, false)) as contact
      from claimed
        join contact c on c.id = claimed.contact_id join whatsapp w on w.id = ${owned.whatsappId}
        left join contact_channel h on h.contact_id = claimed.contact_id and h.whatsapp_id = ${owned.whatsappId}
        left join message m on m.id = claimed.message_id
      order by claimed.id`
    await markSending(tx, claims)
    return claims
  })
}

/**
 * Whether an outbox row stands behind what else its contact is told: it is paced, or to be done with a paced message that waits. What does
 * not never waits for what does, and each of the two has an order by itself: so no rows can wait for one another.
 */
function isBehindSql(sql: postgres.Sql, row: Fragment): Fragment {
  return sql`(${row}.paced or ${row}.operation <> 'message' and exists (select 1 from outbox own
    where own.message_id = ${row}.message_id and own.operation = 'message' and own.paced and own.state = 'queued'))`
}

type Fragment = postgres.PendingQuery<postgres.Row[]>

/** When the next row becomes due, in ms from now; null when nothing waits. Rows behind another of their contact do not count. */
export async function findNextDue(db: Db, whatsappId: number): Promise<number | null> {
  const [row] = await getSql(db)<{ ms: number | null }[]>`
    select (extract(epoch from min(next_at) - now()) * 1000)::float8 as ms
    from outbox where whatsapp_id = ${whatsappId} and state = 'queued' and next_at > now()`
  return row?.ms ?? null
}

async function markSending(tx: Tx, claims: readonly Claim[]): Promise<void> {
  const messages = claims.filter(claim => claim.operation === 'message' && claim.messageId !== null)
  if (messages.length === 0) return
  const rows = await getSql(tx)<{ id: string }[]>`
    update message m set state = 'sending', chat = coalesce(m.chat, n.chat), version = m.version + 1
    from unnest(${messages.map(claim => Number(claim.messageId))}::bigint[],
      ${messages.map(claim => claim.to)}::text[]) as n(id, chat)
    where m.id = n.id and m.state in ('queued', 'sending') returning m.id`
  await publishMessageEvents(tx, toIds(rows), 'update')
}
