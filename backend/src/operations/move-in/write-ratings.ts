// What customers answered to surveys there; figures of the past follow by the triggers of the table. Ticketz and Whaticket count to three,
// this desk to five: theirs would say something else here, and do not come.
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { createLinkedStep, findLinks } from './writing.ts'

export const ratingStep = createLinkedStep('rating', async (tx, writing, rows) => {
  const keys = rows.map(({ record }) => record.ticket)
  const tickets = await findLinks(tx, writing, 'ticket', keys)
  const coming = rows.filter(({ record }) => tickets.has(record.ticket))
  const ids = toIds(
    await getSql(tx)<{ id: number }[]>`
    select nextval(pg_get_serial_sequence('rating', 'id'))::float8 as id from generate_series(1, ${coming.length}::int)`,
  )
  const ratings = coming.map(({ record: { ticket, rate, at } }, n) => ({
    ...{ id: ids[n], ticketId: tickets.get(ticket), rate, at },
  }))
  await getSql(tx)`
    insert into rating (id, ticket_id, contact_id, whatsapp_id, queue_id, user_id, rate, at) overriding system value
    select r.id, t.id, t.contact_id, t.whatsapp_id, t.queue_id, t.user_id, r.rate, coalesce(r.at, t.closed_at, t.created_at)
    from jsonb_to_recordset(${JSON.stringify(ratings)}::text::jsonb) as r(id int8, "ticketId" int, rate int, at timestamptz)
      join ticket t on t.id = r."ticketId" order by r.id`
  return coming.map(({ key }, n) => ({ key, ownId: ids[n] ?? 0, isNew: true }))
})
