// Who may not stay at a socket any more, and why: the client is told the reason rather than the consequence (spec 1 §4).
import type { ErrorCode } from '@balcao/contract'
import { getSql } from '../../platform/database/raw.ts'
import { canWork, type WorkingTime } from '../../policy/calendar/working-time.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import type { Claims } from '../../policy/sessions/tokens.ts'
import { readSettings } from '../../policy/settings/read.ts'

/** Why it ends. */
export type SessionEndReason = Extract<ErrorCode, 'ERR_USER_NO_ACTIVE' | 'ERR_INVALID_WORKING_TIME'> | 'signed out'

interface SessionRow extends WorkingTime {
  readonly family: string
  readonly userId: number
  readonly isActive: boolean
  readonly isAlive: boolean
}

/** The sessions that are over, by their family, with the reason. */
export async function findEndedSessions(
  { db }: Pick<Parts, 'db'>,
  sessions: readonly Claims[],
): Promise<Map<string, SessionEndReason>> {
  if (sessions.length === 0) return new Map()
  const now = new Date()
  const settings = await readSettings(db)
  const rows = await getSql(db)<SessionRow[]>`
    select s.family, u.id as "userId", u.active and u.deleted_at is null as "isActive", u.profile, u.start_time as "startTime",
      u.end_time as "endTime", u.weekdays, u.saturday, u.sunday, u.holidays,
      exists (select 1 from refresh_token r where r.family = s.family and r.revoked_at is null and r.expires_at > now()) as "isAlive"
    from unnest(${sessions.map(one => one.family)}::text[], ${sessions.map(one => one.userId)}::int[]) as s(family, user_id)
      join "user" u on u.id = s.user_id`
  const known = new Map(rows.map(row => [row.family, row]))
  return new Map(
    sessions.flatMap(({ family }) => {
      const row = known.get(family)
      const reason = row ? reasonOf(row) : 'signed out'
      return reason === null ? [] : [[family, reason] as const]
    }),
  )

  function reasonOf(row: SessionRow): SessionEndReason | null {
    if (!row.isActive) return 'ERR_USER_NO_ACTIVE'
    if (!row.isAlive) return 'signed out'
    return canWork(row, settings, now) ? null : 'ERR_INVALID_WORKING_TIME'
  }
}
