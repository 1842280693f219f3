// What a merge by hand moved goes back to whom it was of; what somebody changed since stays as it is.
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { toJsonbText } from '../../platform/database/storable.ts'
import type { MergeSnapshot } from './table.ts'

interface Merge {
  readonly intoId: number
  readonly fromId: number
  readonly before: MergeSnapshot
}

/** Both contacts, the merge and its tickets are locked. */
export async function putBack(tx: Tx, merge: Merge): Promise<void> {
  await putBackTickets(tx, merge)
  await putBackLists(tx, merge)
  await putBackChannels(tx, merge)
  await putBackFields(tx, merge)
}

/** The tickets, with all that was said and given in them, since too. */
async function putBackTickets(tx: Tx, { intoId, fromId, before }: Merge): Promise<void> {
  const sql = getSql(tx)
  const tickets = sql`${[...before.ticketIds]}::int[]`
  await sql`
    update outbox o set contact_id = ${fromId} from message m
    where m.id = o.message_id and m.ticket_id = any(${tickets}) and o.contact_id = ${intoId}`
  await sql`
    update message set contact_id = ${fromId}, author_id = case when author_id = ${intoId} then ${fromId} else author_id end
    where ticket_id = any(${tickets}) and contact_id = ${intoId}`
  await sql`
    update message m set provider_id = r."providerId" from jsonb_to_recordset(${toJsonbText(before.repeats)}::text::jsonb) as r(id bigint, "providerId" text)
    where m.id = r.id and m.provider_id is null and m.contact_id = ${fromId}`
  await sql`update protocol set contact_id = ${fromId} where ticket_id = any(${tickets}) and contact_id = ${intoId}`
  await sql`update rating set contact_id = ${fromId} where ticket_id = any(${tickets}) and contact_id = ${intoId}`
  await sql`
    update ticket set contact_id = ${fromId}, updated_at = now(), version = version + 1
    where id = any(${tickets}) and contact_id = ${intoId}`
  // Until when one may write in a live one of the first contact is told anew.
  await sql`update ticket set version = version + 1 where contact_id = ${intoId} and status <> 'closed'`
}

/** Names, tags, people of its own, schedules and entries in sends. What is gone meanwhile stays gone. */
async function putBackLists(tx: Tx, { intoId, fromId, before }: Merge): Promise<void> {
  const sql = getSql(tx)
  const { kept } = before
  const names = sql`jsonb_to_recordset(${toJsonbText(before.names)}::text::jsonb) as n(kind text, value text)`
  // A number that was left since is a former one of the contact that had it.
  await sql`
    update contact_identity i set contact_id = ${fromId} from ${names}
    where i.contact_id = ${intoId} and i.value = n.value and (i.kind = n.kind or i.kind = 'former' and n.kind = 'pn')`
  const doubted = [...(before.doubted ?? [])]
  if (doubted.length > 0)
    await sql`
      update contact_identity set is_proven = true
      where contact_id in (${intoId}, ${fromId}) and kind = 'pn' and value = any(${doubted}::text[])`
  const tags = without(before.tagIds, kept.tagIds)
  await sql`
    insert into contact_tag (contact_id, tag_id) select ${fromId}, id from tag where id = any(${[...before.tagIds]}::int[])
    on conflict do nothing`
  await sql`delete from contact_tag where contact_id = ${intoId} and tag_id = any(${tags}::int[])`
  const redirect = toJsonbText(before.redirect)
  await sql`
    insert into contact_redirect (contact_id, queue_id, user_id) select ${fromId}, q.id, u.id
    from jsonb_to_recordset(${redirect}::text::jsonb) as r("queueId" int, "userId" int)
      join queue q on q.id = r."queueId" join "user" u on u.id = r."userId" and u.deleted_at is null on conflict do nothing`
  await sql`
    delete from contact_redirect c using jsonb_to_recordset(${redirect}::text::jsonb) as r("queueId" int, "userId" int)
    where c.contact_id = ${intoId} and c.queue_id = r."queueId" and c.user_id = r."userId" and c.queue_id <> all(${[...kept.queueIds]}::int[])`
  const schedules = without(before.scheduleIds, kept.scheduleIds)
  await sql`
    insert into schedule_contact (schedule_id, contact_id) select id, ${fromId} from schedule where id = any(${[...before.scheduleIds]}::int[])
    on conflict do nothing`
  await sql`delete from schedule_contact where contact_id = ${intoId} and schedule_id = any(${schedules}::int[])`
  await sql`
    update send_recipient set contact_id = ${fromId} where id = any(${[...before.recipientIds]}::bigint[]) and contact_id = ${intoId}`
  // Into a send that is over nobody comes any more.
  await sql`
    insert into send_recipient (send_id, contact_id, state, reason, ticket_id, message_id, at)
    select s.id, g."contactId", case when isnt.open then 'excluded' else g.state end, case when isnt.open then 'merged' else g.reason end,
      (select id from ticket where id = g."ticketId"), g."messageId", g.at
    from jsonb_to_recordset(${toJsonbText(before.recipientsGone)}::text::jsonb)
        as g("sendId" int, "contactId" int, state text, reason text, "ticketId" int, "messageId" bigint, at timestamptz)
      join send s on s.id = g."sendId",
      lateral (select g.state = 'waiting' and s.state not in ('calculating', 'waiting', 'running', 'paused') as open) isnt
    on conflict do nothing`
  await sql`update contact set merged_into = ${fromId} where merged_into = ${intoId} and id = any(${[...before.mergedIds]}::int[])`
}

/** The address on each connection, and when it last wrote: by whose address it is. */
async function putBackChannels(tx: Tx, { intoId, fromId, before }: Merge): Promise<void> {
  const sql = getSql(tx)
  const columns = sql`("whatsappId" int, jid text, "lastInboundAt" timestamptz, "greetedAt" timestamptz, timer int)`
  const theirs = sql`jsonb_to_recordset(${toJsonbText(before.channels)}::text::jsonb) as t${columns}`
  const own = sql`jsonb_to_recordset(${toJsonbText(before.kept.channels)}::text::jsonb) as o${columns}`
  await sql`
    insert into contact_channel (contact_id, whatsapp_id, jid, last_inbound_at, greeted_at, timer)
    select ${fromId}, t."whatsappId", t.jid, case when c.jid = t.jid then greatest(t."lastInboundAt", c.last_inbound_at) else t."lastInboundAt" end,
      t."greetedAt", t.timer
    from ${theirs} join whatsapp w on w.id = t."whatsappId"
      left join contact_channel c on c.contact_id = ${intoId} and c.whatsapp_id = t."whatsappId"
    on conflict do nothing`
  await sql`
    update contact_channel c set jid = o.jid, jid_at = null, last_inbound_at = o."lastInboundAt", greeted_at = o."greetedAt",
      timer = case when c.timer is not distinct from t.timer then o.timer else c.timer end
    from ${theirs} join ${own} on o."whatsappId" = t."whatsappId"
    where c.contact_id = ${intoId} and c.whatsapp_id = t."whatsappId"
      and (c.jid = t.jid or c.last_inbound_at is not distinct from greatest(t."lastInboundAt", o."lastInboundAt"))`
  await sql`
    delete from contact_channel c using ${theirs}
    where c.contact_id = ${intoId} and c.whatsapp_id = t."whatsappId" and c.jid = t.jid
      and c.whatsapp_id <> all(${before.kept.channels.map(({ whatsappId }) => whatsappId)}::int[])`
}

/** What the merge filled in is as it was, unless it says something else by now. */
async function putBackFields(tx: Tx, { intoId, fromId, before }: Merge): Promise<void> {
  const sql = getSql(tx)
  const fields = `${toJsonbText(before.fields)}`
  const after = `${toJsonbText(before.after)}`
  // Who opted out while they were one may have been either.
  await sql`
    update contact c set opted_out_at = coalesce(c.opted_out_at, i.opted_out_at), sends_said_at = greatest(c.sends_said_at, i.sends_said_at)
    from contact i, jsonb_to_record(${after}::text::jsonb) as a("optedOutAt" timestamptz, "sendsSaidAt" timestamptz)
    where c.id = ${fromId} and i.id = ${intoId} and i.opted_out_at is not null
      and (i.opted_out_at, i.sends_said_at) is distinct from (a."optedOutAt", a."sendsSaidAt")`
  await sql`
    update contact c set
      name = case when c.name = a.name then b.name else c.name end,
      name_source = case when c.name = a.name then b."nameSource" else c.name_source end,
      number = case when c.number is not distinct from a.number then b.number else c.number end,
      email = case when c.email = a.email then b.email else c.email end,
      profile_pic_url = case when c.profile_pic_url is not distinct from a."profilePicUrl" then b."profilePicUrl" else c.profile_pic_url end,
      resposta_automatica = case when c.resposta_automatica = a."respostaAutomatica" then b."respostaAutomatica" else c.resposta_automatica end,
      extra_info = case when c.extra_info = a."extraInfo" then b."extraInfo" else c.extra_info end,
      opted_out_at = case when c.opted_out_at is not distinct from a."optedOutAt" then b."optedOutAt" else c.opted_out_at end,
      sends_said_at = case when c.sends_said_at is not distinct from a."sendsSaidAt" then b."sendsSaidAt" else c.sends_said_at end,
      updated_at = now(), version = c.version + 1
    from jsonb_to_record(${fields}::text::jsonb) as b(name text, "nameSource" text, number text, email text, "profilePicUrl" text,
        "respostaAutomatica" boolean, "extraInfo" jsonb, "optedOutAt" timestamptz, "sendsSaidAt" timestamptz),
      jsonb_to_record(${after}::text::jsonb) as a(name text, number text, email text, "profilePicUrl" text,
        "respostaAutomatica" boolean, "extraInfo" jsonb, "optedOutAt" timestamptz, "sendsSaidAt" timestamptz)
    where c.id = ${intoId}`
  await sql`
    update contact c set merged_into = null, updated_at = now(), version = c.version + 1,
      number = case when exists (select 1 from contact_identity i where i.contact_id = c.id and i.kind = 'pn' and i.value = c.number) then c.number
        else (select i.value from contact_identity i where i.contact_id = c.id and i.kind = 'pn' order by i.created_at, length(i.value) desc limit 1) end
    where c.id = ${fromId}`
}

function without(ids: readonly number[], others: readonly number[]): number[] {
  return ids.filter(id => !others.includes(id))
}
