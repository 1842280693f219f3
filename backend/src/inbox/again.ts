// What an older version did not understand, or failed on, is read again: from what was kept of it, while it is kept.
import { isDeepStrictEqual } from 'node:util'
import type { Kind } from '@balcao/contract'
import { eq } from 'drizzle-orm'
import type { ChannelEvent } from '../channels/driver.ts'
import { moduleOf } from '../channels/registry.ts'
import { knownContact } from '../contacts/identity.ts'
import type { Db, Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { readSettings } from '../settings/read.ts'
import { verdictOn } from './faults.ts'
import { shortened } from './keys.ts'
import { applyRun } from './receive.ts'
import type { Receiving } from './receiving.ts'
import { digested } from './table.ts'
import { fillCards } from './unreadable.ts'

/** So long what came is kept (`raw_event`), and so far back cards are looked at. */
const REACH = '7 days'
const BATCH = 200

export interface Again {
  /** Cards and failed events that were read again. */
  readonly looked: number
  /** Those of them that say now what they are. */
  readonly understood: number
  /** The desk has files to fetch. */
  readonly withMedia: boolean
}

/** Reads everything again that was not understood. A second run finds nothing more; what fails again stays as it was. */
export async function digestAgain(db: Db): Promise<Again> {
  const cards = await cardsAgain(db)
  const failed = await failedAgain(db)
  return {
    looked: cards.looked + failed.looked,
    understood: cards.understood + failed.understood,
    withMedia: cards.withMedia || failed.withMedia,
  }
}

/** The same, once for each version of the product, however many processes start with it. Null: it was done. */
export async function digestForVersion(db: Db, version: string): Promise<Again | null> {
  const done = await db.select({ version: digested.version }).from(digested).where(eq(digested.version, version))
  if (done.length > 0) return null
  const again = await digestAgain(db)
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

async function cardsAgain(db: Db): Promise<Again> {
  let looked = 0
  let understood = 0
  let withMedia = false
  for (let last = 0; ; ) {
    const cards = await sqlOf(db)<Card[]>`
      select m.id::float8 as id, m.whatsapp_id as "whatsappId", w.api, m.raw->'event' as raw, m.details
      from message m join whatsapp w on w.id = m.whatsapp_id
      where m.media_type = 'unknown' and m.id > ${last} and m.created_at > now() - ${REACH}::interval and not m.is_deleted
      order by m.id limit ${BATCH}`
    for (const card of cards) {
      try {
        const event = moduleOf(card.api).reread?.(card.raw) ?? null
        if (!event || (event.mediaType === 'unknown' && isDeepStrictEqual(event.details ?? null, card.details)))
          continue
        if (event.mediaType === 'unknown' && !event.details) continue
        await inReceiving(db, card.whatsappId, async receiving => {
          if (!(await isStillCard(receiving, card.id))) return
          await fillCards(receiving, [{ id: card.id, event }])
          understood++
          withMedia ||= receiving.withMedia
        })
      } catch (error) {
        // It stays a card, and keeps none of the others from being read.
        if (verdictOn(error) === 'away') throw error
      }
    }
    looked += cards.length
    const end = cards.at(-1)
    if (!end) return { looked, understood, withMedia }
    last = end.id
  }
}

/** Locks as everybody does: the ticket, the message. It may have been taken back or filled meanwhile. */
async function isStillCard({ tx }: Receiving, id: number): Promise<boolean> {
  const sql = sqlOf(tx)
  await sql`select 1 from ticket where id = (select ticket_id from message where id = ${id}) for update`
  const still =
    await sql`select 1 from message where id = ${id} and media_type = 'unknown' and not is_deleted for update`
  return still.length > 0
}

interface Failed {
  readonly whatsappId: number
  readonly key: string
  readonly payload: string
  readonly received: string
}

async function failedAgain(db: Db): Promise<Again> {
  let looked = 0
  let understood = 0
  let withMedia = false
  let after: Pick<Failed, 'received' | 'key'> = { received: '-infinity', key: '' }
  for (;;) {
    const failed = await sqlOf(db)<Failed[]>`
      select whatsapp_id as "whatsappId", key, payload, received_at::text as received from raw_event
      where error is not null and received_at > now() - ${REACH}::interval
        and (received_at, key) > (${after.received}::timestamptz, ${after.key}) order by received_at, key limit ${BATCH}`
    for (const { whatsappId, key, payload } of failed) {
      try {
        await inReceiving(db, whatsappId, async receiving => {
          await sqlOf(
            receiving.tx,
          )`update raw_event set error = null where whatsapp_id = ${whatsappId} and key = ${key}`
          await applyAgain(receiving, key, JSON.parse(payload))
          withMedia ||= receiving.withMedia
        })
        understood++
      } catch (error) {
        // Its error stands as it did; only a database that is away ends the run.
        if (verdictOn(error) === 'away') throw error
      }
    }
    looked += failed.length
    const end = failed.at(-1)
    if (!end) return { looked, understood, withMedia }
    after = end
  }
}

/** A message that failed left a card, which it fills; everything else is applied as if it came now. */
async function applyAgain(receiving: Receiving, key: string, event: ChannelEvent): Promise<void> {
  if (event.type === 'message') {
    const [card] = await sqlOf(receiving.tx)<{ id: number }[]>`
      select id::float8 as id from message where whatsapp_id = ${receiving.connection.id} and provider_id = ${shortened(event.ref.id)}
        and contact_id = ${await knownContact(receiving.tx, event.chat)} and media_type = 'unknown' for update`
    if (card) return fillCards(receiving, [{ id: card.id, event }])
  }
  await applyRun(receiving, [{ key, event }])
}

async function inReceiving(db: Db, whatsappId: number, work: (receiving: Receiving) => Promise<void>): Promise<void> {
  const settings = await readSettings(db)
  await db.transaction(async (tx: Tx) =>
    work({ tx, connection: { id: whatsappId }, settings, withMedia: false, answered: false }),
  )
}
