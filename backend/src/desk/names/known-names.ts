// Names of queues, people, connections and tags, kept in the process so that no page looks each of them up again. A page's statement says
// which state of the names it saw: of another one they are read anew, so nobody is shown a name that was changed (docs/decisions/0304).
import type { Tag, Ticket } from '@balcao/contract'
import type postgres from 'postgres'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import type { SqlFragment } from '../../policy/access/visible-tickets.ts'

export interface KnownNames {
  readonly revision: string | null
  readonly queues: ReadonlyMap<number, NonNullable<Ticket['queue']>>
  readonly people: ReadonlyMap<number, NonNullable<Ticket['user']>>
  readonly connections: ReadonlyMap<number, Ticket['whatsapp']>
  /** In the order in which they are shown. */
  readonly tags: ReadonlyMap<number, { readonly place: number; readonly tag: Tag }>
}

const byPool = new WeakMap<postgres.Sql, KnownNames>()

/** Which state of the names a statement sees. */
export function nameRevisionSql(sql: postgres.Sql): SqlFragment {
  return sql`(select changed_by from name_revision where "only")`
}

/** The names as a statement saw them that was answered this revision, or as they are now. */
export async function loadNames(db: Db, revision: string | null): Promise<KnownNames> {
  const known = byPool.get(db.$client)
  if (known && revision !== null && known.revision === revision) return known
  const names = await readNames(db)
  byPool.set(db.$client, names)
  return names
}

interface Row {
  readonly revision: string | null
  readonly queues: NonNullable<Ticket['queue']>[] | null
  readonly people: NonNullable<Ticket['user']>[] | null
  readonly connections: Ticket['whatsapp'][] | null
  readonly tags: Tag[] | null
}

/** In one statement, so that the revision is that of the names. A queue that went away is known by its last name. */
async function readNames(db: Db): Promise<KnownNames> {
  const sql = getSql(db)
  const [row] = await sql<Row[]>`
    select ${nameRevisionSql(sql)} as revision,
      (select json_agg(q) from (select id, name, color from past_queue union all select id, name, color from queue) q) as queues,
      (select json_agg(u) from (select id, name, profile_pic_url as "profilePicUrl" from "user") u) as people,
      (select json_agg(w) from (select id, name, api, status from whatsapp) w) as connections,
      (select json_agg(t) from (select id, name, color from tag order by name, id) t) as tags`
  return {
    revision: row?.revision ?? null,
    queues: mapById(row?.queues),
    people: mapById(row?.people),
    connections: mapById(row?.connections),
    tags: new Map((row?.tags ?? []).map((tag, place) => [tag.id, { place, tag }])),
  }
}

function mapById<T extends { readonly id: number }>(rows: readonly T[] | null | undefined): Map<number, T> {
  return new Map((rows ?? []).map(row => [row.id, row]))
}
