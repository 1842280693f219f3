// How many answers came in time in a period, as they were kept (docs/decisions/0317), and what is late now: by queue and by person.
import type { QueryParams, ResponseBody } from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { figureFilterSql, resolvePeriod } from '../figures/read.ts'

type Query = QueryParams<'GET /dashboard/service-level'>
type Answer = ResponseBody<'GET /dashboard/service-level'>
type Share = Answer['first']

interface Row {
  readonly queueId: number | null
  readonly userId: number | null
  readonly kind: 'first' | 'later' | 'waiting'
  readonly inTime: number
  readonly total: number
  readonly late: number
}

/** Throws `ERR_VALIDATION`. */
export async function loadServiceLevel(db: Db, query: Query, timezone: string, now: Date): Promise<Answer> {
  const { from, until } = resolvePeriod(query, timezone, now)
  const sql = getSql(db)
  const [answered, waiting, queues, people] = await Promise.all([
    sql<Omit<Row, 'late'>[]>`
      select a.queue_id as "queueId", a.user_id as "userId", a.kind, count(*) filter (where a.at <= a.due_at)::int as "inTime",
        count(*)::int as total
      from ticket_answer a where a.at >= ${from}::timestamptz and a.at < ${until}::timestamptz ${figureFilterSql(sql, query, 'a')}
      group by a.queue_id, a.user_id, a.kind`,
    sql<Pick<Row, 'queueId' | 'userId' | 'late'>[]>`
      select t.queue_id as "queueId", t.user_id as "userId", count(*)::int as late from ticket t
      where t.status in ('pending', 'open') and not t.is_group
        and coalesce(t.answer_due_at, 'infinity'::timestamptz) < ${now.toISOString()}::timestamptz ${figureFilterSql(sql, query, 't')}
      group by t.queue_id, t.user_id`,
    sql<{ id: number; name: string; color: string; hasTarget: boolean }[]>`
      select id, name, color, coalesce(first_answer_minutes, answer_minutes) is not null as "hasTarget" from queue order by custom_order, name, id`,
    sql<{ id: number; name: string }[]>`select id, name from "user" order by name, id`,
  ])
  const rows: Row[] = [
    ...answered.map(row => ({ ...row, late: 0 })),
    ...waiting.map(row => ({ ...row, kind: 'waiting' as const, inTime: 0, total: 0 })),
  ]
  const ofKind = (kind: Row['kind']) => rows.filter(row => row.kind === kind)
  return {
    first: sumShare(ofKind('first')),
    later: sumShare(ofKind('later')),
    late: sumLate(rows),
    hasTargets: queues.some(queue => queue.hasTarget),
    queues: queues.flatMap(({ id, name, color }) =>
      sumOf(
        rows.filter(row => row.queueId === id),
        { id, name, color },
      ),
    ),
    people: people.flatMap(({ id, name }) =>
      sumOf(
        rows.filter(row => row.userId === id),
        { id, name },
      ),
    ),
  }
}

/** Where nothing was answered and nothing is late there is no row. */
function sumOf<Named extends object>(rows: readonly Row[], named: Named) {
  return rows.length === 0 ? [] : [{ ...named, ...sumShare(rows), late: sumLate(rows) }]
}

function sumShare(rows: readonly Row[]): Share {
  return {
    inTime: rows.reduce((sum, { inTime }) => sum + inTime, 0),
    total: rows.reduce((sum, { total }) => sum + total, 0),
  }
}

function sumLate(rows: readonly Row[]): number {
  return rows.reduce((sum, { late }) => sum + late, 0)
}
