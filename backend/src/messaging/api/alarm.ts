// Programs that use all they may call, again and again: one that answers what it causes itself does so without an end
// (docs/decisions/0301).
import { LIMITS, type ResponseBody } from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { isHidden } from '../../policy/access/hidden-owner.ts'
import { SPENT_MINUTES } from '../../policy/sessions/api-caller.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'

type Alarms = ResponseBody<'GET /notifications'>['alarms']

/** Tokens that used all calls of ten minutes within the last hour, and since when; the one of the settings has no name. */
export async function listSpentTokens(db: Db, { viewer }: Pick<Session, 'viewer'>): Promise<Alarms> {
  const sql = getSql(db)
  const tokens = await sql<{ id: number; name: string; userId: number | null; at: string | null }[]>`
    select id, name, user_id as "userId", spent_minutes[${SPENT_MINUTES}::int] as at from api_token
    where spent_minutes[${SPENT_MINUTES}::int] > now() - interval '1 hour' order by at desc, id desc`
  const settings = await sql<{ at: string | null }[]>`
    select min(minute) as at from api_use
    where n >= ${LIMITS.apiPerMinute} and minute > now() - interval '1 hour' having count(*) >= ${SPENT_MINUTES}`
  const named = tokens
    .filter(({ userId }) => userId === null || !isHidden(viewer, userId))
    .map(({ id, name, at }) => ({ code: 'token_spent', at, reason: null, token: { id, name } }) as const)
  return [...named, ...settings.map(({ at }) => ({ code: 'token_spent', at, reason: null }) as const)]
}
