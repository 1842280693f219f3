// Contacts in the form of the contract, and their live events. Contacts are known to the whole team (decisions §4).
import type { Contact } from '@balcao/contract'
import type { Db, Tx } from '../../platform/database/client.ts'
import { sortByIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { appendEvents } from '../../platform/live/append.ts'

/** Contacts by id, one statement however many; the order is that of the ids given. */
export async function loadContacts(db: Db | Tx, ids: readonly number[]): Promise<Contact[]> {
  if (ids.length === 0) return []
  const rows = await getSql(db)<Omit<Contact, 'queueIds' | 'userIds'>[]>`
    select c.id, c.name, c.number, c.profile_pic_url as "profilePicUrl", c.is_group as "isGroup", c.email,
      c.resposta_automatica as "respostaAutomatica", c.extra_info as "extraInfo", c.opted_out_at as "optedOutAt", c.version::int as version,
      -- Who was imported, or merged, may have a ticket that is older than the row.
      least(c.created_at, (select t.created_at from ticket t where t.contact_id = c.id order by t.id limit 1)) as "createdAt",
      coalesce((select array_agg(i.value order by i.created_at) from contact_identity i where i.contact_id = c.id and i.kind in ('pn', 'former')), '{}') as numbers,
      coalesce((select json_agg(json_build_object('id', g.id, 'name', g.name, 'color', g.color) order by g.name) from contact_tag ct join tag g on g.id = ct.tag_id where ct.contact_id = c.id), '[]'::json) as tags,
      coalesce((select json_agg(json_build_object('queueId', r.queue_id, 'userId', r.user_id) order by r.queue_id) from contact_redirect r where r.contact_id = c.id), '[]'::json) as redirect
    from contact c where c.id = any(${[...ids]}::int[])`
  return sortByIds(ids, rows).map(row => ({
    ...row,
    queueIds: row.redirect.map(({ queueId }) => queueId),
    userIds: [...new Set(row.redirect.map(({ userId }) => userId))].sort((one, other) => one - other),
  }))
}

/** Tells everybody that contacts changed, as they now stand in this transaction. */
export async function publishContactEvents(
  tx: Tx,
  ids: readonly number[],
  action: 'create' | 'update' = 'update',
): Promise<void> {
  const contacts = await loadContacts(tx, [...new Set(ids)])
  await appendEvents(
    tx,
    contacts.map(contact => ({
      event: { event: 'contact', action, version: contact.version, contact },
      audience: { to: 'everyone' },
    })),
  )
}
