// What a conversation holds besides words: pictures and videos, documents and recordings, links.
import type { GalleryKind, QueryParams, ResponseBody } from '@balcao/contract'
import type postgres from 'postgres'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { resolveConversation } from '../messages/conversation.ts'
import { type MessageKeyRow, parsePageCursor, presentPage } from '../messages/page.ts'

type Page = ResponseBody<'GET /messages/gallery/:ticketId'>

const PAGE = 24

/** A page, newest first, of exactly the messages the conversation shows. Throws `ERR_NO_TICKET_FOUND`, `ERR_NO_PERMISSION`. */
export async function loadGalleryPage(
  db: Db,
  session: Session,
  ticketId: number,
  query: QueryParams<'GET /messages/gallery/:ticketId'>,
): Promise<Page> {
  const { contactId, ticketIds } = await resolveConversation(db, session, ticketId)
  const sql = getSql(db)
  const limit = query.limit ?? PAGE
  const before = query.cursor === undefined ? null : parsePageCursor(query.cursor)
  const rows = await sql<MessageKeyRow[]>`
    select m.id, m.at, m.ticket_id, m.seq from message m
    where m.contact_id = ${contactId} and m.ticket_id = any(${[...ticketIds]}::int[]) and not m.is_deleted
      and ${ofKind(sql, query.kind ?? 'media')}
      ${before ? sql`and (m.at, m.ticket_id, m.seq) < (${before.at}::timestamptz, ${before.ticketId}::int, ${before.seq}::int)` : sql``}
    order by m.at desc nulls last, m.ticket_id desc nulls last, m.seq desc nulls last limit ${limit + 1}`
  const page = await presentPage(db, session, rows.slice(0, limit), rows.length > limit)
  return { ...page, messages: page.messages.reverse() }
}

/** Each is a partial index of the table; their conditions stand there word for word. */
function ofKind(sql: postgres.Sql, kind: GalleryKind) {
  switch (kind) {
    case 'media':
      return sql`m.media_id is not null and m.media_type in ('image', 'video')`
    case 'documents':
      // Also what came on a card: the bill of a payment.
      return sql`m.media_id is not null and (m.media_type in ('application', 'audio')
        or (m.media_type not in ('image', 'video', 'sticker') and m.media->>'mime' !~ '^(image|video)/'))`
    case 'links':
      return sql`m.body ~ 'https?://' and m.media_type not in ('location', 'system')`
  }
}
