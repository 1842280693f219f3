// Finding one person of the book by anything it is known by, and what was asked to be erased.
import type { PersonMatch, ResponseBody } from '@balcao/contract'
import type postgres from 'postgres'
import { contactSearchSql } from '../../desk/contacts/search.ts'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import type { SqlFragment } from '../../policy/access/visible-tickets.ts'
import { loadErasures } from './present.ts'

const MOST = 20
const REQUESTS = 50

/** Nobody without a search: it is no list of the book. */
export async function findPeople(db: Db, searched: string | undefined): Promise<ResponseBody<'GET /privacy'>> {
  const text = searched?.trim() ?? ''
  const [people, requests] = await Promise.all([
    text === '' ? [] : peopleFound(db, text),
    loadErasures(db, undefined, REQUESTS),
  ])
  return { people, requests }
}

async function peopleFound(db: Db, text: string): Promise<PersonMatch[]> {
  const sql = getSql(db)
  return sql<PersonMatch[]>`
    ${personSql(sql)} where c.merged_into is null and not c.is_group and c.id in (
      select id from (${contactSearchSql(sql, text)}) found
      union select p.contact_id from protocol p where p.protocolo = ${text}
      union select i.contact_id from contact_identity i where i.value = ${text}
      union select f.merged_into from contact f where f.merged_into is not null and f.search_text like f_like(${text}))
    order by c.search_name collate "C", c.id limit ${MOST}`
}

/** One person; none for groups, and for who is gone. */
export async function loadPerson(db: Db, id: number): Promise<PersonMatch | undefined> {
  const sql = getSql(db)
  const [person] = await sql<PersonMatch[]>`
    ${personSql(sql)} where c.id = ${id} and c.merged_into is null and not c.is_group`
  return person
}

function personSql(sql: postgres.Sql): SqlFragment {
  return sql`
    select c.id, c.name, c.number, c.email, c.profile_pic_url as "profilePicUrl", c.created_at as "createdAt",
      (select count(distinct t.whatsapp_id)::int from ticket t where t.contact_id = c.id) as connections,
      (select e.due_at from privacy_erasure e where e.contact_id = c.id and e.state in ('waiting', 'running')) as "dueAt"
    from contact c`
}
