// Two contacts turned out to be one person: everything of one goes to the other, whose id stays.
import { eq } from 'drizzle-orm'
import type { Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { appendEvent } from '../../platform/live/append.ts'
import { loadFacts } from '../../policy/access/ticket-facts.ts'
import { writeLog } from '../../policy/log/write.ts'
import { publishMessageDeletion, publishMessageEvents } from '../messages/present.ts'
import { publishTicketUpdates } from '../tickets/present.ts'
import { joinLiveTickets } from './live-tickets.ts'
import { contactIdentities } from './table.ts'

/** More than so many pieces of information no form takes. */
const MOST_INFO = 50

/** From so many messages on it counts who has more of them; no more than so many are counted. */
const [LONG_HISTORY, COUNTED] = [1000, 50_000]

/**
 * Contacts that are one person, the one that stays first: the oldest, but for one with a long history. The messages of the others are written
 * anew in one transaction, for which every live reader waits.
 */
export async function orderByHistory(tx: Tx, ids: readonly number[]): Promise<number[]> {
  if (ids.length < 2) return [...ids]
  const rows = await getSql(tx)<{ id: number }[]>`
    select c.id from unnest(${[...ids]}::int[]) c(id) cross join lateral (
      select count(*) as n from (select from message m where m.contact_id = c.id limit ${COUNTED}) m) history
    order by case when n >= ${LONG_HISTORY} then n else 0 end desc, c.id`
  return toIds(rows)
}

/**
 * Moves names, tags, tickets and messages of `from` to `into`, inside the caller's transaction. If both have a live ticket on one
 * connection, the younger one goes on in the older one: there can be only one. Old numbers stay findable: names only move.
 * `userId`: who says that they are one; nobody, where the provider told.
 */
export async function mergeContacts(tx: Tx, into: number, from: number, userId: number | null = null): Promise<void> {
  const sql = getSql(tx)
  await sql`select 1 from contact where id in (${into}, ${from}) order by id for no key update`
  const { kind, value } = contactIdentities
  const names = await tx.select({ kind, value }).from(contactIdentities).where(eq(contactIdentities.contactId, from))
  await sql`update contact_identity set contact_id = ${into} where contact_id = ${from}`
  await sql`insert into contact_tag (contact_id, tag_id) select ${into}, tag_id from contact_tag where contact_id = ${from} on conflict do nothing`
  await sql`delete from contact_tag where contact_id = ${from}`
  await sql`insert into contact_redirect (contact_id, queue_id, user_id) select ${into}, queue_id, user_id from contact_redirect where contact_id = ${from} on conflict do nothing`
  await sql`delete from contact_redirect where contact_id = ${from}`
  await sql`insert into schedule_contact (schedule_id, contact_id) select schedule_id, ${into} from schedule_contact where contact_id = ${from} on conflict do nothing`
  await sql`delete from schedule_contact where contact_id = ${from}`
  // Of two entries in one send the one that was seen to stays: nobody gets it twice.
  await sql`
    delete from send_recipient r using send_recipient k
    where k.send_id = r.send_id and r.contact_id in (${into}, ${from}) and k.contact_id in (${into}, ${from}) and k.id <> r.id
      and (r.state = 'waiting' and k.state <> 'waiting' or r.contact_id = ${from} and (r.state = 'waiting') = (k.state = 'waiting'))`
  await sql`update send_recipient set contact_id = ${into} where contact_id = ${from}`
  // The address that was heard of last counts, with its timer.
  const isNewer = sql`coalesce(excluded.jid_at, excluded.last_inbound_at) > coalesce(contact_channel.jid_at, contact_channel.last_inbound_at, '-infinity')`
  await sql`
    insert into contact_channel (contact_id, whatsapp_id, jid, jid_at, timer, last_inbound_at, greeted_at)
    select ${into}, whatsapp_id, jid, jid_at, timer, last_inbound_at, greeted_at from contact_channel where contact_id = ${from}
    on conflict (contact_id, whatsapp_id) do update set
      jid = case when ${isNewer} then excluded.jid else contact_channel.jid end,
      timer = case when ${isNewer} then coalesce(excluded.timer, contact_channel.timer) else coalesce(contact_channel.timer, excluded.timer) end,
      jid_at = greatest(contact_channel.jid_at, excluded.jid_at),
      last_inbound_at = greatest(contact_channel.last_inbound_at, excluded.last_inbound_at),
      greeted_at = greatest(contact_channel.greeted_at, excluded.greeted_at)`
  await sql`delete from contact_channel where contact_id = ${from}`
  await sql`select 1 from ticket where contact_id = ${from} or (contact_id = ${into} and status <> 'closed') order by id for update`
  await sql`update outbox set contact_id = ${into} where contact_id = ${from}`
  const carriedOver = await joinLiveTickets(tx, into, from)
  await dropRepeats(tx, into, from)
  await joinQuotes(tx, into, from)
  await joinQuotes(tx, from, into)
  await sql`
    update message set contact_id = ${into}, author_id = case when author_id = ${from} then ${into} else author_id end
    where contact_id = ${from}`
  await publishMessageEvents(tx, carriedOver, 'create')
  await sql`update protocol set contact_id = ${into} where contact_id = ${from}`
  await sql`update rating set contact_id = ${into} where contact_id = ${from}`
  // Until when one may write in a live one may have become later.
  const moved = await sql<{ id: number }[]>`
    update ticket set contact_id = ${into}, version = version + 1
    where contact_id = ${from} or (contact_id = ${into} and status <> 'closed') returning id`
  await sql`
    update contact c set
      name = case when c.name = '' or (f.name_source = 'manual' and c.name_source <> 'manual') then f.name else c.name end,
      name_source = case when c.name = '' or f.name_source = 'manual' then f.name_source else c.name_source end,
      number = coalesce(c.number, f.number), email = case when c.email = '' then f.email else c.email end,
      resposta_automatica = c.resposta_automatica and f.resposta_automatica,
      extra_info = (select coalesce(jsonb_agg(e.info order by e.at), '[]') from (
        select info, at from jsonb_array_elements(c.extra_info) with ordinality own(info, at)
        union all select info, 1000 + at from jsonb_array_elements(f.extra_info) with ordinality other(info, at)
          where not exists (select 1 from jsonb_array_elements(c.extra_info) known where f_norm(known->>'name') = f_norm(info->>'name'))
        order by at limit ${MOST_INFO}) e),
      profile_pic_url = coalesce(c.profile_pic_url, f.profile_pic_url), opted_out_at = coalesce(c.opted_out_at, f.opted_out_at),
      sends_said_at = greatest(c.sends_said_at, f.sends_said_at), updated_at = now(), version = c.version + 1
    from contact f where c.id = ${into} and f.id = ${from}`
  const [gone] = await sql<{ version: number }[]>`
    update contact set merged_into = ${into}, version = version + 1 where id = ${from} returning version::int`
  // Who asks for one that had been merged into this one finds the survivor in one step.
  await sql`update contact set merged_into = ${into} where merged_into = ${from}`
  await writeLog(tx, { action: 'contact.merge', params: { from, names }, userId, contactId: into })
  await publishTicketUpdates(tx, moved)
  const reference = { contactId: from, mergedInto: into }
  await appendEvent(
    tx,
    { to: 'everyone' },
    { event: 'contact', action: 'delete', version: gone?.version ?? 1, ...reference },
  )
}

/** An answer may have stood with one of them, and what it quotes with the other. */
async function joinQuotes(tx: Tx, answering: number, quoted: number): Promise<void> {
  await getSql(tx)`
    update message m set quoted_id = q.id, quote = null, version = m.version + 1 from message q
    where m.contact_id = ${answering} and m.quote is not null and q.contact_id = ${quoted} and q.whatsapp_id = m.whatsapp_id and q.provider_id = m.quote->>'id'`
}

/** A message that both had (the same provider id) stays once. */
async function dropRepeats(tx: Tx, into: number, from: number): Promise<void> {
  const repeats = await getSql(tx)<{ id: string; ticket_id: number; version: string }[]>`
    delete from message m using message k
    where m.contact_id = ${from} and k.contact_id = ${into} and m.whatsapp_id = k.whatsapp_id and m.provider_id = k.provider_id
    returning m.id, m.ticket_id, m.version`
  const facts = await loadFacts(tx, [...new Set(repeats.map(row => row.ticket_id))])
  for (const row of repeats) {
    const seenBy = facts.get(row.ticket_id)
    const message = { id: Number(row.id), ticketId: row.ticket_id, version: Number(row.version) + 1 }
    if (seenBy) await publishMessageDeletion(tx, message, seenBy)
  }
}
