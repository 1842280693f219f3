// Who is asking: one prepared statement a request, so that whoever is deactivated, moved or signed out loses access at once.
import { type Profile, type Settings, type ShownSettings, settingsFrom, type Viewer } from '@balcao/contract'
import { sqlOf } from '../database/raw.ts'
import { AppError } from '../http/errors.ts'
import type { Parts } from '../parts.ts'
import { type Claims, type Verified, verifyAccess, verifyFiles } from './tokens.ts'
import { mayWork, type WorkingTime } from './working-time.ts'

/** A signed-in person with rights and settings as they are now. `family` is the device. */
export interface Session {
  readonly viewer: Viewer
  readonly name: string
  readonly family: string
  readonly access: ShownSettings
  readonly settings: Settings
  /** A one-time password was used: nothing is open but changing it. */
  readonly mustChangePassword: boolean
  readonly works: WorkingTime
  readonly mayContacts: { readonly add: boolean; readonly edit: boolean; readonly del: boolean }
}

/** The session of a request with an access token. Throws 401 `ERR_SESSION_EXPIRED` or 403 `ERR_TOKEN_EXPIRED` (decisions §1). */
export async function authenticate(parts: Parts, request: Request): Promise<Session> {
  const token = /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  if (token === undefined) throw new AppError('ERR_SESSION_EXPIRED')
  return sessionOf(parts, await verifyAccess(parts.config, token))
}

/** The session of a request for a file: by access token, or by the cookie a browser sends with pictures. */
export async function authenticateForFiles(parts: Parts, request: Request): Promise<Session> {
  const session = request.headers.has('authorization')
    ? await authenticate(parts, request)
    : await sessionOf(parts, await verifyFiles(parts.config, request))
  if (session.mustChangePassword) throw new AppError('ERR_PASSWORD_CHANGE_REQUIRED')
  return session
}

async function sessionOf(parts: Parts, verified: Verified): Promise<Session> {
  if (parts.license.blocked()) throw new AppError('ERR_SYSTEM_BLOCKED')
  if (verified === 'expired') throw new AppError('ERR_TOKEN_EXPIRED')
  if (verified === 'invalid') throw new AppError('ERR_SESSION_EXPIRED')
  return loadSession(parts, verified)
}

/** Throws `ERR_INVALID_WORKING_TIME` outside of the person's working hours and days (spec 1 §4, §6). */
export function checkWorksNow({ works, settings }: Session): void {
  if (!mayWork(works, settings.timezone, new Date())) throw new AppError('ERR_INVALID_WORKING_TIME')
}

/** The session of claims already proven. Throws `ERR_USER_NO_ACTIVE`, `ERR_SESSION_EXPIRED` when it was ended. */
export async function loadSession({ db }: Pick<Parts, 'db'>, claims: Claims): Promise<Session> {
  const [row] = await sqlOf(db)<SessionRow[]>`
    select u.id, u.name, u.profile, u.active, u.add_contact, u.edit_contact, u.del_contact,
      u.must_change_password, u.start_time, u.end_time, u.weekdays, u.saturday, u.sunday,
      array(select queue_id from user_queue where user_id = u.id order by queue_id) as queue_ids,
      (select json_object_agg(key, value) from setting) as settings,
      exists (select 1 from refresh_token r
        where r.family = ${claims.family} and r.user_id = u.id and r.revoked_at is null and r.expires_at > now()) as alive
    from "user" u where u.id = ${claims.userId} and u.deleted_at is null`
  // Who is deactivated loses the session with it, and is told the reason rather than the consequence (spec 1 §4).
  if (row?.active === false) throw new AppError('ERR_USER_NO_ACTIVE')
  if (!row?.alive) throw new AppError('ERR_SESSION_EXPIRED')
  const settings = settingsFrom(row.settings ?? {})
  return {
    viewer: { id: row.id, profile: row.profile, queueIds: row.queue_ids },
    name: row.name,
    family: claims.family,
    access: settings,
    settings,
    mustChangePassword: row.must_change_password,
    works: {
      profile: row.profile,
      startTime: row.start_time,
      endTime: row.end_time,
      weekdays: row.weekdays,
      saturday: row.saturday,
      sunday: row.sunday,
    },
    mayContacts: { add: row.add_contact, edit: row.edit_contact, del: row.del_contact },
  }
}

interface SessionRow {
  id: number
  name: string
  profile: Profile
  active: boolean
  add_contact: boolean
  edit_contact: boolean
  del_contact: boolean
  must_change_password: boolean
  start_time: string
  end_time: string
  weekdays: boolean
  saturday: boolean
  sunday: boolean
  queue_ids: number[]
  settings: Record<string, string> | null
  alive: boolean
}
