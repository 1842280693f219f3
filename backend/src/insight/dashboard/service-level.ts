// How many answers came in time in a period, as they were kept (docs/decisions/0317), and what is late now: by queue and by person.
import type { QueryParams, ResponseBody } from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { resolveReportScope, type ScopedViewer, visibleRowsSql } from '../../policy/access/report-scope.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { answerCountsSql, figureFilterSql, type Period, resolvePeriod } from '../figures/read.ts'
import { findRunningCount } from '../figures/zone.ts'

type Query = QueryParams<'GET /dashboard/service-level'>
type ServiceLevel = ResponseBody<'GET /dashboard/service-level'>
type Level = Pick<ServiceLevel, 'first' | 'later' | 'late' | 'lateWaiting'>

interface Counted {
  readonly queueId: number | null
  readonly userId: number | null
}

interface Row extends Counted {
  readonly first: number
  readonly firstInTime: number
  readonly later: number
  readonly laterInTime: number
  readonly late: number
  readonly lateWaiting: number
}

/** Throws `ERR_NO_PERMISSION` for who may have no figures, and `ERR_VALIDATION`. */
export async function loadServiceLevel(
  db: Db,
  session: Session,
  query: Query,
  timezone: string,
  now: Date,
): Promise<ServiceLevel> {
  const viewed = { viewerId: session.viewer.id, scope: resolveReportScope(session) }
  const period = resolvePeriod(query, timezone, now)
  const [answered, late, queues, people, counting] = await Promise.all([
    countAnswers(db, viewed, query, period),
    countLate(db, viewed, query, now),
    listQueues(db, viewed),
    getSql(db)<{ id: number; name: string }[]>`select id, name from "user" order by name, id`,
    findRunningCount(db),
  ])
  const rows = [...answered, ...late]
  const byQueue = Map.groupBy(rows, row => row.queueId)
  const byPerson = Map.groupBy(rows, row => row.userId)
  return {
    ...sumLevel(rows),
    hasTargets: queues.some(queue => queue.hasTarget),
    // Where nothing was answered and nothing is late there is no row.
    queues: queues.flatMap(({ id, name, color }) => {
      const own = byQueue.get(id)
      return own ? [{ id, name, color, ...sumLevel(own) }] : []
    }),
    people: [...people, { id: null, name: '' }].flatMap(person => {
      const own = byPerson.get(person.id)
      return own ? [{ ...person, ...sumLevel(own) }] : []
    }),
    counting,
  }
}

const NO_ANSWERS = { first: 0, firstInTime: 0, later: 0, laterInTime: 0 }

async function countAnswers(db: Db, viewed: ScopedViewer, query: Query, { from, until }: Period): Promise<Row[]> {
  const sql = getSql(db)
  const rows = await sql<Omit<Row, 'late' | 'lateWaiting'>[]>`
    select a.queue_id as "queueId", a.user_id as "userId", ${answerCountsSql(sql)}
    from ticket_answer a where a.at >= ${from}::timestamptz and a.at < ${until}::timestamptz
      and ${visibleRowsSql(sql, viewed, 'a')} ${figureFilterSql(sql, query, 'a')}
    group by a.queue_id, a.user_id`
  return rows.map(row => ({ ...row, late: 0, lateWaiting: 0 }))
}

async function countLate(db: Db, viewed: ScopedViewer, query: Query, now: Date): Promise<Row[]> {
  const sql = getSql(db)
  const rows = await sql<(Counted & Pick<Row, 'late' | 'lateWaiting'>)[]>`
    select t.queue_id as "queueId", t.user_id as "userId", count(*)::int as late,
      (count(*) filter (where t.status = 'pending'))::int as "lateWaiting" from ticket t
    where t.status in ('pending', 'open') and not t.is_group
      and coalesce(t.answer_due_at, 'infinity'::timestamptz) < ${now.toISOString()}::timestamptz
      and ${visibleRowsSql(sql, viewed, 't')} ${figureFilterSql(sql, query, 't')}
    group by t.queue_id, t.user_id`
  return rows.map(row => ({ ...row, ...NO_ANSWERS }))
}

interface NamedQueue {
  readonly id: number
  readonly name: string
  readonly color: string
  readonly hasTarget: boolean
}

/** Those that are there in their order, then those that are gone; a target of which the viewer sees nothing is none. */
function listQueues(db: Db, { scope }: ScopedViewer): Promise<readonly NamedQueue[]> {
  const isAdmin = scope.profile === 'admin'
  return getSql(db)<NamedQueue[]>`
    select id, name, color, "hasTarget" from (
      select id, name, color, custom_order as place, coalesce(first_answer_minutes, answer_minutes) is not null
        and (${isAdmin}::boolean or id = any(${scope.queueIds}::int[])) as "hasTarget" from queue
      union all select id, name, color, null, false from past_queue) q
    order by place nulls last, name, id`
}

function sumLevel(rows: readonly Row[]): Level {
  const sum = (key: Exclude<keyof Row, keyof Counted>) => rows.reduce((n, row) => n + row[key], 0)
  return {
    first: { inTime: sum('firstInTime'), total: sum('first') },
    later: { inTime: sum('laterInTime'), total: sum('later') },
    late: sum('late'),
    lateWaiting: sum('lateWaiting'),
  }
}
