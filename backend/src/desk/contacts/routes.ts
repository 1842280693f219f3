import { parseId } from '../../platform/http/validate.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve, serveRead } from '../../policy/kit/serve.ts'
import { checkNumber } from './check-number.ts'
import { listContactHistory } from './contact-history.ts'
import { listContactTickets } from './contact-tickets.ts'
import { deleteContact } from './delete.ts'
import { loadGalleryPage } from './gallery.ts'
import { loadGroupInfo } from './group.ts'
import { countContactsFound, getContact, listContacts } from './list.ts'
import { mergeByHand, previewMerge } from './merge-by-hand.ts'
import { addContact, editContact, getOrAddContact } from './save.ts'
import { undoMerge } from './unmerge.ts'

export function contactRoutes(parts: Parts): Route[] {
  const { db } = parts
  const idIn = (params: { readonly id: string }) => parseId(params.id, 'ERR_NO_CONTACT_FOUND')
  return [
    serveRead('GET /contacts', ({ query }) => listContacts(db, query)),
    serveRead('GET /contacts/count', ({ query }) => countContactsFound(db, query)),
    serveRead('GET /contacts/:id', ({ params }) => getContact(db, idIn(params))),
    serve('GET /contacts/check/:number', ({ session, params, query }) =>
      checkNumber(parts, session, params.number, query.whatsappId),
    ),
    serve('POST /contacts', ({ session, body }) => addContact(parts, session, body)),
    serve('PUT /contacts/:id', ({ session, params, body }) => editContact(parts, session, idIn(params), body)),
    serve('DELETE /contacts/:id', ({ session, params }) => deleteContact(parts, session, idIn(params))),
    serve('POST /contact', ({ session, body }) => getOrAddContact(parts, session, body)),
    serveRead('GET /contacts/:id/tickets', ({ session, params, query }) =>
      listContactTickets(db, session, idIn(params), query),
    ),
    serveRead('GET /contacts/:id/history', ({ session, params, query }) =>
      listContactHistory(db, session, idIn(params), query),
    ),
    serve('GET /contacts/:id/merge/:other', ({ session, params }) =>
      previewMerge(db, session, idIn(params), parseId(params.other, 'ERR_NO_CONTACT_FOUND')),
    ),
    serve('POST /contacts/:id/merge', ({ session, params, body }) =>
      mergeByHand(parts, session, idIn(params), body.contactId),
    ),
    serve('DELETE /contacts/merges/:id', ({ session, params }) =>
      undoMerge(parts, session, parseId(params.id, 'ERR_NO_MERGE_FOUND')),
    ),
    serve('GET /messages/gallery/:ticketId', ({ session, params, query }) =>
      loadGalleryPage(db, session, parseId(params.ticketId, 'ERR_NO_TICKET_FOUND'), query),
    ),
    serve('GET /contact/group/:id', ({ session, params }) => loadGroupInfo(parts, session, idIn(params))),
  ]
}
