// What the check of hand-written statements must find: each statement is wrong in the way its name says, but for the last four.
import { sql as expression } from 'drizzle-orm'
import type postgres from 'postgres'
import { users } from '../../src/policy/users/table.ts'

export function ofARenamedColumn(sql: postgres.Sql) {
  return sql<{ id: number }[]>`select identifier as id from ticket`
}

export function withAColumnThatIsNotThere(sql: postgres.Sql) {
  return sql<{ id: number; queue_id: number | null }[]>`select id from ticket`
}

export function withNumbersThatAreText(sql: postgres.Sql) {
  return sql<{ id: number }[]>`select id from message`
}

export function withAColumnThatMayBeNull(sql: postgres.Sql) {
  return sql<{ queue_id: number }[]>`select queue_id from ticket`
}

export function withAJoinThatFindsNobody(sql: postgres.Sql) {
  return sql<{ name: string }[]>`select u.name from ticket t left join "user" u on u.id = t.user_id`
}

export function withAnExpressionThatMayBeNull(sql: postgres.Sql) {
  return sql<{ first: string }[]>`select min(name) as first from queue`
}

export function withoutSayingWhatARowIs(sql: postgres.Sql) {
  return sql`select name from queue`
}

export function inOneOfItsFragments(sql: postgres.Sql, isLive: boolean) {
  return sql<{ id: number }[]>`select id from ticket where ${isLive ? sql`state <> 'closed'` : sql`true`}`
}

export function ofACallerWhoseRowsAreOthers(sql: postgres.Sql) {
  return rowsOf<{ name: number }>(sql, named(sql, 't'))
}

export function inAnExpressionOfTheBuilder() {
  const queues = expression<number>`(select count(*)::int from user_queue x where x.owner_id = ${users.id})`
  const tickets = expression<string>`(select count(*)::int from ticket t where t.user_id = ${users.id} and t.id > ${7})`
  return { queues, tickets }
}

export function right(sql: postgres.Sql, ids: readonly number[]) {
  return sql<{ id: number; name: string | null; queues: number[] }[]>`
    select t.id, u.name, array(select queue_id from user_queue where user_id = u.id) as queues
    from ticket t left join "user" u on u.id = t.user_id where t.id = any(${[...ids]}::int[])`
}

export function rightBecauseOfItsFallback(sql: postgres.Sql) {
  return sql<{ first: string; n: number }[]>`select coalesce(min(name), '') as first, count(*)::int as n from queue`
}

function rowsOf<Row extends object>(sql: postgres.Sql, query: postgres.Fragment) {
  return sql<Row[]>`${query}`
}

function named(sql: postgres.Sql, row: string) {
  return sql`select name from queue ${sql(row)}`
}
