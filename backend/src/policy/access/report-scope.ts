// Who may have a report: administrators all of it, managers what lies in their own queues, others nothing (decisions §4). Asked when it is
// begun, with every batch, and whenever its file is wanted.
import { parseSettings, type Viewer, type VisibilitySettings } from '@balcao/contract'
import type postgres from 'postgres'
import Type, { type Static } from 'typebox'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { createValidator } from '../../platform/http/validate.ts'
import type { Session } from '../sessions/authenticate.ts'
import { type SqlFragment, visibleToManagerSql } from './visible-tickets.ts'

/** What its asker could see as it was begun: the report holds that, and nothing that came to it since. */
export const ReportScope = Type.Object({
  profile: Type.Enum(['admin', 'gerente']),
  queueIds: Type.Array(Type.Integer()),
  hierarchy: Type.Boolean(),
  onlyAdminSeeEmptyQueue: Type.Boolean(),
})
export type ReportScope = Static<typeof ReportScope>

/** What a session may report on. Throws `ERR_NO_PERMISSION`. */
export function resolveReportScope({ viewer, settings }: Pick<Session, 'viewer' | 'settings'>): ReportScope {
  const { profile, queueIds } = viewer
  if (profile === 'user') throw new AppError('ERR_NO_PERMISSION')
  const { hierarchy, onlyAdminSeeEmptyQueue } = settings
  return { profile, queueIds: [...queueIds], hierarchy, onlyAdminSeeEmptyQueue }
}

/** Who looks at figures, with what they may see of them. */
export interface ScopedViewer {
  readonly viewerId: number
  readonly scope: ReportScope
}

/**
 * A condition on a ticket, or a row of sums with its `queue_id` and `user_id`: everything for administrators; for managers what the policy
 * shows them and lies in one of their queues (decisions §4).
 */
export function visibleRowsSql(sql: postgres.Sql, viewed: ScopedViewer, row: string): SqlFragment {
  if (viewed.scope.profile === 'admin') return sql`true`
  const { viewer, settings } = toAccessContext(viewed)
  return sql`${sql(row)}.queue_id = any(${[...viewer.queueIds]}::int[]) and ${visibleToManagerSql(sql, viewer, settings, row)}`
}

/** Who asked, as the policy saw them then. */
export function toAccessContext({ viewerId, scope }: ScopedViewer): {
  readonly viewer: Viewer
  readonly settings: VisibilitySettings
} {
  const { profile, queueIds, ...limits } = scope
  return { viewer: { id: viewerId, profile, queueIds }, settings: { ...parseSettings({}), ...limits } }
}

const scopeIn = createValidator(Type.Object({ scope: ReportScope }))

/** Whether somebody may still have what a report was made of, by its parameters: nobody keeps what has been taken away since. */
export async function isReportStillAllowed(
  db: Db | Tx,
  { kind, params }: { readonly kind: string; readonly params: unknown },
  userId: number,
): Promise<boolean> {
  const { scope } = scopeIn(params)
  const sql = getSql(db)
  const [now] = await (userId > 0
    ? sql<NowRow[]>`
    select u.profile, array(select queue_id from user_queue where user_id = u.id) as "queueIds",
      (select json_object_agg(key, value) from setting) as settings
    from "user" u where u.id = ${userId} and u.active and u.deleted_at is null`
    : sql<NowRow[]>`
    select 'gerente' as profile, array(select q.id from queue q where q.id = any(k.queue_ids)) as "queueIds",
      (select json_object_agg(key, value) from setting) as settings
    from api_token k where k.id = ${-userId} and k.user_id is null and k.scopes @> ${kind === 'report.message' ? ['reports', 'readMessages'] : ['reports']}::text[] and coalesce(k.expires_at > now(), true)`)
  if (!now || now.profile === 'user') return false
  if (now.profile === 'admin') return true
  const { hierarchy, onlyAdminSeeEmptyQueue } = parseSettings(now.settings ?? {})
  return (
    scope.profile === 'gerente' &&
    scope.queueIds.every(id => now.queueIds.includes(id)) &&
    (scope.hierarchy || !hierarchy) &&
    (scope.onlyAdminSeeEmptyQueue || !onlyAdminSeeEmptyQueue)
  )
}

interface NowRow extends Pick<Viewer, 'profile' | 'queueIds'> {
  readonly settings: Record<string, string> | null
}
