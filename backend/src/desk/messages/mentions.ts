// Comments call colleagues: the server says whom they can call, keeps whom they call by their ids, and tells those.
import {
  canSeeTicket,
  findCalledNames,
  type Mention,
  type ResponseBody,
  truncateText,
  type UserBrief,
  type Viewer,
} from '@balcao/contract'
import { type Db, getPageDatabase, type Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { appendEvent } from '../../platform/live/append.ts'
import { isHidden } from '../../policy/access/hidden-owner.ts'
import { loadVisibleFacts } from '../../policy/access/ticket-facts.ts'
import { visibleTicketsSql } from '../../policy/access/visible-tickets.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { loadMessages } from './present.ts'

/** Who of the team may see a ticket, but for the one who asks; the owner where it is theirs, else they are hidden. Throws `ERR_NO_TICKET_FOUND`, `ERR_NO_PERMISSION`. */
export async function listTicketColleagues(db: Db | Tx, session: Session, ticketId: number): Promise<UserBrief[]> {
  const facts = await loadVisibleFacts(db, session, ticketId)
  const { viewer, settings } = session
  const people = await getSql(db)<(Viewer & UserBrief)[]>`
    select u.id, u.name, u.profile_pic_url as "profilePicUrl", u.profile,
      array(select queue_id from user_queue where user_id = u.id) as "queueIds"
    from "user" u where u.active and u.deleted_at is null and u.id <> ${viewer.id} order by lower(u.name), u.id`
  return people
    .filter(({ id }) => id === facts.userId || !isHidden(viewer, id))
    .filter(person => canSeeTicket(person, facts, settings))
    .map(({ id, name, profilePicUrl }) => ({ id, name, profilePicUrl }))
}

/**
 * Whom a comment calls: those who may see the ticket and whose name stands in it behind an `@`, the longer name where two fit. Whom it called
 * before its words were changed (`messageId`) it may go on calling.
 */
export async function resolveMentions(
  tx: Tx,
  session: Session,
  ticketId: number,
  body: string,
  messageId?: number,
): Promise<Mention[]> {
  if (!body.includes('@')) return []
  const known = messageId === undefined ? [] : await loadMentions(tx, messageId)
  const people = [...known, ...(await listTicketColleagues(tx, session, ticketId))]
  const called = new Set(findCalledNames(body, [...new Set(people.map(({ name }) => name))]))
  return [...new Map(people.filter(({ name }) => called.has(name)).map(({ id, name }) => [id, { id, name }])).values()]
}

async function loadMentions(tx: Tx, messageId: number): Promise<Mention[]> {
  const rows = await getSql(tx)<Mention[]>`
    select u.id, u.name from message_mention x join "user" u on u.id = x.user_id where x.message_id = ${messageId}`
  return rows.map(row => ({ ...row }))
}

/** Keeps whom a comment calls from now on, and gives those it did not call before. */
export async function keepMentions(tx: Tx, messageId: number, called: readonly Mention[]): Promise<number[]> {
  const sql = getSql(tx)
  const ids = called.map(({ id }) => id)
  await sql`delete from message_mention where message_id = ${messageId} and user_id <> all(${ids}::int[])`
  if (called.length === 0) return []
  const added = await sql<{ id: number; added: boolean }[]>`
    insert into message_mention (message_id, user_id, name)
    select ${messageId}, x.id, x.name from unnest(${ids}::int[], ${called.map(({ name }) => name)}::text[]) as x(id, name)
    on conflict (message_id, user_id) do update set name = excluded.name returning user_id as id, xmax = 0 as added`
  return toIds(added.filter(row => row.added))
}

/** The comments that call this person and were not seen, newest first, of the tickets they may see now. */
export async function listUnseenMentions(
  db: Db,
  { viewer, settings }: Session,
  limit: number,
): Promise<ResponseBody<'GET /notifications'>['mentions']> {
  const sql = getSql(getPageDatabase(db))
  const unseen = sql`
    message_mention x join message m on m.id = x.message_id and not m.is_deleted join ticket t on t.id = m.ticket_id
    where x.user_id = ${viewer.id} and x.seen_at is null and ${visibleTicketsSql(sql, viewer, settings)}`
  const [counted] = await sql<{ n: number }[]>`select count(*)::int as n from ${unseen}`
  const rows = await sql<{ id: number }[]>`
    select x.message_id::float8 as id from ${unseen} order by x.message_id desc limit ${limit}`
  const messages = await loadMessages(db, toIds(rows), { viewer, settings })
  const pictures = await sql<{ id: number; url: string | null; isGroup: boolean }[]>`
    select id, profile_pic_url as url, is_group as "isGroup" from contact where id = any(${messages.map(({ contactId }) => contactId)}::int[])`
  return {
    count: counted?.n ?? 0,
    items: messages.map(message => {
      const contact = pictures.find(({ id }) => id === message.contactId)
      return {
        messageId: message.id,
        ticketId: message.ticketId,
        contact: { id: message.contactId, name: message.contact.name, profilePicUrl: contact?.url ?? null },
        isGroup: contact?.isGroup ?? false,
        author: message.user?.name ?? '',
        text: truncateText(message.body, 200),
        at: message.createdAt,
      }
    }),
  }
}

/** Which people have not seen that these comments call them, as "person message"; what was taken back calls nobody. */
export async function loadUnseenMentions(db: Db, messageIds: readonly number[]): Promise<Set<string>> {
  if (messageIds.length === 0) return new Set()
  const rows = await getSql(db)<{ userId: number; messageId: number }[]>`
    select x.user_id as "userId", x.message_id::float8 as "messageId" from message_mention x join message m on m.id = x.message_id
    where x.message_id = any(${[...messageIds]}::bigint[]) and x.seen_at is null and not m.is_deleted`
  return new Set(rows.map(({ userId, messageId }) => `${userId} ${messageId}`))
}

/** The comments of a ticket that call this person were seen. */
export async function markMentionsSeen(parts: Parts, session: Session, ticketId: number): Promise<void> {
  await loadVisibleFacts(parts.db, session, ticketId)
  const userId = session.viewer.id
  await change(parts, async tx => {
    const seen = await getSql(tx)`
      update message_mention x set seen_at = now() from message m
      where x.user_id = ${userId} and x.seen_at is null and m.id = x.message_id and m.ticket_id = ${ticketId}`
    if (seen.count === 0) return
    const version = Date.now()
    await appendEvent(tx, { to: 'user', userId }, { event: 'mention', action: 'update', version, ticketId })
  })
}
