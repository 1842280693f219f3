// Which rows are a person's, kind by kind: the page counts them, the export writes them, and the erasure leaves none of them with a name.
import type postgres from 'postgres'
import type { SqlFragment } from '../../policy/access/visible-tickets.ts'

type Ids = readonly number[]

/** The contact and those that were merged into it. */
export function selectContacts(sql: postgres.Sql, ids: Ids): SqlFragment {
  return sql`select * from contact where id = any(${[...ids]}::int[])`
}

export function selectIdentities(sql: postgres.Sql, ids: Ids): SqlFragment {
  return sql`select * from contact_identity where contact_id = any(${[...ids]}::int[])`
}

/** As the address books of paired phones name its numbers. */
export function selectPhoneBook(sql: postgres.Sql, ids: Ids): SqlFragment {
  return sql`
    select * from phone_book where number in (select value from contact_identity
      where contact_id = any(${[...ids]}::int[]) and kind = 'pn')`
}

export function selectTags(sql: postgres.Sql, ids: Ids): SqlFragment {
  return sql`select * from tag where id in (select tag_id from contact_tag where contact_id = any(${[...ids]}::int[]))`
}

export function selectTickets(sql: postgres.Sql, ids: Ids): SqlFragment {
  return sql`select * from ticket where contact_id = any(${[...ids]}::int[])`
}

/** Of its conversations. What the team noted there for itself is the team's. */
export function selectMessages(sql: postgres.Sql, ids: Ids): SqlFragment {
  return sql`select * from message where contact_id = any(${[...ids]}::int[]) and media_type <> 'comment'`
}

/** What it wrote in groups. */
export function selectGroupMessages(sql: postgres.Sql, ids: Ids): SqlFragment {
  return sql`
    select m.* from ticket t join message m on m.ticket_id = t.id where t.is_group and m.author_id = any(${[...ids]}::int[])`
}

/** Messages with a file, of both. */
export function selectFileMessages(sql: postgres.Sql, ids: Ids): SqlFragment {
  return sql`
    select * from (${selectMessages(sql, ids)} union all ${selectGroupMessages(sql, ids)}) m where media_id is not null and not is_deleted`
}

export function selectProtocols(sql: postgres.Sql, ids: Ids): SqlFragment {
  return sql`select * from protocol where contact_id = any(${[...ids]}::int[])`
}

export function selectRatings(sql: postgres.Sql, ids: Ids): SqlFragment {
  return sql`select * from rating where contact_id = any(${[...ids]}::int[])`
}

/** Of every send that it was on the list of, also of those that never reached it; who waited when one was cancelled waits no more. */
export function selectRecipients(sql: postgres.Sql, ids: Ids): SqlFragment {
  return sql`
    select r.id, r.send_id, r.contact_id, case when r.state = 'waiting' and s.state = 'cancelled' then 'cancelled' else r.state end as state,
      r.reason, r.ticket_id, r.message_id, r.at
    from send_recipient r join send s on s.id = r.send_id where r.contact_id = any(${[...ids]}::int[])`
}

export function selectSchedules(sql: postgres.Sql, ids: Ids): SqlFragment {
  return sql`
    select * from schedule where id in (select schedule_id from schedule_contact where contact_id = any(${[...ids]}::int[]))`
}

export function selectLogEntries(sql: postgres.Sql, ids: Ids): SqlFragment {
  return sql`select * from log_entry where contact_id = any(${[...ids]}::int[])`
}
