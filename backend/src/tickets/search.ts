// Finding tickets by contact, number, message, person or tag, through trigram indexes and the same policy as every list.
import { LIMITS, type QueryOf, type Ticket } from '@balcao/contract'
import type { Db } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { AppError } from '../http/errors.ts'
import type { Session } from '../sessions/authenticate.ts'
import { inChoice, queueIdsOf } from './list.ts'
import { kindsOf } from './list-branches.ts'
import { loadTickets } from './present.ts'

type Query = QueryOf<'GET /tickets/filter'>

/** A word that half of all messages hold is looked for in the newest of them only. */
const NEWEST_MESSAGES = 5000
const LIST_STATUSES = ['open', 'pending', 'closed', 'paused', 'bot', 'group', 'nps', 'closedGroup'] as const

/** At most 50 tickets the viewer may see, newest activity first (spec 1 §5 "Search"). Texts need three characters. */
export async function searchTickets(db: Db, session: Session, query: Query): Promise<Ticket[]> {
  const text = needle('searchParam', query.searchParam)
  const contact = needle('searchContact', query.searchContact)
  const userId = session.viewer.profile === 'user' ? null : numberOf(query.searchUser)
  const tagId = numberOf(query.searchTag)
  if (text === null && contact === null && userId === null && tagId === null)
    throw new AppError('ERR_VALIDATION', [{ path: 'searchParam', message: 'Digite pelo menos 3 caracteres' }])
  const status = LIST_STATUSES.find(each => each === query.status)
  const kinds = status ? kindsOf(status, undefined).map(kind => `${kind.status}:${kind.isGroup}`) : null
  const sql = sqlOf(db)
  const choice = { showAll: query.showAll === 'true', queueIds: queueIdsOf(query.queueIds) }
  const rows = await sql<{ id: number }[]>`
    with ${contactsLike(sql, 'named', text ?? contact)}, ${contactsLike(sql, 'by_contact', contact)},
    said as (
      select distinct newest.ticket_id from (
        select m.ticket_id from message m
        where ${text !== null}::boolean and m.search_text like f_norm(${pattern(text ?? '')}) escape '!'
        order by m.id desc limit ${NEWEST_MESSAGES}
      ) newest
    )
    select t.id from ticket t
    where ${inChoice(sql, session, choice, 't')}
      ${kinds ? sql`and t.status || ':' || t.is_group::text = any(${kinds}::text[])` : sql``}
      ${userId === null ? sql`` : sql`and t.user_id = ${userId}`}
      ${tagId === null ? sql`` : sql`and t.contact_id in (select contact_id from contact_tag where tag_id = ${tagId})`}
      ${contact === null ? sql`` : sql`and t.contact_id in (select id from by_contact)`}
      ${
        text === null
          ? sql``
          : sql`and t.id in (
            select ticket_id from said
            union select o.id from ticket o where o.contact_id in (select id from named))`
      }
    order by t.last_message_at desc nulls last, t.id desc nulls last limit ${LIMITS.searchResults}`
  const ids = rows.map(row => row.id)
  const views = await loadTickets(db, ids)
  return ids.flatMap(id => views.get(id)?.ticket ?? [])
}

/** Contacts whose name, or any number they were ever known by, holds a text. */
function contactsLike(sql: ReturnType<typeof sqlOf>, name: 'named' | 'by_contact', text: string | null) {
  const digits = (text ?? '').replace(/[\s()+.-]/g, '')
  const isNumber = /^\d{3,}$/.test(digits)
  return sql`${sql(name)} as (
    select c.id from contact c
    where ${text !== null}::boolean and c.search_name like f_norm(${pattern(text ?? '')}) escape '!'
    union
    select i.contact_id from contact_identity i
    where ${isNumber}::boolean and i.value like ${pattern(digits)} escape '!'
  )`
}

/** A LIKE pattern for a text anywhere, with its own wildcards taken literally. */
export function pattern(text: string): string {
  return `%${text.trim().replace(/[!%_]/g, '!$&')}%`
}

/** A text to look for, or null when there is none; throws when it is too short to be found by its letters. */
export function needle(path: string, text: string | undefined): string | null {
  const trimmed = text?.trim() ?? ''
  if (trimmed === '') return null
  if ([...trimmed].length < LIMITS.searchMinimum)
    throw new AppError('ERR_VALIDATION', [{ path, message: 'Digite pelo menos 3 caracteres' }])
  return trimmed
}

function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null
}
