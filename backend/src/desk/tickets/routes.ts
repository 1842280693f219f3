import { parseId } from '../../platform/http/validate.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve, servePage, serveRead } from '../../policy/kit/serve.ts'
import { listTicketColleagues, markMentionsSeen } from '../messages/mentions.ts'
import { acceptNextTicket } from './accept-next.ts'
import { countServed, countTickets } from './counts.ts'
import { createTicket } from './create.ts'
import { deleteTicket } from './delete.ts'
import { explainAccess } from './explain.ts'
import { addFollower, listFollowed, removeFollower } from './followers.ts'
import { findLiveTicket, findTicketContext, getTicket } from './get.ts'
import { hideWords } from './hidden-words.ts'
import { listBotTickets, listTickets } from './list.ts'
import { markRead, markUnread } from './mark-read.ts'
import { searchTicketMessages } from './message-search.ts'
import { listPinned, pinTicket } from './pins.ts'
import { requestTicket } from './request.ts'
import { searchTicketPage, searchTickets } from './search.ts'
import { endBot } from './transitions.ts'
import { updateTicket } from './update.ts'

export function ticketRoutes(parts: Parts): Route[] {
  const { db } = parts
  const ticketId = (params: { readonly id: string }) => parseId(params.id, 'ERR_NO_TICKET_FOUND')
  return [
    servePage('GET /tickets', ({ session, query }) =>
      query.searchParam?.trim() ? searchTicketPage(db, session, query) : listTickets(db, session, query),
    ),
    servePage('GET /tickets/counts', ({ session, query }) => countTickets(db, session, query)),
    serveRead('GET /tickets/pinned', ({ session }) => listPinned(db, session)),
    serveRead('GET /tickets/followed', ({ session }) => listFollowed(db, session)),
    serveRead('GET /tickets/load', ({ session }) => countServed(db, session)),
    serveRead('GET /ticket2', ({ session }) => listBotTickets(db, session)),
    serve('PUT /ticket2/:id', ({ session, params, body }) => endBot(parts, session, ticketId(params), body.status)),
    serve('GET /tickets/filter', ({ session, query }) => searchTickets(db, session, query)),
    serveRead('GET /tickets/messages', ({ session, query }) => searchTicketMessages(db, session, query)),
    servePage('GET /tickets/:id', ({ session, params }) => getTicket(db, session, ticketId(params))),
    serveRead('GET /tickets/:id/context', ({ session, params }) => findTicketContext(db, session, ticketId(params))),
    serve('GET /tickets/:id/access', ({ session, params, query }) =>
      explainAccess(parts, session, ticketId(params), query.userId),
    ),
    serveRead('GET /tickets/contact/:contactId', ({ session, params, query }) =>
      findLiveTicket(db, session, parseId(params.contactId, 'ERR_NO_CONTACT_FOUND'), query.whatsappId),
    ),
    serve('POST /tickets', async ({ session, body }) => hideWords(session, await createTicket(parts, session, body))),
    serve('POST /tickets/next', async ({ session, body }) =>
      hideWords(session, await acceptNextTicket(parts, session, body)),
    ),
    serve('PUT /tickets/:id', async ({ session, params, body }) =>
      hideWords(session, await updateTicket(parts, session, ticketId(params), body)),
    ),
    serve('PUT /tickets/:id/pin', ({ session, params, body }) => pinTicket(parts, session, ticketId(params), body)),
    serve('PUT /tickets/:id/followers/:userId', ({ session, params }) =>
      addFollower(parts, session, ticketId(params), parseId(params.userId, 'ERR_NO_USER_FOUND')),
    ),
    serve('DELETE /tickets/:id/followers/:userId', ({ session, params }) =>
      removeFollower(parts, session, ticketId(params), parseId(params.userId, 'ERR_NO_USER_FOUND')),
    ),
    serve('POST /tickets/:id/ask', ({ session, params, query }) =>
      requestTicket(parts, session, ticketId(params), query.askPass),
    ),
    serve('GET /tickets/:id/colleagues', ({ session, params }) => listTicketColleagues(db, session, ticketId(params))),
    serve('POST /tickets/:id/mentions/seen', ({ session, params }) =>
      markMentionsSeen(parts, session, ticketId(params)),
    ),
    serve('POST /tickets/:id/read', ({ session, params, query }) =>
      markRead(parts, session, ticketId(params), query.upTo ?? null),
    ),
    serve('POST /tickets/:id/unread', ({ session, params }) => markUnread(parts, session, ticketId(params))),
    serve('DELETE /tickets/:id', ({ session, params }) => deleteTicket(parts, session, ticketId(params))),
  ]
}
