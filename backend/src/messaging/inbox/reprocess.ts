// What an older version did not understand, or failed on, is read again: from what was kept of it, while it is kept.
import { isDeepStrictEqual } from 'node:util'
import type { Kind } from '@balcao/contract'
import { eq } from 'drizzle-orm'
import { findKnownContact } from '../../desk/contacts/identity.ts'
import type { ChannelEvent, InboundMessage } from '../../platform/channel/driver.ts'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { readSettings } from '../../policy/settings/read.ts'
import { getKindModule } from '../channels/registry.ts'
import { createInboxBatch, type InboxBatch, type Named } from './batch.ts'
import { classifyFault } from './faults.ts'
import { shortenKey } from './keys.ts'
import { resolveMentionNames } from './mentions.ts'
import { applyEvents } from './receive.ts'
import { digested } from './table.ts'
import { replaceCards } from './unreadable.ts'

/** So long what came is kept (`raw_event`), and so far back cards are looked at. */
const REACH = '7 days'
const BATCH = 200

export interface ReprocessResult {
  /** Cards and failed events that were read again. */
  looked: number
  /** Those of them that say now what they are. */
  understood: number
  /** The desk has files to fetch. */
  withMedia: boolean
}

/** Reads everything again that was not understood. A second run finds nothing more; what fails again stays as it was. */
export async function reprocessEvents(db: Db): Promise<Readonly<ReprocessResult>> {
  const again: ReprocessResult = { looked: 0, understood: 0, withMedia: false }
  await cardsAgain(db, again)
  await failedAgain(db, again)
  return again
}

/** The same, once for each version of the product, however many processes start with it. Null: it was done. */
export async function reprocessForVersion(db: Db, version: string): Promise<Readonly<ReprocessResult> | null> {
  const done = await db.select({ version: digested.version }).from(digested).where(eq(digested.version, version))
  if (done.length > 0) return null
  const again = await reprocessEvents(db)
  await db.insert(digested).values({ version }).onConflictDoNothing()
  return again
}

interface Card {
  readonly id: number
  readonly whatsappId: number
  readonly api: Kind
  readonly raw: unknown
  readonly details: unknown
}

async function cardsAgain(db: Db, again: ReprocessResult): Promise<void> {
  for (let last = 0; ; ) {
    const cards = await getSql(db)<Card[]>`
      select m.id::float8 as id, m.whatsapp_id as "whatsappId", w.api, m.raw->'event' as raw, m.details
      from message m join whatsapp w on w.id = m.whatsapp_id
      where m.media_type = 'unknown' and m.id > ${last} and m.created_at > now() - ${REACH}::interval and not m.is_deleted
      order by m.id limit ${BATCH}`
    for (const { id, whatsappId, api, raw, details } of cards)
      await oneAgain(db, whatsappId, again, async receiving => {
        const event = (await getKindModule(api).reread?.(raw)) ?? null
        const isStill = event?.mediaType === 'unknown' && (!event.details || isDeepStrictEqual(event.details, details))
        return event && !isStill ? fillCard(receiving, id, event) : false
      })
    const end = cards.at(-1)
    if (!end) return
    last = end.id
  }
}

interface Failed {
  readonly whatsappId: number
  readonly key: string
  readonly payload: string
  readonly received: string
}

async function failedAgain(db: Db, again: ReprocessResult): Promise<void> {
  for (let after: Pick<Failed, 'received' | 'key'> = { received: '-infinity', key: '' }; ; ) {
    const failed = await getSql(db)<Failed[]>`
      select whatsapp_id as "whatsappId", key, payload, received_at::text as received from raw_event
      where error is not null and received_at > now() - ${REACH}::interval
        and (received_at, key) > (${after.received}::timestamptz, ${after.key}) order by received_at, key limit ${BATCH}`
    for (const { whatsappId, key, payload } of failed)
      await oneAgain(db, whatsappId, again, async receiving => {
        await getSql(receiving.tx)`update raw_event set error = null where whatsapp_id = ${whatsappId} and key = ${key}`
        await applyAgain(receiving, key, JSON.parse(payload))
        return true
      })
    const end = failed.at(-1)
    if (!end) return
    after = end
  }
}

/** One in a transaction of its own. What fails stays as it was and keeps none of the others; only a database that is away ends the run. */
async function oneAgain(
  db: Db,
  whatsappId: number,
  again: ReprocessResult,
  work: (receiving: InboxBatch) => Promise<boolean>,
): Promise<void> {
  again.looked++
  const settings = await readSettings(db)
  try {
    const [isUnderstood, withMedia] = await db.transaction(async tx => {
      const receiving = createInboxBatch(tx, whatsappId, settings)
      return [await work(receiving), receiving.withMedia] as const
    })
    if (isUnderstood) again.understood++
    again.withMedia ||= withMedia
  } catch (error) {
    if (classifyFault(error) === 'away') throw error
  }
}

/** A message that failed left a card, which it fills; everything else is applied as if it came now. */
async function applyAgain(receiving: InboxBatch, key: string, event: ChannelEvent): Promise<void> {
  if (event.type === 'message') {
    const [card] = await getSql(receiving.tx)<{ id: number }[]>`
      select id::float8 as id from message where whatsapp_id = ${receiving.connection.id} and provider_id = ${shortenKey(event.ref.id)}
        and contact_id = ${await findKnownContact(receiving.tx, event.chat)} and media_type = 'unknown'`
    if (card) {
      await fillCard(receiving, card.id, event)
      return
    }
  }
  await applyEvents(receiving, [{ key, event }])
}

/** Locks as everybody does: the ticket, the message. It may have been taken back or filled meanwhile: then it stays as it is. */
async function fillCard(receiving: InboxBatch, id: number, event: InboundMessage): Promise<boolean> {
  const sql = getSql(receiving.tx)
  await sql`select 1 from ticket where id = (select ticket_id from message where id = ${id}) for update`
  const still =
    await sql`select 1 from message where id = ${id} and media_type = 'unknown' and not is_deleted for update`
  const [named = event] = await resolveMentionNames<Named<InboundMessage>>(receiving, [event])
  if (still.length > 0) await replaceCards(receiving, [{ id, event: named }])
  return still.length > 0
}
