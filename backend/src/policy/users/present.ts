// Members of the team in the form of the contract, many at once, and the live events that carry them.
import { type LiveEvent, sealWire, type User } from '@balcao/contract'
import type { Config } from '../../platform/config.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { sortByIds, toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { appendEvents } from '../../platform/live/append.ts'
import type { Audience } from '../../platform/live/table.ts'
import { tryUnseal } from '../../platform/seal.ts'

/** Users by id, deleted ones left out, in the order of the ids given. A connection that was deleted is nobody's. */
export async function loadUsers(db: Db | Tx, config: Config, ids: readonly number[]): Promise<User[]> {
  if (ids.length === 0) return []
  const rows = await getSql(db)<UserRow[]>`
    select u.id, u.name, u.email_sealed as "emailSealed", u.profile, u.active, u.status, u.start_time as "startTime", u.end_time as "endTime",
      u.weekdays, u.saturday, u.sunday, u.holidays, u.add_contact as "addContact", u.edit_contact as "editContact",
      u.del_contact as "delContact",
      (select w.id from whatsapp w where w.id = u.whatsapp_id and w.deleted_at is null) as "whatsappId",
      u.profile_pic_url as "profilePicUrl", u.must_change_password as "mustChangePassword", u.awaiting_approval as "awaitingApproval", u.version::int as version,
      coalesce((select json_agg(json_build_object('name', s.queue_id, 'value', s.substitute_id, 'transfer', s.transfer) order by s.queue_id)
        from user_substitute s where s.user_id = u.id), '[]'::json) as substitution,
      coalesce((select json_agg(json_build_object('id', queue.id, 'name', queue.name, 'color', queue.color) order by queue.custom_order, queue.name)
        from user_queue uq join queue on queue.id = uq.queue_id where uq.user_id = u.id), '[]'::json) as queues
    from "user" u where u.id = any(${ids}::int[]) and u.deleted_at is null`
  return sortByIds(ids, await Promise.all(rows.map(row => toUser(config, row))))
}

/** A member of the team as colleagues see it: without the e-mail, the substitutes, and who waits to be let in or has a one-time password. */
export function toColleagueView(user: User): User {
  return { ...user, email: '', substitution: [], mustChangePassword: false, awaitingApproval: false }
}

/** Tells everybody that users changed; gives them. The owner is hidden from everybody else (decisions §1). The person's own event comes first, so that the one without e-mail changes nothing there. */
export async function publishUserEvents(
  tx: Tx,
  config: Config,
  ids: readonly number[],
  action: 'create' | 'update',
): Promise<User[]> {
  const users = await loadUsers(tx, config, ids)
  const events: { event: LiveEvent; audience: Audience }[] = users.flatMap(user => {
    const event = { event: 'user' as const, action, version: user.version, user }
    const own = { event, audience: { to: 'user' as const, userId: user.id } }
    if (user.id === 1) return [own]
    return [
      own,
      { event, audience: { to: 'admins' as const } },
      { event: { ...event, user: toColleagueView(user) }, audience: { to: 'others' as const } },
    ]
  })
  await appendEvents(tx, events)
  return users
}

type UserRow = Omit<User, 'email' | 'queueIds'> & { readonly emailSealed: string }

async function toUser(config: Config, { emailSealed, ...row }: UserRow): Promise<User> {
  const email = await sealWire(config.sharedSecret, tryUnseal(config.dataKey, emailSealed) ?? '')
  return { ...row, email, queueIds: toIds(row.queues) }
}
