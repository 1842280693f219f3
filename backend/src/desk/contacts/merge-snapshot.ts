// How two contacts stand, in one look, before a person makes them one.
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import type { MergedFields, MergeSnapshot } from './table.ts'

/** All of `from` that a merge moves, and what `into` has of the same; both are locked. What is closed for it the merge itself knows. */
export async function snapshotMerge(
  tx: Tx,
  into: number,
  from: number,
): Promise<Omit<MergeSnapshot, 'after' | 'closed' | 'doubted'>> {
  const sql = getSql(tx)
  const channels = (id: number) => sql`
    (select coalesce(json_agg(json_build_object('whatsappId', whatsapp_id, 'jid', jid, 'lastInboundAt', last_inbound_at,
      'greetedAt', greeted_at, 'timer', timer) order by whatsapp_id), '[]') from contact_channel where contact_id = ${id})`
  const [row] = await sql<
    Omit<MergeSnapshot, 'after' | 'closed' | 'doubted' | 'fields' | 'recipientIds' | 'recipientsGone'>[]
  >`
    select
      (select coalesce(json_agg(json_build_object('kind', kind, 'value', value)), '[]') from contact_identity where contact_id = ${from}) as names,
      coalesce(array(select tag_id from contact_tag where contact_id = ${from}), '{}') as "tagIds\",
      (select coalesce(json_agg(json_build_object('queueId', queue_id, 'userId', user_id)), '[]') from contact_redirect where contact_id = ${from}) as redirect,
      coalesce(array(select schedule_id from schedule_contact where contact_id = ${from}), '{}') as "scheduleIds\",
      ${channels(from)} as channels,
      json_build_object(
        'tagIds', array(select tag_id from contact_tag where contact_id = ${into}),
        'queueIds', array(select queue_id from contact_redirect where contact_id = ${into}),
        'scheduleIds', array(select schedule_id from schedule_contact where contact_id = ${into}),
        'channels', ${channels(into)}) as kept,
      coalesce(array(select id from ticket where contact_id = ${from} order by id), '{}') as "ticketIds\",
      (select coalesce(json_agg(json_build_object('id', m.id, 'providerId', m.provider_id)), '[]') from message m join message k
        on k.contact_id = ${into} and k.whatsapp_id = m.whatsapp_id and k.provider_id = m.provider_id where m.contact_id = ${from}) as repeats,
      coalesce(array(select id from contact where merged_into = ${from}), '{}') as "mergedIds\"`
  if (!row) throw new Error('Nothing is known of two contacts')
  return { ...row, fields: await loadMergedFields(tx, into), ...(await loadRecipients(tx, into, from)) }
}

/** The fields of a contact that a merge may fill. */
export async function loadMergedFields(tx: Tx, id: number): Promise<MergedFields> {
  const [fields] = await getSql(tx)<MergedFields[]>`
    select name, name_source as "nameSource", number, email, profile_pic_url as "profilePicUrl",
      resposta_automatica as "respostaAutomatica", extra_info as "extraInfo", opted_out_at as "optedOutAt", sends_said_at as "sendsSaidAt"
    from contact where id = ${id}`
  if (!fields) throw new Error('There is no such contact')
  return fields
}

/** Entries of `from` in sends; of two in one send one goes, as `mergeContacts` decides. */
async function loadRecipients(
  tx: Tx,
  into: number,
  from: number,
): Promise<Pick<MergeSnapshot, 'recipientIds' | 'recipientsGone'>> {
  const rows = await getSql(tx)<
    { id: number; other: boolean; goes: boolean; entry: MergeSnapshot['recipientsGone'][number] }[]
  >`
    select r.id::float8 as id, r.contact_id = ${into} as other,
      coalesce(k.id is not null and (r.state = 'waiting' and k.state <> 'waiting' or r.contact_id = ${from} and (r.state = 'waiting') = (k.state = 'waiting')), false) as goes,
      json_build_object('sendId', r.send_id, 'contactId', r.contact_id, 'state', r.state, 'reason', r.reason, 'ticketId', r.ticket_id,
        'messageId', r.message_id, 'at', r.at) as entry
    from send_recipient r left join send_recipient k
      on k.send_id = r.send_id and k.contact_id in (${into}, ${from}) and k.id <> r.id
    where r.contact_id = ${from} or r.contact_id = ${into} and k.id is not null
    for update of r`
  return {
    recipientIds: rows.filter(({ other, goes }) => !(other || goes)).map(({ id }) => id),
    recipientsGone: rows.filter(({ goes }) => goes).map(({ entry }) => entry),
  }
}
