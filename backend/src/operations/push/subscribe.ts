// Devices come and go: registered by who is signed in there, for as long as that session lasts.
import type { RequestBody } from '@balcao/contract'
import { getSql } from '../../platform/database/raw.ts'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import { readCurrentPosition } from '../../platform/live/reader.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { isPushEndpoint } from './endpoint.ts'

/** Remembers the device (spec 1 §7). Again: it is this person's and this session's now. Throws `ERR_NO_PERMISSION` for another person, `ERR_VALIDATION`. */
export async function registerDevice(
  { db, config }: Parts,
  { viewer, family }: Session,
  { subscription, userId, language = 'pt' }: RequestBody<'POST /push/register'>,
): Promise<void> {
  if (userId !== undefined && userId !== viewer.id) throw new AppError('ERR_NO_PERMISSION')
  const { endpoint, keys } = subscription
  if (!isPushEndpoint(endpoint, config.push.origins)) throw refused('subscription/endpoint')
  if (countKeyBytes(keys.p256dh) !== 65) throw refused('subscription/keys/p256dh')
  if (countKeyBytes(keys.auth) !== 16) throw refused('subscription/keys/auth')
  const sql = getSql(db)
  const { xid, id } = await readCurrentPosition(db)
  // The first device: from here on, not from when there was one last.
  await sql`
    insert into push_cursor (id, xid, event_id) values (1, ${xid}::xid8, ${id})
    on conflict (id) do update set xid = excluded.xid, event_id = excluded.event_id
      where not exists (select 1 from push_subscription)`
  await sql`
    insert into push_subscription (user_id, family, endpoint, p256dh, auth, language)
    values (${viewer.id}, ${family}, ${endpoint}, ${keys.p256dh}, ${keys.auth}, ${language})
    on conflict (endpoint) do update set user_id = excluded.user_id, family = excluded.family,
      p256dh = excluded.p256dh, auth = excluded.auth, language = excluded.language`
}

/** Forgets a device of the person who asks; `key` is its endpoint or one of its keys. An unknown one is no error. */
export async function unregisterDevice(
  { db }: Parts,
  { viewer }: Session,
  { userId, key }: RequestBody<'POST /push/unregister'>,
): Promise<void> {
  if (userId !== undefined && userId !== viewer.id) throw new AppError('ERR_NO_PERMISSION')
  await getSql(db)`
    delete from push_subscription where user_id = ${viewer.id} and (endpoint = ${key} or p256dh = ${key} or auth = ${key})`
}

function countKeyBytes(text: string): number {
  return Buffer.from(text, 'base64url').length
}

function refused(path: string): AppError {
  return createFieldError(path, 'call.browser')
}
