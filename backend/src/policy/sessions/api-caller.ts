// Who calls as a program: whoever brings a token, with what it opens, as whom it acts, and how often it may (docs/decisions/0302).
import type { ApiScope, Endpoint } from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { toNetworkAddress } from '../../platform/http/addresses.ts'
import { AppError, createRateLimitError } from '../../platform/http/errors.ts'
import type { Parts } from '../kit/parts.ts'
import { hashApiToken, isApiToken, looksLikeApiToken } from '../settings/api-token.ts'
import { countAttempt, createAccountLimit } from './attempts.ts'
import { keepSession, type Session, type SessionRow, toProgramFamily } from './known-sessions.ts'
import { readBearerToken } from './tokens.ts'

/** Whether a request comes from a program: pages and terminals have tokens of another form. */
export function isFromProgram(request: Request): boolean {
  return looksLikeApiToken(readBearerToken(request))
}

type TokenRule = Pick<Endpoint, 'audience' | 'scope' | 'needsPerson'>

/**
 * The session a token stands for, as it is now: nothing of it is remembered, so what is revoked or taken from its person is gone with the
 * next call. Null: the one token of the settings, which is nobody. `isFirst`: counts the call, once. Throws 401 `ERR_SESSION_EXPIRED`; 403
 * `ERR_NO_PERMISSION` for what the token does not open; 429 `ERR_TOO_MANY_ATTEMPTS`.
 */
export async function loadProgramSession(
  { db, license }: Pick<Parts, 'db' | 'license'>,
  request: Request,
  address: string,
  { audience, scope, needsPerson = false }: TokenRule,
  isFirst: boolean,
): Promise<Session | null> {
  if (license.blocked()) throw new AppError('ERR_SYSTEM_BLOCKED')
  const token = readBearerToken(request)
  if (!looksLikeApiToken(token)) throw new AppError('ERR_SESSION_EXPIRED')
  if (scope === undefined) throw new AppError('ERR_NO_PERMISSION')
  const row = await findToken(db, hashApiToken(token))
  if (!row) return admitSettingsToken(db, token, address, audience)
  if (row.ended) throw new AppError('ERR_SESSION_EXPIRED')
  const isPerson = row.id > 0
  if (!row.scopes.includes(scope) || (needsPerson && !isPerson) || (audience === 'admin' && row.profile !== 'admin'))
    throw new AppError('ERR_NO_PERMISSION')
  if (isFirst) await countUse(db, row)
  const { tokenId, wait: _, spent: __, ended: ___, ...person } = row
  return keepSession(db, { userId: person.id, family: toProgramFamily(tokenId) }, person)
}

/** The single token of the settings is older than tokens by name: it sends, and nothing else. */
async function admitSettingsToken(db: Db, token: string, address: string, audience: TokenRule['audience']) {
  const [row] = await getSql(db)<{ value: string }[]>`select value from setting where key = 'userApiToken'`
  if (!row || !isApiToken(token, row.value)) {
    // After the look at the token, and by address alone: nobody can lock the token's owner out.
    await countAttempt(db, [createAccountLimit(`api:${toNetworkAddress(address)}`)])
    throw new AppError('ERR_SESSION_EXPIRED')
  }
  if (audience !== 'token') throw new AppError('ERR_NO_PERMISSION')
  return null
}

interface TokenRow extends SessionRow {
  readonly tokenId: number
  readonly scopes: ApiScope[]
  readonly ended: boolean
  /** Whether this minute's calls are used up, and seconds until the next one. */
  readonly spent: boolean
  readonly wait: number
}

/** The company is a manager of the token's queues, under a number that nobody has. Hours are those of people, not of programs. */
async function findToken(db: Db, hash: string): Promise<TokenRow | undefined> {
  const [row] = await getSql(db)<TokenRow[]>`
    select k.id as "tokenId", k.scopes, ceil(60 - extract(second from now()))::int as wait,
      coalesce(k.minute = date_trunc('minute', now()) and k.uses >= k.per_minute, false) as spent,
      coalesce(k.expires_at <= now() or (k.user_id is not null and u.id is null) or (k.user_id is null and q.ids = '{}'), false) as ended,
      coalesce(u.id, -k.id) as id, coalesce(u.name, k.name) as name, coalesce(u.profile, 'gerente') as profile, true as active, true as alive,
      coalesce(u.add_contact, true) as add, coalesce(u.edit_contact, true) as edit, coalesce(u.del_contact, false) as del,
      false as "mustChangePassword", '00:00' as "startTime", '23:59' as "endTime", true as weekdays, true as saturday, true as sunday,
      true as holidays, q.ids as "queueIds", (select json_object_agg(key, value)::text from setting) as settings
    from api_token k
      left join "user" u on u.id = k.user_id and u.active and u.deleted_at is null
      cross join lateral (select case when k.user_id is null
        then array(select queue.id from queue where queue.id = any(k.queue_ids) order by queue.id)
        else array(select uq.queue_id from user_queue uq where uq.user_id = k.user_id order by uq.queue_id) end as ids) q
    where k.hash = ${hash}`
  return row
}

/** So many are kept of the minutes in which a token used all its calls: with as many in an hour administrators are told. */
export const SPENT_MINUTES = 10

/** For all processes together. What is too much is refused without a write; that a minute's calls are used up is noted with the last of them. */
async function countUse(db: Db, { tokenId, spent, wait }: TokenRow): Promise<void> {
  const used = spent
    ? []
    : await getSql(db)`
      update api_token set last_used_at = now(), minute = date_trunc('minute', now()),
        uses = case when minute is not distinct from date_trunc('minute', now()) then uses + 1 else 1 end,
        spent_minutes = case when per_minute > case when minute is not distinct from date_trunc('minute', now()) then uses + 1 else 1 end
          then spent_minutes else (date_trunc('minute', now()) || spent_minutes)[:${SPENT_MINUTES}::int] end
      where id = ${tokenId} and (minute is distinct from date_trunc('minute', now()) or uses < per_minute) returning 1`
  if (used.length === 0) throw createRateLimitError(wait)
}
