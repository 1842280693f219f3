import type { Endpoint } from '../kit/endpoint.ts'
import {
  ClientId,
  Cursor,
  changes,
  changesNote,
  Id,
  IgnoredLog,
  Nullable,
  page,
  Search,
  StringEnum,
  Type,
} from '../kit/schema.ts'
import { MessagePage } from '../messages/endpoints.ts'
import { TicketPage } from '../tickets/endpoints.ts'
import { Contact } from './contact.ts'
import { ContactActivity, MergePreview, UndoableMerge } from './contact-merge.ts'
import { GroupInfo } from './group.ts'

const Text = Type.String({ maxLength: 1000 })

/** Fields of a contact (spec 3 §5); `validateContact` has the rules. What is not given stays as it is. */
const ContactFields = Type.Object({
  name: Type.Optional(Text),
  number: Type.Optional(Text),
  email: Type.Optional(Text),
  respostaAutomatica: Type.Optional(Type.Boolean()),
  extraInfo: Type.Optional(Type.Array(Type.Object({ name: Text, value: Text }), { maxItems: 50 })),
  tagIds: Type.Optional(Type.Array(Id, { maxItems: 100 })),
  redirect: Type.Optional(Type.Array(Type.Object({ queueId: Nullable(Id), userId: Nullable(Id) }), { maxItems: 100 })),
  optedOut: Type.Optional(Type.Boolean({ description: 'true: no mass or scheduled sends any more' })),
  log: IgnoredLog,
})

/** Parts of a contact's gallery: pictures and videos, documents, recordings, messages with an address in them. */
export const GALLERY_KINDS = ['media', 'documents', 'audio', 'links'] as const
export type GalleryKind = (typeof GALLERY_KINDS)[number]

export const contactEndpoints = {
  'GET /contacts': {
    scope: 'contacts',
    summary: 'Contacts, by name',
    description:
      'What is searched: every word in name or e-mail, a number in all numbers. `count` of a search stops at 1,000: so many are found, or more; `count=false` leaves it out, which is quicker. `changedSince`: those added or changed since, the oldest change first, also groups; `nextCursor` is there on the last page too, and goes on later with what changed meanwhile. One that changes again comes again. `order=match`, for choosing one: whose name begins with what is searched, then in whose names words do, then all others; it says no `count` and no `nextCursor`, further pages come by `pageNumber`.',
    query: Type.Object({
      ...Search.properties,
      order: Type.Optional(StringEnum(['match'])),
      count: Type.Optional(Type.String({ maxLength: 5 })),
      changedSince: Type.Optional(
        Type.String({ maxLength: 40, description: 'an instant; with it nothing is searched' }),
      ),
    }),
    answer: Type.Object({ contacts: Type.Array(Contact), ...page, count: Type.Optional(page.count) }),
  },
  'GET /contacts/gone': {
    scope: 'contacts',
    summary:
      'Contacts that were deleted, or merged into another one, since a cursor, out of the last 24 hours; without a cursor one to begin with',
    description: `${changesNote} So it is where many were deleted at once or came with a sheet.`,
    query: Type.Object({ cursor: Cursor }),
    answer: Type.Object(changes),
  },
  'GET /contacts/count': {
    summary: 'How many contacts a search finds',
    description: 'Up to 1,000: so many, or more. Without a search all there are.',
    query: Type.Pick(Search, ['searchParam', 'ignoreGroup']),
    answer: Type.Object({ count: Type.Integer({ minimum: 0 }) }),
  },
  'GET /contacts/:id': { scope: 'contacts', summary: 'One contact', errors: ['ERR_NO_CONTACT_FOUND'], answer: Contact },
  'POST /contacts': {
    scope: 'contacts',
    summary: 'Add a contact (right addContact); 409 ERR_DUPLICATED_CONTACT names the one that has the number',
    errors: ['ERR_DUPLICATED_CONTACT'],
    body: Type.Object({ ...ContactFields.properties, clientId: ClientId }),
    answer: Contact,
    status: 201,
  },
  'PUT /contacts/:id': {
    scope: 'contacts',
    summary: 'Change a contact (right editContact; tags alone may be changed by everybody)',
    errors: ['ERR_NO_CONTACT_FOUND', 'ERR_DUPLICATED_CONTACT', 'ERR_CHANGED_MEANWHILE'],
    body: Type.Object({
      ...ContactFields.properties,
      version: Type.Optional(Type.Integer({ minimum: 0, description: 'which one the change began from' })),
    }),
    answer: Contact,
  },
  'DELETE /contacts/:id': {
    summary: 'Delete a contact with all its conversations (right delContact); refused while a protocol is linked to it',
    errors: ['ERR_NO_CONTACT_FOUND', 'ERR_PROTOCOL_LINKED'],
    body: Type.Optional(Type.Object({ log: IgnoredLog })),
    status: 204,
  },
  'POST /contact': {
    scope: 'contacts',
    summary: 'The contact with a number, made where there is none yet (right addContact)',
    body: Type.Object({ name: Type.Optional(Text), number: Text, email: Type.Optional(Nullable(Text)) }),
    answer: Contact,
  },
  'GET /contacts/:id/tickets': {
    scope: 'readTickets',
    summary: 'The tickets of a contact that one may see, newest first',
    errors: ['ERR_NO_CONTACT_FOUND'],
    query: Type.Object({ cursor: Cursor, limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 40 })) }),
    answer: TicketPage,
  },
  'GET /contacts/:id/history': {
    summary: 'Everything that happened with a contact, newest first: of its tickets what one may see',
    errors: ['ERR_NO_CONTACT_FOUND'],
    query: Type.Object({ cursor: Cursor, limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) }),
    answer: Type.Object({
      history: Type.Array(ContactActivity),
      hasMore: Type.Boolean(),
      count: Type.Integer(),
      nextCursor: Nullable(Type.String()),
    }),
  },
  'GET /contacts/:id/merge/:other': {
    summary: 'What a merge of the other contact into this one would do (right editContact)',
    errors: ['ERR_NO_CONTACT_FOUND', 'ERR_CANNOT_MERGE', 'ERR_ERASURE_WAITING'],
    answer: MergePreview,
  },
  'POST /contacts/:id/merge': {
    summary: 'Merge another contact into this one (right editContact); it can be undone for 30 days',
    errors: ['ERR_NO_CONTACT_FOUND', 'ERR_CANNOT_MERGE', 'ERR_ERASURE_WAITING'],
    body: Type.Object({ contactId: Id }),
    answer: Type.Object({ merge: UndoableMerge, contact: Contact }),
  },
  'DELETE /contacts/merges/:id': {
    summary: 'Undo a merge (right editContact); 409 ERR_MERGED_AGAIN while a later one stands',
    errors: ['ERR_NO_MERGE_FOUND', 'ERR_MERGED_AGAIN', 'ERR_ERASURE_WAITING'],
    answer: Type.Object({ contact: Contact, other: Contact }),
  },
  'GET /messages/gallery/:ticketId': {
    summary: 'Files or links of the conversation a ticket belongs to, newest first',
    errors: ['ERR_NO_TICKET_FOUND'],
    query: Type.Object({
      kind: Type.Optional(StringEnum(GALLERY_KINDS)),
      cursor: Cursor,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    }),
    answer: MessagePage,
  },
  'GET /contact/group/:id': {
    summary: 'Participants and description of a group, asked of its connection; 409 while that is down',
    errors: ['ERR_NO_CONTACT_FOUND', 'ERR_WAPP_NOT_INITIALIZED', 'ERR_FETCH_GROUP'],
    answer: GroupInfo,
  },
} as const satisfies Record<string, Endpoint>
