// What another value of a setting would show and hide (decisions-2 §18): the policy's SQL under both values, over the tally of live
// tickets. People with the same rights are judged once, tickets that the policy cannot tell apart too, and what is one's own for itself:
// what it takes goes by how many kinds of both there are, not by people times tickets.
import {
  type AccessSettings,
  findSettingFault,
  isPreviewed,
  isSettingKey,
  parseSettings,
  type SettingPreview,
  toSettingTexts,
} from '@balcao/contract'
import type postgres from 'postgres'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError, createValidationError } from '../../platform/http/errors.ts'
import { type SqlFragment, visibleToProfileSql } from '../access/visible-tickets.ts'
import type { Session } from '../sessions/authenticate.ts'

/** Nothing is stored. Throws `ERR_NO_SETTING_FOUND`, `ERR_VALIDATION`. */
export async function previewSetting(
  db: Db,
  { settings: now }: Session,
  key: string,
  value: string,
): Promise<SettingPreview> {
  if (!isSettingKey(key)) throw new AppError('ERR_NO_SETTING_FOUND')
  const fault = isPreviewed(key) ? findSettingFault(key, value) : { code: 'noPreview' as const }
  if (fault) throw createValidationError('setting', [{ path: 'value', ...fault }])
  return findMovedTickets(db, now, parseSettings({ ...Object.fromEntries(toSettingTexts(now)), [key]: value }))
}

interface Row {
  /** Null: of everybody together. */
  readonly userId: number | null
  readonly name: string | null
  readonly appear: number
  readonly disappear: number
  readonly waiting: number
}

/** The live tickets that appear and disappear for whom between two sets of settings; administrators see all under any. */
export async function findMovedTickets(db: Db, before: AccessSettings, after: AccessSettings): Promise<SettingPreview> {
  const sql = getSql(db)
  const rows = await sql<Row[]>`
    with rights as materialized (
      select row_number() over () as "right", 0 as id, profile, queue_ids, count(*) as people, min(id) as one
      from (${everybody(sql)}) each group by profile, queue_ids
    ), people as materialized (
      select each.*, r."right" from (${everybody(sql)}) each join rights r using (profile, queue_ids)
    ), live as materialized (
      select y.status = 'pending' as waits, y.queue_id, y.user_id, y.is_group, min(y.status) as status, sum(y.n)::int as n,
        dense_rank() over (order by y.status = 'pending', y.queue_id, y.is_group, o.profile) as kind
      from ticket_tally y left join "user" o on o.id = y.user_id
      where y.status <> 'closed' group by 1, 2, 3, 4, o.profile having sum(y.n) <> 0
    ), alike as materialized (
      select kind, waits, queue_id, is_group, min(status) as status, min(user_id) as user_id, sum(n)::int as n
      from live group by 1, 2, 3, 4
    ), moved as materialized (
      select * from (select p."right", p.people, p.one, t.kind, t.waits, t.n, ${seen(sql, before)} as was, ${seen(sql, after)} as becomes
        from rights p cross join alike t) m where was <> becomes
    ), own as materialized (
      select * from (select p.id, t.kind, t.waits, t.n, ${seen(sql, before)} as was, ${seen(sql, after)} as becomes
        from people p join live t on t.user_id = p.id) o where was <> becomes
    ), told as (
      select p.id, m.becomes, m.n, m.waiting from people p join (
        select "right", becomes, sum(n) as n, coalesce(sum(n) filter (where waits), 0) as waiting from moved group by 1, 2
      ) m using ("right")
      union all
      select p.id, m.becomes, -t.n, case when t.waits then -t.n else 0 end
      from people p join live t on t.user_id = p.id join moved m on m."right" = p."right" and m.kind = t.kind
      union all
      select id, becomes, n, case when waits then n else 0 end from own
    ), shown as (
      select t.user_id, t.kind, t.n, m.becomes from live t join (
        select kind, becomes, sum(people) as people, min(one) as one from moved group by 1, 2
      ) m on m.kind = t.kind where m.people > 1 or m.one is distinct from t.user_id
      union
      select id, kind, n, becomes from own
    )
    select id as "userId", name, coalesce(appear, 0)::int as appear, coalesce(disappear, 0)::int as disappear,
      coalesce(waiting, 0)::int as waiting
    from (
      select null::int as id, null::text as name, sum(n) filter (where becomes) as appear,
        sum(n) filter (where not becomes) as disappear, 0 as waiting
      from shown
      union all
      select p.id, p.name, sum(n) filter (where becomes), sum(n) filter (where not becomes), sum(waiting)
      from told join people p on p.id = told.id group by p.id, p.name having sum(n) > 0
    ) as found
    order by id is not null, coalesce(appear, 0) + coalesce(disappear, 0) desc, name, id`
  const [all] = rows
  const people = rows.flatMap(({ userId, name, ...moved }) =>
    userId === null || name === null ? [] : [{ userId, name, ...moved }],
  )
  return { tickets: { appear: all?.appear ?? 0, disappear: all?.disappear ?? 0 }, people }
}

function everybody(sql: postgres.Sql): SqlFragment {
  return sql`select u.id, u.name, u.profile, array(select queue_id from user_queue where user_id = u.id order by queue_id) as queue_ids
    from "user" u where u.profile <> 'admin' and u.active and u.deleted_at is null`
}

/** Whether each of the people `p` sees each of the tickets `t`; of a ticket without a queue the policy may say null, which is no. */
function seen(sql: postgres.Sql, settings: AccessSettings): SqlFragment {
  return sql`(case p.profile
    when 'gerente' then ${visibleToProfileSql(sql, 'gerente', sql`p.id`, sql`p.queue_ids`, settings)}
    else ${visibleToProfileSql(sql, 'user', sql`p.id`, sql`p.queue_ids`, settings)} end) is true`
}
