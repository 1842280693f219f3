// Tokens of programs, in the form of the contract.
import type { ApiToken } from '@balcao/contract'
import type { Db, Tx } from '../../platform/database/client.ts'
import { sortByIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { isHidden } from '../../policy/access/hidden-owner.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'

/** All of them, by name; those of the owner only for the owner. */
export async function listApiTokens(db: Db, { viewer }: Session): Promise<ApiToken[]> {
  const rows = await readApiTokens(db, null)
  return rows.filter(({ user }) => user === null || !isHidden(viewer, user.id))
}

/** By id, in the order of the ids given. */
export async function loadApiTokens(db: Db | Tx, ids: readonly number[]): Promise<ApiToken[]> {
  return sortByIds(ids, await readApiTokens(db, [...ids]))
}

/** A person who is gone is named still, so that one sees whose it was; queues that are gone are not. */
async function readApiTokens(db: Db | Tx, ids: number[] | null): Promise<ApiToken[]> {
  return getSql(db)<ApiToken[]>`
    select k.id, k.name, k.hint, k.scopes, k.per_minute as "perMinute", k.expires_at as "expiresAt", k.last_used_at as "lastUsedAt",
      k.version::int as version, q.ids as "queueIds",
      case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'profilePicUrl', u.profile_pic_url) end as "user",
      case when k.expires_at <= now() then 'expired'
        when u.id is not null and (not u.active or u.deleted_at is not null) then 'person'
        when u.id is null and q.ids = '{}' then 'queues' end as ended
    from api_token k left join "user" u on u.id = k.user_id
      cross join lateral (select case when k.user_id is null then
        array(select queue.id from queue where queue.id = any(k.queue_ids) order by queue.id) end as ids) q
    where ${ids}::int[] is null or k.id = any(${ids}::int[]) order by k.name collate "pt-BR-x-icu", k.id`
}
