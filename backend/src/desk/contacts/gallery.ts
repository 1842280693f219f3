// What a conversation holds besides words: pictures and videos, documents, recordings, links.
import type { QueryParams, ResponseBody } from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { resolveConversation } from '../messages/conversation.ts'
import { loadRange, parsePageCursor, presentPage } from '../messages/page.ts'

type Page = ResponseBody<'GET /messages/gallery/:ticketId'>

const PAGE = 24

/** A page, newest first, of exactly the messages the conversation shows. Throws `ERR_NO_TICKET_FOUND`, `ERR_NO_PERMISSION`. */
export async function loadGalleryPage(
  db: Db,
  session: Session,
  ticketId: number,
  query: QueryParams<'GET /messages/gallery/:ticketId'>,
): Promise<Page> {
  const conversation = await resolveConversation(db, session, ticketId)
  const limit = query.limit ?? PAGE
  const from = query.cursor === undefined ? null : parsePageCursor(query.cursor)
  const kind = query.kind ?? 'media'
  const rows = await loadRange(db, conversation, { to: 'older', from, limit: limit + 1, kind })
  const page = await presentPage(db, session, rows.slice(0, limit), rows.length > limit)
  return { ...page, messages: page.messages.reverse() }
}
