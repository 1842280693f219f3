// Everything that happened with a contact, newest first (decisions-2 §22): what was done to it, and of its tickets, protocols, ratings and
// sends what one may see. One statement: the newest of each kind, each from an index of its own.
import type { ContactActivity, QueryParams, ResponseBody } from '@balcao/contract'
import type postgres from 'postgres'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { parsePageBounds } from '../../platform/http/paging.ts'
import { visibleProtocolsSql } from '../../policy/access/protocols.ts'
import { type SqlFragment, visibleTicketsSql } from '../../policy/access/visible-tickets.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { getContact } from './list.ts'
import { UNDONE_FOR } from './merge-by-hand.ts'

const PAGE = 30

/** Kinds have numbers: with the id of its row one makes a deed's place among those of the same instant. */
const KINDS = 8

/** A page of it. Who was merged into the contact brought their own. Throws `ERR_NO_CONTACT_FOUND`. */
export async function listContactHistory(
  db: Db,
  session: Session,
  contactId: number,
  query: QueryParams<'GET /contacts/:id/history'>,
): Promise<ResponseBody<'GET /contacts/:id/history'>> {
  const { id } = await getContact(db, contactId)
  const { after, limit } = parsePageBounds(query, query.limit ?? PAGE, PAGE)
  const sql = getSql(db)
  const newest = (at: SqlFragment, key: SqlFragment) => sql`
    ${after ? sql`and (${at}, ${key}) < (${after.text}::timestamptz, ${after.id}::bigint)` : sql``}
    order by 1 desc, 2 desc limit ${limit + 1}`
  const kinds = deedsSql(sql, session, id, newest)
  const rows = await sql<(Omit<ContactActivity, 'id' | 'what'> & { key: number; what: string })[]>`
    select d.at, d.key::float8 as key, d.what, d.ticket_id as "ticketId", d.params,
      case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'profilePicUrl', u.profile_pic_url) end as user,
      case when o.id is not null then json_build_object('id', o.id, 'name', o.name) end as other,
      case when m.id is not null then json_build_object('id', m.id, 'until', m.at + ${UNDONE_FOR}::interval) end as merge
    from (${kinds}) d
      left join "user" u on u.id = d.user_id and (${session.viewer.id}::int = 1 or u.id <> 1 or d.what not like 'contact.%')
      left join contact o on o.id = d.other_id
      left join lateral (
        select m.id, m.at from contact_merge m where d.what = 'contact.merge' and m.into_id = ${id} and m.from_id = d.other_id
          and m.at > now() - ${UNDONE_FOR}::interval and not exists (select 1 from contact_merge l where l.into_id = m.into_id and l.id > m.id)
        order by m.id desc limit 1) m on true
    order by d.at desc, d.key desc limit ${limit + 1}`
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const hasMore = rows.length > limit
  return {
    history: shown.map(({ key, ...deed }) => ({ id: String(key), ...deed })),
    hasMore,
    count: shown.length,
    nextCursor: hasMore && last ? Buffer.from(JSON.stringify([last.at, last.key])).toString('base64url') : null,
  }
}

/** The newest deeds of each kind, in columns alike. */
function deedsSql(
  sql: postgres.Sql,
  { viewer, settings }: Session,
  id: number,
  newest: (at: SqlFragment, key: SqlFragment) => SqlFragment,
): SqlFragment {
  const seen = visibleTicketsSql(sql, viewer, settings)
  const key = (row: SqlFragment, kind: number) => sql`${row} * ${KINDS}::bigint + ${kind}::int`
  const log = key(sql`l.id`, 0)
  const opened = key(sql`t.id`, 1)
  const closed = key(sql`t.id`, 2)
  const rating = key(sql`r.id`, 3)
  const protocol = key(sql`p.id`, 4)
  const send = key(sql`s.id`, 5)
  // Mass sends are not an attendant's (decisions §4): of them an attendant sees what stands in the conversation.
  const leftOut = viewer.profile === 'user' ? sql`false` : sql`s.state = 'excluded'`
  return sql`
    (select l.created_at as at, ${log} as key, l.action as what, null::int as ticket_id, l.user_id, l.params,
        coalesce(l.params->>'from', l.params->>'contactId')::int as other_id
      from log_entry l where l.contact_id in (select id from contact where id = ${id} or merged_into = ${id})
        and l.origem = 'contact' and l.action is not null and l.action in ('contact.merge', 'contact.unmerge', 'contact.lostNumber')
        ${newest(sql`l.created_at`, log)})
    union all
    (select l.created_at, ${log}, l.action, null, l.user_id, l.params, null
      from log_entry l where l.contact_id in (select id from contact where id = ${id} or merged_into = ${id})
        and l.origem = 'contact' and l.action is not null and l.action not in ('contact.merge', 'contact.unmerge', 'contact.lostNumber')
        ${newest(sql`l.created_at`, log)})
    union all
    (select t.created_at, ${opened}, 'ticket.opened', t.id, null, null, null from ticket t where t.contact_id = ${id} and ${seen}
        ${newest(sql`t.created_at`, opened)})
    union all
    (select t.closed_at, ${closed}, 'ticket.closed', t.id, t.user_id, null, null from ticket t
      where t.contact_id = ${id} and t.status = 'closed' and t.closed_at is not null and ${seen}
        ${newest(sql`t.closed_at`, closed)})
    union all
    (select r.at, ${rating}, 'rating', r.ticket_id, null, jsonb_build_object('rate', r.rate), null
      from rating r join ticket t on t.id = r.ticket_id where r.contact_id = ${id} and ${seen}
        ${newest(sql`r.at`, rating)})
    union all
    (select p.created_at, ${protocol}, 'protocol', p.ticket_id, p.user_id, jsonb_build_object('protocolo', p.protocolo, 'mensagem', p.mensagem), null
      from protocol p join ticket t on t.id = p.ticket_id where p.contact_id = ${id} and ${visibleProtocolsSql(sql, viewer, settings)}
        ${newest(sql`p.created_at`, protocol)})
    union all
    (select s.at, ${send}, 'send.' || s.state, s.ticket_id, e.user_id, jsonb_build_object('sendId', s.send_id, 'scheduleId', e.schedule_id, 'reason', s.reason), null
      from send_recipient s join send e on e.id = s.send_id left join ticket t on t.id = s.ticket_id
      where s.contact_id = ${id} and (${leftOut} or s.state = 'handed' and t.id is not null and ${seen})
        ${newest(sql`s.at`, send)})`
}
