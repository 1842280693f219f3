// Sends of which nobody knows, where the provider lets one look: what stands in the chat as if it were one of them settles it.
import type { OwnedConnection } from '../../desk/connections/ownership.ts'
import type { Driver, Outgoing } from '../../platform/channel/driver.ts'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import type { Claim } from './claim.ts'
import { settle } from './settle.ts'

interface Doubt extends Omit<Claim, 'to' | 'providerId' | 'windowOpen' | 'contact' | 'createdAt' | 'unhurried'> {
  readonly to: string
  /** When it was first to be sent, in ms. */
  readonly since: number
}

const MOST = 20

/**
 * Looks for the sends in doubt, oldest first, so that of two that say the same each finds its own. `all`: those too that were put to a
 * person, within a day. @returns how many are settled
 */
export async function findDoubts(db: Db, owned: OwnedConnection, driver: Driver, all: boolean): Promise<number> {
  if (!driver.sentLike) return 0
  let settled = 0
  for (const doubt of await loadDoubts(db, owned, all)) {
    const id = await findEarlierSend(db, owned, driver, doubt)
    if (id === null) continue
    await adopt(db, owned, doubt)
    await settle(db, owned, toClaim(doubt), { state: 'done', id, ack: 'sent', jid: doubt.to })
    settled++
  }
  return settled
}

/** The id under which a send went out already; null where it did not, or where nobody can tell. */
export async function findEarlierSend(
  db: Db,
  { whatsappId }: OwnedConnection,
  driver: Driver,
  { to, payload, since }: { readonly to: string; readonly payload: Outgoing; readonly since: number },
): Promise<string | null> {
  const like = (await driver.sentLike?.(to, payload, since).catch(() => [])) ?? []
  if (like.length === 0) return null
  const known = await getSql(db)<{ provider_id: string | null }[]>`
    select provider_id from message where whatsapp_id = ${whatsappId} and provider_id = any(${[...like]}::text[])`
  const taken = new Set(known.map(row => row.provider_id))
  return like.find(id => !taken.has(id)) ?? null
}

/** When something was first to be sent, in ms. */
export async function findFirstAttempt(db: Db, id: number): Promise<number> {
  const [row] = await getSql(db)<{ since: number | null }[]>`
    select (extract(epoch from created_at) * 1000)::float8 as since from outbox where id = ${id}`
  return row?.since ?? Date.now()
}

async function loadDoubts(db: Db, { whatsappId }: OwnedConnection, all: boolean): Promise<Doubt[]> {
  const rows = await getSql(db)<(Omit<Doubt, 'to' | 'since'> & { to: string | null; since: number | null })[]>`
    select o.id::float8 as id, o.contact_id as "contactId", o.message_id::float8 as "messageId", o.operation, o.payload, o.attempts,
      o.trace, coalesce(m.chat, h.jid) as to, (extract(epoch from o.created_at) * 1000)::float8 as since
    from outbox o join message m on m.id = o.message_id
      left join contact_channel h on h.contact_id = o.contact_id and h.whatsapp_id = o.whatsapp_id
    where o.whatsapp_id = ${whatsappId} and o.operation = 'message' and o.state = 'unknown'
      and (m.state = 'sending' or (${all} and m.state = 'unknown' and o.created_at > now() - interval '1 day'))
    order by o.id limit ${MOST}`
  return rows.flatMap(({ to, since, ...row }) => (to === null || since === null ? [] : [{ ...row, to, since }]))
}

/** An owner before us left it: what is found of it is ours to write down. */
async function adopt(db: Db, { whatsappId, epoch }: OwnedConnection, { id }: Doubt): Promise<void> {
  await getSql(db)`
    update outbox set epoch = ${epoch} where id = ${id} and state = 'unknown'
      and exists (select 1 from whatsapp w where w.id = ${whatsappId} and w.epoch = ${epoch})`
}

function toClaim({ since, ...doubt }: Doubt): Claim {
  return {
    ...doubt,
    createdAt: since,
    unhurried: false,
    providerId: null,
    windowOpen: true,
    contact: { isGroup: false, number: null, isOut: false },
  }
}
