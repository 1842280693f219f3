// The daily sums: changes are folded into days every minute.
import type postgres from 'postgres'
import type { Db, Tx } from '../../platform/database/client.ts'
import { runInPieces, runPiece } from '../../platform/database/pieces.ts'
import { getSql } from '../../platform/database/raw.ts'
import { FIRST_HOUR } from './table.ts'

/** Adds what came since to the days. Readers see the same sums before and after each piece. */
export async function foldFigures(db: Db, signal?: AbortSignal): Promise<void> {
  let after = 0
  await runInPieces(signal, async size => {
    const { found, last } = await runPiece(db, tx => foldSome(tx, after, size))
    after = last
    return found < size
  })
}

/**
 * The next changes behind `after`: how many were found, and the last. What commits late behind it is folded with the next minute. Of two
 * that fold at once the second finds the changes gone.
 */
async function foldSome(tx: Tx, after: number, size: number): Promise<{ found: number; last: number }> {
  const sql = getSql(tx)
  // Of tickets that are not counted yet nothing is added: their rows will be.
  await sql`select 1 from figure_count for key share`
  const [part] = await sql<{ found: number; last: number }[]>`
    select count(*)::int as found, coalesce(max(id), ${after})::float8 as last
    from (select id from figure_change where id > ${after} order by id limit ${size}) p`
  const { found, last } = part ?? { found: 0, last: after }
  if (found === 0) return { found, last }
  const isPart = sql`c.id > ${after} and c.id <= ${last}`
  await addToDays(
    sql,
    sql`
      delete from figure_change c using figure_count g
      where ${isPart} and g.id = c.generation
        and (g.state = 'current' or g.state = 'counting' and (c.ticket_id <= g.counted_to or c.ticket_id > g.counted_until))
      returning c.*`,
  )
  await sql`delete from figure_change c where ${isPart} and not exists (select 1 from figure_count g where g.id = c.generation)`
  return { found, last }
}

type Fragment = postgres.PendingQuery<postgres.Row[]>

/** Adds changes to the days; `besides` is done by the same statement. */
export async function addToDays(sql: postgres.Sql, changes: Fragment, besides?: Fragment): Promise<void> {
  await sql`
    with ${besides === undefined ? sql`` : sql`${besides},`} change as (${changes}), by_contact as (
      insert into figure_contact (generation, span, day, contact_id, queue_id, user_id, opened)
      select c.generation, p.span, p.day, c.contact_id, p.queue_id, p.user_id, sum(c.opened)
      from change c cross join lateral (values ('day', c.day, c.queue_id, c.user_id), ('month', date_trunc('month', c.day)::date, null, null),
        ('month of queue', date_trunc('month', c.day)::date, c.queue_id, null), ('month of user', date_trunc('month', c.day)::date, null, c.user_id),
        ('year', date_trunc('year', c.day)::date, null, null)) p (span, day, queue_id, user_id)
      where c.contact_id is not null
      group by 1, 2, 3, 4, 5, 6 having sum(c.opened) <> 0 order by 1, 2, 3, 4, 5, 6
      on conflict on constraint figure_contact_once do update set opened = figure_contact.opened + excluded.opened)
    insert into figure_day (generation, all_queues, all_users, day, queue_id, user_id, whatsapp_id, opened, hours, closed, waits, wait_ms, services, service_ms, ratings, stars, rates, asked, answered)
    select generation, grouping(queue_id) = 1, grouping(user_id) = 1, day, queue_id, user_id, whatsapp_id, sum(opened), array[${at(sql, 0)}, ${at(sql, 1)}, ${at(sql, 2)}, ${at(sql, 3)}, ${at(sql, 4)}, ${at(sql, 5)},
      ${at(sql, 6)}, ${at(sql, 7)}, ${at(sql, 8)}, ${at(sql, 9)}, ${at(sql, 10)}, ${at(sql, 11)}], sum(closed), sum(waits), sum(wait_ms), sum(services),
      sum(service_ms), sum(ratings), sum(stars), array[${gave(sql, 1)}, ${gave(sql, 2)}, ${gave(sql, 3)}, ${gave(sql, 4)}, ${gave(sql, 5)}], sum(asked), sum(answered)
    from change
    group by grouping sets ((generation, day, queue_id, user_id, whatsapp_id), (generation, day, queue_id), (generation, day, user_id), (generation, day))
    order by 1, 2, 3, 4, 5, 6, 7
    on conflict on constraint figure_day_once do update set opened = figure_day.opened + excluded.opened,
      hours = array(select d + c from unnest(figure_day.hours, excluded.hours) with ordinality as each (d, c, n) order by n),
      closed = figure_day.closed + excluded.closed, waits = figure_day.waits + excluded.waits, wait_ms = figure_day.wait_ms + excluded.wait_ms,
      services = figure_day.services + excluded.services, service_ms = figure_day.service_ms + excluded.service_ms,
      ratings = figure_day.ratings + excluded.ratings, stars = figure_day.stars + excluded.stars,
      rates = array(select d + c from unnest(figure_day.rates, excluded.rates) with ordinality as each (d, c, n) order by n),
      asked = figure_day.asked + excluded.asked, answered = figure_day.answered + excluded.answered`
}

/** What was opened in one of the twelve hours. */
function at(sql: postgres.Sql, nth: number): Fragment {
  return sql`coalesce(sum(opened) filter (where hour = ${nth + FIRST_HOUR}::int), 0)::int`
}

/** Ratings of so many stars: a change is of one rating. */
function gave(sql: postgres.Sql, rate: number): Fragment {
  return sql`coalesce(sum(ratings) filter (where stars = ratings * ${rate}::int), 0)::int`
}
