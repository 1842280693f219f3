// The daily sums: changes are folded into days every minute, and all days are counted anew where the time zone changed.
import type postgres from 'postgres'
import { inTransaction } from '../database/again.ts'
import type { Db, Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { FIRST_HOUR } from './table.ts'

/** Adds what came since to the days. Readers see the same sums before and after. */
export async function foldFigures(db: Db): Promise<void> {
  // Of two that fold at once the second finds the changes gone.
  await inTransaction(db, async tx => {
    const sql = sqlOf(tx)
    await addToDays(sql, sql`delete from figure_change returning *`)
  })
}

/** Lets who changes a ticket or rates wait until the days are those of another time zone: that is seconds, when a company moves. */
export async function holdChanges(tx: Tx): Promise<void> {
  await sqlOf(tx)`lock table ticket, rating in share row exclusive mode`
}

/** Counts all days anew from the rows, which the caller holds: sum by sum, so that no statement of a large desk takes too long. */
export async function countDays(tx: Tx, timezone: string): Promise<void> {
  const sql = sqlOf(tx)
  await sql`delete from figure_change`
  await sql`delete from figure_day`
  await sql`delete from figure_contact`
  const on = (at: Fragment) => sql`(${at} at time zone ${timezone})`
  await addToDays(
    sql,
    sql`
      select ${on(sql`created_at`)}::date as day, extract(hour from ${on(sql`created_at`)}) as hour, null::int as contact_id,
        queue_id, user_id, whatsapp_id, 1 as opened, 0 as closed, 0 as waits, 0 as wait_ms, 0 as services, 0 as service_ms, 0 as ratings, 0 as stars, 0 as asked, 0 as answered
        from ticket
      union all
      select ${on(sql`closed_at`)}::date, null, null, queue_id, user_id, whatsapp_id, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0
        from ticket where status = 'closed' and closed_at is not null
      union all
      select ${on(sql`at`)}::date, null, null, queue_id, user_id, whatsapp_id, 0, 0, (kind = 'wait')::int, case kind when 'wait' then work else 0 end,
        (kind = 'service')::int, case kind when 'service' then work else 0 end, 0, 0, (kind = 'survey')::int, 0 from ticket_figure where work is not null
      union all
      select ${on(sql`at`)}::date, null, null, queue_id, user_id, whatsapp_id, 0, 0, 0, 0, 0, 0, 1, rate, 0, 0 from rating
      union all
      select ${on(sql`asked_at`)}::date, null, null, queue_id, user_id, whatsapp_id, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1
        from rating where asked_at is not null`,
  )
  const month = sql`date_trunc('month', o.day)::date`
  const all = sql`null::int`
  await countContacts(sql, timezone, sql`'day', o.day, o.contact_id, o.queue_id, o.user_id`)
  await countContacts(sql, timezone, sql`'month', ${month}, o.contact_id, ${all}, ${all}`)
  await countContacts(sql, timezone, sql`'month of queue', ${month}, o.contact_id, o.queue_id, ${all}`)
  await countContacts(sql, timezone, sql`'month of user', ${month}, o.contact_id, ${all}, o.user_id`)
  await countContacts(sql, timezone, sql`'year', date_trunc('year', o.day)::date, o.contact_id, ${all}, ${all}`)
}

type Fragment = postgres.PendingQuery<postgres.Row[]>

async function countContacts(sql: postgres.Sql, timezone: string, sum: Fragment): Promise<void> {
  await sql`
    insert into figure_contact (span, day, contact_id, queue_id, user_id, opened)
    select ${sum}, count(*) from (select (created_at at time zone ${timezone})::date as day, contact_id, queue_id, user_id from ticket) o
    group by 1, 2, 3, 4, 5`
}

async function addToDays(sql: postgres.Sql, changes: Fragment): Promise<void> {
  await sql`
    with change as (${changes}), by_contact as (
      insert into figure_contact (span, day, contact_id, queue_id, user_id, opened)
      select p.span, p.day, c.contact_id, p.queue_id, p.user_id, sum(c.opened)
      from change c cross join lateral (values ('day', c.day, c.queue_id, c.user_id), ('month', date_trunc('month', c.day)::date, null, null),
        ('month of queue', date_trunc('month', c.day)::date, c.queue_id, null), ('month of user', date_trunc('month', c.day)::date, null, c.user_id),
        ('year', date_trunc('year', c.day)::date, null, null)) p (span, day, queue_id, user_id)
      where c.contact_id is not null
      group by 1, 2, 3, 4, 5 having sum(c.opened) <> 0 order by 1, 2, 3, 4, 5
      on conflict on constraint figure_contact_once do update set opened = figure_contact.opened + excluded.opened)
    insert into figure_day (all_queues, all_users, day, queue_id, user_id, whatsapp_id, opened, hours, closed, waits, wait_ms, services, service_ms, ratings, stars, rates, asked, answered)
    select grouping(queue_id) = 1, grouping(user_id) = 1, day, queue_id, user_id, whatsapp_id, sum(opened), array[${at(sql, 0)}, ${at(sql, 1)}, ${at(sql, 2)}, ${at(sql, 3)}, ${at(sql, 4)}, ${at(sql, 5)},
      ${at(sql, 6)}, ${at(sql, 7)}, ${at(sql, 8)}, ${at(sql, 9)}, ${at(sql, 10)}, ${at(sql, 11)}], sum(closed), sum(waits), sum(wait_ms), sum(services),
      sum(service_ms), sum(ratings), sum(stars), array[${gave(sql, 1)}, ${gave(sql, 2)}, ${gave(sql, 3)}, ${gave(sql, 4)}, ${gave(sql, 5)}], sum(asked), sum(answered)
    from change
    group by grouping sets ((day, queue_id, user_id, whatsapp_id), (day, queue_id), (day, user_id), (day))
    order by 1, 2, 3, 4, 5, 6
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
