// Who is asking: one prepared statement a request, so that whoever is deactivated, moved or signed out loses access at once.
import { getSql, joinNext } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { canWork } from '../calendar/working-time.ts'
import type { Parts } from '../kit/parts.ts'
import { forgetSession, keepSession, type Session, type SessionRow } from './known-sessions.ts'
import { verifyAccessOnce } from './proven-tokens.ts'
import { type Claims, readBearerToken, type VerificationResult, verifyFiles } from './tokens.ts'

export type { Session } from './known-sessions.ts'

/** The session of a request with an access token. Throws 401 `ERR_SESSION_EXPIRED` or 403 `ERR_TOKEN_EXPIRED` (decisions §1). */
export async function authenticate(parts: Parts, request: Request): Promise<Session> {
  return loadSession(parts, await readClaims(parts, request))
}

/** Whose request it is, by its token alone: nobody else's body is read. The same refusals. */
export async function readClaims(parts: Parts, request: Request): Promise<Claims> {
  const token = readBearerToken(request)
  if (token === undefined) throw new AppError('ERR_SESSION_EXPIRED')
  return checkVerified(parts, await verifyAccessOnce(parts.config, token))
}

/** The session of a request for a file: by access token, or by the cookie a browser sends with pictures. */
export async function authenticateForFiles(parts: Parts, request: Request): Promise<Session> {
  const session = request.headers.has('authorization')
    ? await authenticate(parts, request)
    : await loadSession(parts, checkVerified(parts, await verifyFiles(parts.config, request)))
  if (session.mustChangePassword) throw new AppError('ERR_PASSWORD_CHANGE_REQUIRED')
  return session
}

function checkVerified(parts: Parts, verified: VerificationResult): Claims {
  if (parts.license.blocked()) throw new AppError('ERR_SYSTEM_BLOCKED')
  if (verified === 'expired') throw new AppError('ERR_TOKEN_EXPIRED')
  if (verified === 'invalid') throw new AppError('ERR_SESSION_EXPIRED')
  return verified
}

/** Throws `ERR_INVALID_WORKING_TIME` outside of the person's working hours and days (spec 1 §4, §6). */
export function checkWorksNow({ works, settings }: Pick<Session, 'works' | 'settings'>): void {
  if (!canWork(works, settings, new Date())) throw new AppError('ERR_INVALID_WORKING_TIME')
}

/**
 * The session of claims already proven, as it is now; everything a person does passes here, so it ends with the hours. While nothing of
 * it was changed it is the same object. Throws `ERR_USER_NO_ACTIVE`, `ERR_SESSION_EXPIRED` when it was ended, `ERR_INVALID_WORKING_TIME`
 * unless `outsideHours`. `joinsNext`: the next statement of this turn goes to the server together with this one.
 */
export async function loadSession(
  { db }: Pick<Parts, 'db'>,
  claims: Claims,
  { outsideHours = false, joinsNext = false } = {},
): Promise<Session> {
  const query = getSql(db)<SessionRow[]>`
    select u.id, u.name, u.profile, u.active, u.add_contact as add, u.edit_contact as edit, u.del_contact as del,
      u.must_change_password as "mustChangePassword", u.start_time as "startTime", u.end_time as "endTime", u.weekdays, u.saturday, u.sunday,
      u.holidays,
      array(select queue_id from user_queue where user_id = u.id order by queue_id) as "queueIds",
      (select json_object_agg(key, value)::text from setting) as settings,
      exists (select 1 from refresh_token r
        where r.family = ${claims.family} and r.user_id = u.id and r.revoked_at is null and r.expires_at > now()) as alive
    from "user" u where u.id = ${claims.userId} and u.deleted_at is null`
  const [row] = await (joinsNext ? joinNext(query) : query)
  try {
    // Who is deactivated loses the session with it, and is told the reason rather than the consequence (spec 1 §4).
    if (row?.active === false) throw new AppError('ERR_USER_NO_ACTIVE')
    if (!row?.alive) throw new AppError('ERR_SESSION_EXPIRED')
    const session = keepSession(db, claims, row)
    if (!outsideHours) checkWorksNow(session)
    return session
  } catch (refusal) {
    forgetSession(db, claims)
    throw refusal
  }
}
