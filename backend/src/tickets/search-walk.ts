// Looking through given tickets one by one, in their order. Each of these is a bounded piece of work whatever the words are.
import type postgres from 'postgres'
import type { Fragment } from '../access/visible-tickets.ts'
import type { Db } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { type Asked, chosen, isCalled, isSaid, withContact } from './search-conditions.ts'

/** Tickets with very long histories end a walk early: no more messages than this are read in one. */
const MOST_READ = 40_000

/** Those of the tickets with a message that holds the words. */
export async function saidAmong(db: Db, asked: Asked, ids: readonly number[], most: number): Promise<number[]> {
  return idsOf(sqlOf(db)<Row[]>`${saidSql(sqlOf(db), asked, ids, most)}`)
}

export function saidSql(sql: postgres.Sql, asked: Asked, ids: readonly number[], most: number): Fragment {
  return sql`
    with walked as materialized (
      select t.id, t.contact_id, w.place, sum(t.message_seq) over (order by w.place) - t.message_seq as read_before
      from unnest(${[...ids]}::int[]) with ordinality as w(id, place) join ticket t on t.id = w.id
        ${withContact(sql, asked)}
      where true ${chosen(sql, asked)}
    )
    select t.id from walked t ${withContact(sql, asked)}
      cross join lateral (select 1 from message m where m.ticket_id = t.id and ${isSaid(sql, asked, false)} limit 1) found
    where t.read_before < ${MOST_READ} order by t.place limit ${most}`
}

/** Those of the tickets whose contact is called so. */
export async function calledAmong(db: Db, asked: Asked, ids: readonly number[], most: number): Promise<number[]> {
  const sql = sqlOf(db)
  return idsOf(sql<Row[]>`
    select t.id from unnest(${[...ids]}::int[]) with ordinality as w(id, place) join ticket t on t.id = w.id
      join contact c on c.id = t.contact_id
    where ${isCalled(sql, asked.text ?? [])} ${chosen(sql, asked)} order by w.place limit ${most}`)
}

/** Those of the tickets that the filters leave. */
export async function fittingAmong(db: Db, asked: Asked, ids: readonly number[], most: number): Promise<number[]> {
  const sql = sqlOf(db)
  return idsOf(sql<Row[]>`
    select t.id from unnest(${[...ids]}::int[]) with ordinality as w(id, place) join ticket t on t.id = w.id
      ${withContact(sql, asked)}
    where true ${chosen(sql, asked)} order by w.place limit ${most}`)
}

/** Whether `saidAmong` reads every message of these tickets. */
export async function areReadWhole(db: Db, ids: readonly number[]): Promise<boolean> {
  const [row] = await sqlOf(db)<{ n: number }[]>`
    select coalesce(sum(message_seq), 0)::int as n from ticket where id = any(${[...ids]}::int[])`
  return (row?.n ?? 0) <= MOST_READ
}

interface Row {
  id: number
}

async function idsOf(rows: PromiseLike<readonly Row[]>): Promise<number[]> {
  return (await rows).map(row => row.id)
}
