// Members of the team in the form of the contract, many at once, and the live events that carry them.
import { type LiveEvent, type Presence, type Profile, type QueueBrief, sealWire, type User } from '@balcao/contract'
import type { Config } from '../config.ts'
import type { Db, Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { appendEvents } from '../live/append.ts'
import type { Audience } from '../live/table.ts'
import { unsealed } from '../seal.ts'

/** Users by id, deleted ones left out, in the order of the ids given. */
export async function loadUsers(db: Db | Tx, config: Config, ids: readonly number[]): Promise<User[]> {
  if (ids.length === 0) return []
  const rows = await sqlOf(db)<UserRow[]>`
    select u.*, coalesce(q.queues, '[]'::json) as queues
    from "user" u left join lateral (
      select json_agg(json_build_object('id', queue.id, 'name', queue.name, 'color', queue.color)
        order by queue.custom_order, queue.name) as queues
      from user_queue uq join queue on queue.id = uq.queue_id where uq.user_id = u.id
    ) q on true
    where u.id = any(${ids}::int[]) and u.deleted_at is null`
  const users = await Promise.all(rows.map(row => userOf(config, row)))
  const byId = new Map(users.map(user => [user.id, user]))
  return ids.flatMap(id => byId.get(id) ?? [])
}

/** A member of the team as colleagues see it: without the e-mail, which only administrators and the person get. */
export function forColleagues(user: User): User {
  return { ...user, email: '' }
}

/** Tells everybody that users changed. The person's own event comes first, so that the one without e-mail changes nothing there. */
export async function userEvents(
  tx: Tx,
  config: Config,
  ids: readonly number[],
  action: 'create' | 'update',
): Promise<void> {
  const users = await loadUsers(tx, config, ids)
  const events: { event: LiveEvent; audience: Audience }[] = users.flatMap(user => {
    const event = { event: 'user' as const, action, version: user.version, user }
    return [
      { event, audience: { to: 'user' as const, userId: user.id } },
      { event, audience: { to: 'admins' as const } },
      { event: { ...event, user: forColleagues(user) }, audience: { to: 'others' as const } },
    ]
  })
  await appendEvents(tx, events)
}

interface UserRow {
  id: number
  name: string
  email_sealed: string
  profile: Profile
  active: boolean
  status: Presence
  start_time: string
  end_time: string
  weekdays: boolean
  saturday: boolean
  sunday: boolean
  holidays: boolean
  add_contact: boolean
  edit_contact: boolean
  del_contact: boolean
  whatsapp_id: number | null
  profile_pic_url: string | null
  must_change_password: boolean
  version: string
  queues: QueueBrief[]
}

async function userOf(config: Config, row: UserRow): Promise<User> {
  return {
    id: row.id,
    name: row.name,
    email: await sealWire(config.sharedSecret, unsealed(config.dataKey, row.email_sealed) ?? ''),
    profile: row.profile,
    active: row.active,
    status: row.status,
    startTime: row.start_time,
    endTime: row.end_time,
    weekdays: row.weekdays,
    saturday: row.saturday,
    sunday: row.sunday,
    holidays: row.holidays,
    addContact: row.add_contact,
    editContact: row.edit_contact,
    delContact: row.del_contact,
    whatsappId: row.whatsapp_id,
    queues: row.queues,
    queueIds: row.queues.map(queue => queue.id),
    profilePicUrl: row.profile_pic_url,
    mustChangePassword: row.must_change_password,
    version: Number(row.version),
  }
}
