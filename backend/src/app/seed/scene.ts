// What stands on the desk of the demo right now: conversations and chats of the last hours and days, told in minutes before now.
import { listPhoneVariants, SETTINGS } from '@balcao/contract'
import { and, eq, sql } from 'drizzle-orm'
import { chatMembers, chatMessages, chats } from '../../desk/chats/table.ts'
import { contactChannels, contactIdentities, contacts } from '../../desk/contacts/table.ts'
import { claimUpload } from '../../desk/media/claim.ts'
import { toMessageFileColumns } from '../../desk/media/to-send.ts'
import { formatMessagePreview } from '../../desk/messages/preview.ts'
import { messages } from '../../desk/messages/table.ts'
import { contactTags } from '../../desk/tags/table.ts'
import { tickets } from '../../desk/tickets/table.ts'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { COMPANY, type SeedChat, type SeedScene, type SeedTicket } from './company.ts'
import type { SeedFiles } from './files.ts'
import { getSeededId, type Ids, type SeededIds } from './rows.ts'

interface Scene extends SeededIds {
  /** By number, a group by its address. */
  readonly contacts: Map<string, { readonly id: number; readonly name: string }>
  readonly files: SeedFiles
}

/** Customers who wrote before are the same contacts. `more`: what this company has besides. */
export async function seedScene(tx: Tx, company: SeededIds, files: SeedFiles, more?: SeedScene): Promise<void> {
  const all = [...COMPANY.tickets, ...(more?.tickets ?? [])]
  const scene: Scene = { ...company, contacts: await findContacts(tx, all), files }
  await closeServed(tx, scene, all)
  for (const ticket of all) await seedTicket(tx, ticket, scene)
  for (const chat of [...COMPANY.chats, ...(more?.chats ?? [])]) await seedChat(tx, chat, scene.users)
  await markWaiting(tx)
}

/** The month before may end while customers of the scene are still served: that is over by now. */
async function closeServed(tx: Tx, { contacts: known }: Scene, all: readonly SeedTicket[]): Promise<void> {
  const ids = all.flatMap(({ number }) => known.get(number ?? '')?.id ?? [])
  await getSql(tx)`
    update ticket set status = 'closed', closed_at = coalesce(last_message_at, created_at), pause_tag = null, unread_messages = 0
    where contact_id = any(${ids}::int[]) and status <> 'closed'`
}

/** Since when customers wait for a person's answer, as the messages have it. */
async function markWaiting(tx: Tx): Promise<void> {
  await getSql(tx)`
    update ticket t set answered_at = said.at,
      answer_since = (select min(m.at) from message m where m.ticket_id = t.id and not m.from_me and m.at > coalesce(said.at, '-infinity'))
    from ticket o left join lateral (
      select max(m.at) as at from message m
      where m.ticket_id = o.id and m.from_me and m.user_id is not null and m.media_type <> 'comment') said on true
    where o.id = t.id and t.status in ('pending', 'open') and not t.is_group`
}

async function findContacts(tx: Tx, all: readonly SeedTicket[]): Promise<Scene['contacts']> {
  const rows = await tx.select({ id: contacts.id, name: contacts.name, number: contacts.number }).from(contacts)
  const there: Scene['contacts'] = new Map()
  for (const { id, name, number } of rows) if (number) there.set(number, { id, name })
  for (const { name, number, email, extraInfo } of all) {
    const known = there.get(number ?? '')
    if (known)
      await tx.update(contacts).set({ name, nameSource: 'manual', email, extraInfo }).where(eq(contacts.id, known.id))
  }
  return there
}

/** To the second, as what providers tell. */
function before(minutes: number) {
  return sql<string>`date_trunc('second', now() - make_interval(mins => ${minutes}))`
}

async function seedTicket(tx: Tx, ticket: SeedTicket, known: Scene): Promise<void> {
  const { status, pauseTag, unread = 0, lines, user, queue, protocol } = ticket
  const whatsappId = known.connections.get(ticket.connection)
  const [first, last] = [lines[0], lines.at(-1)]
  if (whatsappId === undefined || !first || !last) return
  const contact = await findOrSeedContact(tx, ticket, known)
  for (const tag of ticket.tags ?? [])
    await tx
      .insert(contactTags)
      .values({ contactId: contact.id, tagId: getSeededId(known.tags, tag) })
      .onConflictDoNothing()
  const place = { contactId: contact.id, whatsappId }
  const [row] = await tx
    .insert(tickets)
    .values({
      ...place,
      status,
      pauseTag,
      queueId: queue === undefined ? null : getSeededId(known.queues, queue),
      userId: user === undefined ? null : getSeededId(known.users, user),
      isGroup: ticket.group !== undefined,
      unreadMessages: unread,
      messageSeq: lines.length,
      createdAt: before(first.ago),
      acceptedAt: user === undefined ? null : before(first.ago),
      closedAt: status === 'closed' ? before(last.ago) : null,
      lastMessage: formatMessagePreview({ body: last.body, mediaType: last.type ?? 'chat' }),
      lastMessageType: last.type ?? 'chat',
      lastMessageFromMe: last.from !== 'customer',
      lastMessageState: last.from === 'customer' ? null : (last.state ?? 'sent'),
      lastMessageAt: before(last.ago),
    })
    .returning({ id: tickets.id })
  const ticketId = row?.id ?? 0
  const said = lines.map(({ ago, from, member, body, type = 'chat', state = 'sent', error, file: named }, at) => {
    const fromMe = from !== 'customer'
    const author = member === undefined ? { id: contact.id, name: '' } : known.contacts.get(member)
    if (!author) throw new Error(`The group's member ${member} has no conversation above`)
    const file = named && known.files.get(named.name)
    return {
      ...place,
      ticketId,
      seq: at + 1,
      at: before(ago),
      fromMe,
      authorId: fromMe ? null : author.id,
      authorName: author.name,
      userId: known.users.get(from) ?? null,
      body,
      mediaType: type,
      state: fromMe ? state : ('received' as const),
      read: fromMe || at < lines.length - unread,
      errorLog: error,
      providerId: type === 'comment' ? null : `SEED${ticketId}X${at}`,
      ...(file && toMessageFileColumns(file)),
    }
  })
  const stored = await tx
    .insert(messages)
    .values(said)
    .returning({ id: messages.id, mediaId: messages.mediaId, seq: messages.seq })
  for (const { mediaId } of stored) if (mediaId) await claimUpload(tx, null, mediaId, { ticketId })
  await tx
    .update(tickets)
    .set({ lastMessageId: stored.find(({ seq }) => seq === said.length)?.id })
    .where(eq(tickets.id, ticketId))
  const wrote = lines.findLast(({ from }) => from === 'customer')
  if (wrote)
    await tx
      .update(contactChannels)
      .set({ lastInboundAt: before(wrote.ago) })
      .where(and(eq(contactChannels.contactId, contact.id), eq(contactChannels.whatsappId, whatsappId)))
  if (protocol !== undefined) await seedProtocol(tx, ticketId, protocol)
}

/** A number as the desk gives them: the company's day and its own. */
async function seedProtocol(tx: Tx, ticketId: number, mensagem: string): Promise<void> {
  await getSql(tx)`
    with given as (select nextval(pg_get_serial_sequence('protocol', 'id'))::int as id)
    insert into protocol (id, protocolo, mensagem, ticket_id, contact_id, user_id, created_at) overriding system value
    select given.id, to_char(t.closed_at at time zone ${SETTINGS.timezone.default}, 'YYYYMMDD') || lpad(given.id::text, 6, '0'), ${mensagem}, t.id, t.contact_id, t.user_id, t.closed_at
    from given, ticket t where t.id = ${ticketId}`
}

/** Whose ticket it is; somebody may have several. */
async function findOrSeedContact(
  tx: Tx,
  { name, number, group, email, extraInfo }: SeedTicket,
  { contacts: known }: Scene,
) {
  const address = group ?? number ?? ''
  const there = known.get(address)
  if (there) return there
  const values = { name, nameSource: 'manual', number, isGroup: group !== undefined, email, extraInfo } as const
  const [made] = await tx.insert(contacts).values(values).returning({ id: contacts.id, name: contacts.name })
  if (!made) throw new Error('A contact could not be made')
  const [kind, names] =
    group === undefined ? (['pn', listPhoneVariants(address)] as const) : (['group', [group]] as const)
  await tx.insert(contactIdentities).values(names.map(value => ({ kind, value, contactId: made.id })))
  known.set(address, made)
  return made
}

async function seedChat(tx: Tx, { group, members, unread, lines }: SeedChat, team: Ids): Promise<void> {
  const [userId = 0, other = 0] = members.map(key => getSeededId(team, key))
  const [first, last] = [lines[0], lines.at(-1)]
  if (!first || !last) return
  const lastMessageAt = before(last.ago)
  const [chat] = await tx
    .insert(chats)
    .values({
      ...(group === undefined ? { userId, callingUserId: other } : { userId, isGroup: true, groupName: group }),
      messageSeq: lines.length,
      lastMessage: last.body,
      lastMessageUserId: getSeededId(team, last.from),
      lastMessageAt,
      createdAt: before(first.ago),
    })
    .returning({ id: chats.id })
  const chatId = chat?.id ?? 0
  const there = members.map(key => ({ userId: getSeededId(team, key), left: unread?.by === key ? unread.lines : 0 }))
  await tx.insert(chatMembers).values(
    there.map(({ left, ...member }) => ({
      ...member,
      chatId,
      unread: left,
      readSeq: lines.length - left,
      lastMessageAt,
    })),
  )
  const ids: number[] = []
  for (const [at, { ago, from, body, answers }] of lines.entries()) {
    const quotedId = answers === undefined ? undefined : ids[answers - 1]
    const message = { chatId, seq: at + 1, senderId: getSeededId(team, from), body, quotedId, createdAt: before(ago) }
    const [row] = await tx.insert(chatMessages).values(message).returning({ id: chatMessages.id })
    ids.push(row?.id ?? 0)
  }
  await tx
    .update(chats)
    .set({ lastMessageId: ids.at(-1) })
    .where(eq(chats.id, chatId))
}
