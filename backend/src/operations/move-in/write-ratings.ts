// What customers answered to surveys there; figures of the past follow by the triggers of the table.
import type { Db } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { findLinks } from './links.ts'
import { createLinkedStep, type StoredMove } from './writing.ts'

const OF_FIVE = [null, 1, 2, 3, 4, 5]
/** "Insatisfeito", "Satisfeito", "Muito satisfeito". */
const OF_THREE = [null, 2, 4, 5]
/** Whoever promotes, is passive or detracts at 0 to 10 does so here. */
const OF_TEN = [1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]

/** Chatwoot and Ticketz count to five as this desk does; what grew out of Whaticket to three, five or ten, which the highest mark tells. */
export async function findRateScale(db: Db, { id, source }: StoredMove): Promise<readonly (number | null)[]> {
  if (source !== 'whaticket') return OF_FIVE
  const [row] = await getSql(db)<{ most: number | null }[]>`
    select max((record->>'rate')::int) as most from move_in_row where move_in_id = ${id} and kind = 'rating'`
  const most = row?.most ?? 0
  return most > 5 ? OF_TEN : most > 3 ? OF_FIVE : OF_THREE
}

export const ratingStep = createLinkedStep('rating', async (tx, writing, rows) => {
  const tickets = await findLinks(
    tx,
    writing,
    'ticket',
    rows.map(({ record }) => record.ticket),
  )
  const users = await findLinks(
    tx,
    writing,
    'user',
    rows.map(({ record }) => record.user),
  )
  const coming = rows.flatMap(({ key, record: { ticket, user, rate, at } }) => {
    const [ticketId, ownRate] = [tickets.get(ticket), writing.rateScale[rate]]
    return ticketId && ownRate ? [{ key, ticketId, userId: users.get(user ?? ''), rate: ownRate, at }] : []
  })
  const ids = toIds(
    await getSql(tx)<{ id: number }[]>`
    select nextval(pg_get_serial_sequence('rating', 'id'))::float8 as id from generate_series(1, ${coming.length}::int)`,
  )
  await getSql(tx)`
    insert into rating (id, ticket_id, contact_id, whatsapp_id, queue_id, user_id, rate, at) overriding system value
    select r.id, t.id, t.contact_id, t.whatsapp_id, t.queue_id, coalesce(r."userId", t.user_id), r.rate, coalesce(r.at, t.closed_at, t.created_at)
    from jsonb_to_recordset(${JSON.stringify(coming.map((rating, n) => ({ ...rating, id: ids[n] })))}::text::jsonb)
      as r(id int8, "ticketId" int, "userId" int, rate int, at timestamptz)
      join ticket t on t.id = r."ticketId" order by r.id`
  return coming.map(({ key }, n) => ({ key, ownId: ids[n] ?? 0, isNew: true }))
})
