// Edits, deletions and reactions: they name a message, which may come after them; then they wait for it.
import { getCardMediaType, type MessageCard, type MessageDetails } from '@balcao/contract'
import { findKnownContact, findPersonNames } from '../../desk/contacts/identity.ts'
import { refreshLastMessage } from '../../desk/messages/last-message.ts'
import { publishMessageEvents } from '../../desk/messages/present.ts'
import { formatMessagePreview } from '../../desk/messages/preview.ts'
import type { StoredReaction } from '../../desk/messages/table.ts'
import { type ChannelEvent, UNREADABLE } from '../../platform/channel/driver.ts'
import { getSql } from '../../platform/database/raw.ts'
import { toJsonbText, toStorableText } from '../../platform/database/storable.ts'
import { applyAcks } from './acks.ts'
import type { InboxBatch, Named } from './batch.ts'
import { classifyFault, toFaultReason } from './faults.ts'
import { resolveMentionNames } from './mentions.ts'
import { linkQuotes, type QuoteLink } from './quotes.ts'
import { openSealedEdit } from './sealed.ts'
import { applyUnreadable } from './unreadable.ts'

export type ChangeEvent = Extract<ChannelEvent, { type: 'edit' | 'revoke' | 'reaction' }>

/** Applies a change to its message, or lets it wait for the message. What names a message of somebody else changes nothing. */
export async function applyChange(receiving: InboxBatch, change: ChangeEvent, key: string | null): Promise<void> {
  const sql = getSql(receiving.tx)
  const found = await messagesNamed(receiving, change.ref.id)
  const chat = found.length > 0 ? await findKnownContact(receiving.tx, change.chat) : null
  const here = found.filter(message => message.contact_id === chat)
  const id = await findChangeTarget(receiving, change, here)
  if (id === null) {
    // Nothing readable has this id in its chat yet.
    if (here.every(message => message.is_card))
      await sql`update raw_event set waits_for = ${change.ref.id} where whatsapp_id = ${receiving.connection.id} and key = ${key ?? ''}`
    return
  }
  await sql`select 1 from ticket where id = (select ticket_id from message where id = ${id}) for update`
  const changed = await changeMessage(receiving, id, change)
  if (!changed) return
  await publishMessageEvents(receiving.tx, [id], 'update')
  await refreshLastMessage(receiving.tx, [id], changed === true ? undefined : changed.preview)
}

interface ChangedMessage {
  readonly id: string
  readonly contact_id: number
  readonly from_me: boolean
  readonly author_id: number | null
  readonly author_jid: string | null
  readonly is_card: boolean
}

/** The messages a provider id names: anybody may give his message an id that another one has. */
async function messagesNamed({ tx, connection }: InboxBatch, providerId: string): Promise<readonly ChangedMessage[]> {
  return getSql(tx)<ChangedMessage[]>`
    select m.id, m.contact_id, m.from_me, coalesce(a.merged_into, a.id) as author_id, m.author_jid,
      m.media_type = 'unknown' and m.body = ${UNREADABLE} as is_card
    from message m left join contact a on a.id = m.author_id
    where m.whatsapp_id = ${connection.id} and m.provider_id = ${providerId} order by m.id desc`
}

/** The one of a chat this change may touch: for an edit something readable, and except for reactions its author's own. */
async function findChangeTarget(
  receiving: InboxBatch,
  change: ChangeEvent,
  here: readonly ChangedMessage[],
): Promise<number | null> {
  if (change.type === 'reaction') return toMessageId(here[0])
  const side = here.filter(
    message => message.from_me === change.ref.fromMe && !(change.type === 'edit' && message.is_card),
  )
  if (!change.chat.group || change.ref.fromMe) return toMessageId(side[0])
  const { by } = change
  if (!by) return null
  const author = await findKnownContact(receiving.tx, by)
  return toMessageId(
    side.find(message => (author !== null && message.author_id === author) || message.author_jid === by.jid),
  )
}

function toMessageId(message: ChangedMessage | undefined): number | null {
  return message ? Number(message.id) : null
}

interface Content {
  readonly body: string
  readonly is_deleted: boolean
  readonly edited_at: string | null
  readonly reactions: readonly StoredReaction[]
  readonly details: MessageDetails | null
}

/** Whether a message changed, and what lists show of a card that did; false when it was so already. */
type Changed = boolean | { readonly preview: string }

async function changeMessage(receiving: InboxBatch, id: number, change: ChangeEvent): Promise<Changed> {
  const sql = getSql(receiving.tx)
  const [now] = await sql<
    Content[]
  >`select body, is_deleted, edited_at, reactions, details from message where id = ${id} for update`
  if (!now) return false
  switch (change.type) {
    case 'edit': {
      const [named = change] = await resolveMentionNames<Named<typeof change>>(receiving, [
        await openSealedEdit(receiving, id, change),
      ])
      return edit(receiving, id, now, named)
    }
    case 'revoke':
      await sql`update message set is_deleted = true, version = version + 1 where id = ${id} and not is_deleted`
      return !now.is_deleted
    case 'reaction': {
      const reactions = await reacted(receiving, now.reactions, change)
      if (!reactions) return false
      const { stored, isSeen } = reactions
      await sql`
        update message set reactions = ${toJsonbText(stored)}::text::jsonb, version = version + ${isSeen ? 1 : 0} where id = ${id}`
      return isSeen
    }
  }
}

/**
 * Of two edits the later one counts, whichever came first. As in edits of our own `editedMsg` is what it said before. A card says what
 * the edit says, never what it said before; what is none becomes none.
 */
async function edit(
  { tx }: InboxBatch,
  id: number,
  now: Content,
  { body, at, details, memberMentions }: Named<Extract<ChangeEvent, { type: 'edit' }>>,
): Promise<Changed> {
  const sql = getSql(tx)
  if (now.is_deleted || (now.edited_at !== null && Date.parse(now.edited_at) > at)) return false
  await sql`update message set edited_at = ${new Date(at).toISOString()} where id = ${id}`
  if (body === null) {
    await sql`
      update message set is_edited = true, details = coalesce(details, '{}') || '{"hiddenEdit":true}', version = version + 1 where id = ${id}`
    return true
  }
  const text = toStorableText(body)
  const card: MessageCard | undefined = now.details?.card && (details?.card ?? { kind: 'actions', text, buttons: [] })
  if (text === now.body && !(card && details)) return false
  await sql`insert into message_edit (message_id, body) values (${id}, ${now.body})`
  await sql`
    update message set body = ${text}, member_mentions = ${memberMentions ? toJsonbText(memberMentions) : null}::text::jsonb, is_edited = true, edited_msg = ${now.body}, version = version + 1,
      media_type = coalesce(${card ? getCardMediaType(card) : null}, media_type),
      details = details - 'hiddenEdit' - 'link' || ${toJsonbText(card ? { card } : {})}::text::jsonb where id = ${id}`
  return (
    !card || { preview: formatMessagePreview({ body: text, mediaType: getCardMediaType(card), details: { card } }) }
  )
}

/** Everybody has one reaction a message, the company too, or took it back: of two the later one counts, in whatever order they come. Null: nothing is new. */
async function reacted(
  receiving: InboxBatch,
  before: readonly StoredReaction[],
  change: Extract<ChangeEvent, { type: 'reaction' }>,
): Promise<{ stored: StoredReaction[]; isSeen: boolean } | null> {
  const { by, fromMe, emoji, at } = change
  const person = fromMe ? null : await findPersonNames(receiving.tx, by)
  const name = fromMe ? 'me' : (change.name ?? by.pn ?? by.jid.replace(/@.*/, ''))
  // What was given before persons were kept is known by the name alone; outside of groups there is one customer.
  const isTheirs = (one: StoredReaction) =>
    one.fromMe === fromMe &&
    (person === null ||
      !change.chat.group ||
      (one.person === undefined ? one.by === name : person.names.has(one.person)))
  const mine = before.filter(isTheirs)
  if (mine.some(one => (one.at ?? 0) > at)) return null
  const others = before.filter(one => !isTheirs(one))
  const shown = mine.filter(one => one.emoji !== '')
  const isSeen = shown.length !== (emoji === '' ? 0 : 1) || shown.some(one => one.emoji !== emoji)
  return { stored: [...others, { by: name, fromMe, emoji, ...(person && { person: person.name }), at }], isSeen }
}

/**
 * Applies what waited for messages that have just been stored, in the order in which it was done; ties in the order it came. Answers
 * that waited for them find them.
 */
export async function applyWaiting(receiving: InboxBatch, providerIds: readonly string[]): Promise<void> {
  if (providerIds.length === 0) return
  const { id } = receiving.connection
  const ids = [...providerIds]
  const rows = await getSql(receiving.tx)<{ key: string | null; payload: string | null; found: QuoteLink | null }[]>`
    with due as (
      update raw_event set waits_for = null
      where whatsapp_id = ${id} and waits_for = any(${ids}::text[]) returning key, payload, received_at),
    quoting as (
      select m.id, m.ticket_id, q.id as quoted_id from message m
        join message q on q.whatsapp_id = ${id} and q.contact_id = m.contact_id and q.provider_id = m.quote->>'id' and q.id <> m.id
      where m.whatsapp_id = ${id} and m.quote is not null and m.quote->>'id' = any(${ids}::text[]))
    select key, payload, received_at, null::json as found from due
    union all select null, null, null, json_build_object('id', id, 'ticketId', ticket_id, 'quotedId', quoted_id) from quoting
    order by received_at, key`
  await linkQuotes(
    receiving,
    rows.flatMap(({ found }) => found ?? []),
  )
  const waited = rows.flatMap(({ key, payload }): { key: string; event: ChannelEvent }[] =>
    key === null || payload === null ? [] : [{ key, event: JSON.parse(payload) }],
  )
  for (const { key, event } of waited.toSorted((a, b) => getChangeTime(a.event) - getChangeTime(b.event))) {
    try {
      await receiving.tx.transaction(tx => applyWaited({ ...receiving, tx }, event, key))
    } catch (error) {
      // Its message is none the worse for it.
      if (classifyFault(error) !== 'lasting') throw error
      await getSql(receiving.tx)`
        update raw_event set error = ${toFaultReason(error)} where whatsapp_id = ${receiving.connection.id} and key = ${key}`
    }
  }
}

async function applyWaited(receiving: InboxBatch, event: ChannelEvent, key: string): Promise<void> {
  if (event.type === 'ack') await applyAcks(receiving, [event])
  else if (event.type === 'unreadable') await applyUnreadable(receiving, event, key)
  else if (event.type === 'edit' || event.type === 'revoke' || event.type === 'reaction')
    await applyChange(receiving, event, key)
}

function getChangeTime(event: ChannelEvent): number {
  return 'at' in event ? (event.at ?? 0) : 0
}
