// Names, groups and the ties between a person's addresses.
import { formatPhone } from '@balcao/contract'
import {
  cleanName,
  findKnownContact,
  moveKnownContact,
  type ResolvedContact,
  updateKnownContact,
} from '../../desk/contacts/identity.ts'
import { publishContactEvents } from '../../desk/contacts/present.ts'
import { findUnchangedContacts } from '../../desk/contacts/unchanged.ts'
import { composeLine, type SystemLine, writeLine } from '../../desk/messages/system-lines.ts'
import { updatePhoneBook } from '../../desk/phone-book/book.ts'
import { publishTicketEvents } from '../../desk/tickets/present.ts'
import type { ChannelEvent, Peer, PersonNames } from '../../platform/channel/driver.ts'
import { getSql } from '../../platform/database/raw.ts'
import type { InboxBatch } from './batch.ts'

/** Two addresses are known to be one person: their contacts become one, if there are any. */
export async function applyIdentities(
  receiving: InboxBatch,
  identities: readonly Extract<ChannelEvent, { type: 'identity' }>[],
): Promise<void> {
  const peers = identities.map(toPeer)
  const familiar = await findUnchangedContacts(
    receiving.tx,
    peers.map(peer => ({ peer, hint: {} })),
  )
  for (const [at, peer] of peers.entries())
    if (familiar[at] === null) await tell(receiving, await updateKnownContact(receiving.tx, peer))
}

/** Somebody has another number, or another name at the provider. */
export async function applyMove(
  receiving: InboxBatch,
  { from, to, at }: Extract<ChannelEvent, { type: 'moved' }>,
): Promise<void> {
  const { tx } = receiving
  const resolved = await moveKnownContact(tx, toPeer(from), toPeer(to), at)
  await tell(receiving, resolved)
  if (!resolved || !to.pn || to.pn === from.pn) return
  const number = formatPhone(to.pn)
  await writeInLatest(receiving, resolved.id, composeLine('moved', { number }))
}

/** A line in the live conversation with a contact, or in its last one. */
async function writeInLatest({ tx, connection }: InboxBatch, contactId: number, line: SystemLine): Promise<void> {
  const [ticket] = await getSql(tx)<{ id: number }[]>`
    select id from ticket where contact_id = ${contactId} and whatsapp_id = ${connection.id} order by (status = 'closed'), id desc limit 1`
  if (!ticket) return
  await writeLine(tx, ticket.id, null, line)
  await publishTicketEvents(tx, [{ ticketId: ticket.id, action: 'update' }])
}

/**
 * Whether somebody takes advertising is for who sends it; what he said last counts, of two words within a second the refusal. Who never wrote is
 * nobody we know.
 */
export async function applyPreference(
  { tx }: InboxBatch,
  { person, advertising, at }: Extract<ChannelEvent, { type: 'preference' }>,
): Promise<void> {
  const id = await findKnownContact(tx, person)
  if (id === null) return
  const reportedAt = new Date(at).toISOString()
  const sql = getSql(tx)
  const changed = await sql`
    update contact set opted_out_at = ${advertising ? null : sql`coalesce(opted_out_at, ${reportedAt})`}, sends_said_at = ${reportedAt},
      updated_at = now(), version = version + 1
    where id = ${id} and (coalesce(sends_said_at, '-infinity') < ${reportedAt} or ${!advertising} and sends_said_at = ${reportedAt}
      and opted_out_at is null) returning 1`
  if (changed.length > 0) await publishContactEvents(tx, [id])
}

/** After how long the messages of a chat vanish: ours have to, too. What was set last counts. */
export async function applyTimer(
  { tx, connection }: InboxBatch,
  { chat, seconds, at }: Extract<ChannelEvent, { type: 'timer' }>,
): Promise<void> {
  const id = await findKnownContact(tx, chat)
  if (id === null) return
  await getSql(tx)`
    insert into contact_channel as c (contact_id, whatsapp_id, jid, jid_at, timer)
    values (${id}, ${connection.id}, ${chat.jid}, ${new Date(at).toISOString()}, ${seconds})
    on conflict (contact_id, whatsapp_id) do update set jid = excluded.jid, jid_at = excluded.jid_at, timer = excluded.timer
    where excluded.jid_at >= date_trunc('second', coalesce(c.jid_at, c.last_inbound_at, '-infinity'))`
}

/** A name from the phone's contact book or the person's own; contacts are not made for it. */
export async function applyContact(
  receiving: InboxBatch,
  event: Extract<ChannelEvent, { type: 'contact' }>,
): Promise<void> {
  const { tx, connection } = receiving
  if (event.source === 'phone') await updatePhoneBook(tx, connection.id, event.peer, event.name)
  if (!event.name) return forgetName(receiving, event.peer)
  const hint = { name: event.name, source: event.source }
  await tell(receiving, await updateKnownContact(receiving.tx, event.peer, hint))
}

/** Taken out of the phone's book: what somebody calls himself counts again. */
async function forgetName({ tx }: InboxBatch, peer: Peer): Promise<void> {
  const id = await findKnownContact(tx, peer)
  if (id !== null) await getSql(tx)`update contact set name_source = 'none' where id = ${id} and name_source = 'phone'`
}

async function tell(receiving: InboxBatch, resolved: ResolvedContact | null): Promise<void> {
  if (resolved?.changed) await publishContactEvents(receiving.tx, [resolved.id])
}

/** A person by all names told. */
export function toPeer({ pn, lid, bsuid }: PersonNames): Peer {
  return {
    jid: pn ?? lid ?? bsuid ?? '',
    group: false,
    ...(pn && { pn }),
    ...(lid && { lid }),
    ...(bsuid && { bsuid }),
  }
}

export async function applyGroup(
  receiving: InboxBatch,
  event: Extract<ChannelEvent, { type: 'group' }>,
): Promise<void> {
  if (!event.subject) return
  const rows = await getSql(receiving.tx)<{ id: number }[]>`
    update contact c set name = ${cleanName(event.subject)}, name_source = 'push', updated_at = now(), version = version + 1
    from contact_identity i where i.kind = 'group' and i.value = ${event.jid} and c.id = i.contact_id and c.name_source <> 'manual' and c.name <> ${cleanName(event.subject)} returning c.id`
  if (rows.length > 0)
    await publishContactEvents(
      receiving.tx,
      rows.map(row => row.id),
    )
}

const OUT: SystemLine = composeLine('groupLeft')
const IN_AGAIN: SystemLine = composeLine('groupJoined')

/** Who is not in a group cannot write there: the conversation says so, and its composer. What was told last counts. */
export async function applyMembership(
  receiving: InboxBatch,
  { group, isMember, at }: Extract<ChannelEvent, { type: 'membership' }>,
): Promise<void> {
  const { tx, connection } = receiving
  const id = await findKnownContact(tx, group)
  if (id === null) return
  const sql = getSql(tx)
  const own = sql`contact_id = ${id} and whatsapp_id = ${connection.id}`
  const [before] = await sql<
    { isOut: boolean }[]
  >`select is_out as "isOut" from contact_channel where ${own} for update`
  const reportedAt = new Date(at).toISOString()
  const changed = await sql`
    insert into contact_channel as c (contact_id, whatsapp_id, jid, is_out, membership_at)
    values (${id}, ${connection.id}, ${group.jid}, ${!isMember}, ${reportedAt})
    on conflict (contact_id, whatsapp_id) do update set is_out = excluded.is_out, membership_at = excluded.membership_at
    where excluded.membership_at >= coalesce(c.membership_at, '-infinity') returning 1`
  if (changed.length === 0 || (before?.isOut ?? false) === !isMember) return
  await writeInLatest(receiving, id, isMember ? IN_AGAIN : OUT)
}
