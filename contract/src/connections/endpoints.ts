import type { Endpoint } from '../kit/endpoint.ts'
import { ClientId, Id, Nullable, Type } from '../kit/schema.ts'
import { Message } from '../messages/message.ts'
import { ChosenTemplate, MessageTemplate } from '../templates/template.ts'
import { Connection, ConnectionBrief, ConnectionKind, ConnectionStatus } from './connection.ts'
import { ConnectionHealth } from './connection-health.ts'

const Text = Type.Optional(Type.String({ maxLength: 4096 }))

/** Fields of the connection form (spec 2 §2). `tokenMeta` empty when editing: keep the stored one. */
export const ConnectionForm = Type.Object({
  name: Type.String({ maxLength: 10_000 }),
  api: ConnectionKind,
  isDefault: Type.Optional(Type.Boolean()),
  nps: Type.Optional(Type.Boolean()),
  queueIds: Type.Optional(Type.Array(Id, { maxItems: 200 })),
  greetingMessage: Text,
  greetingBotMessage: Text,
  greetingMessageRedirect: Text,
  farewellMessage: Text,
  npsMessage: Text,
  npsTksMessage: Text,
  metaIntegration: Type.Optional(Type.Boolean()),
  phoneNumberId: Type.Optional(Type.String({ maxLength: 64 })),
  wabaId: Type.Optional(Type.String({ maxLength: 64 })),
  tokenMeta: Type.Optional(Type.String({ maxLength: 2000 })),
  publicDNSTypebot: Type.Optional(Type.String({ maxLength: 500 })),
  dailyCap: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 1_000_000 }))),
  publicIDTypebot: Type.Optional(Type.String({ maxLength: 200 })),
})

/** The form when editing: type and name are locked (spec 2 §5), so they may be left out. `version`: what it began from. */
export const ConnectionEdit = Type.Object({
  ...Type.Partial(ConnectionForm).properties,
  version: Type.Optional(Type.Integer({ minimum: 0 })),
})

const TemplateQuery = Type.Object({
  searchParam: Type.Optional(Type.String({ maxLength: 200 })),
  pageNumber: Type.Optional(Type.Integer({ minimum: 1 })),
})
const TemplatePage = Type.Object({
  templates: Type.Array(MessageTemplate),
  hasMore: Type.Boolean(),
  count: Type.Integer(),
  /** Why there are none: `not_supported` by this kind of connection, or `unavailable` at the moment. */
  reason: Nullable(Type.String()),
})

const SAVING = [
  'ERR_WAPP_NAME_ALREADY_EXISTS',
  'ERR_NO_OTHER_WHATSAPP',
  'ERR_WAPP_GREETING_REQUIRED',
  'ERR_NO_QUEUE_FOUND',
] as const
/** `oldServerIsOff=true`: of a connection that came back from a backup, the server that it comes from is off for good. */
const TakeUp = Type.Object({ oldServerIsOff: Type.Optional(Type.String({ maxLength: 5 })) })
const TAKING_UP = { query: TakeUp, errors: ['ERR_NO_WAPP_FOUND', 'ERR_WAPP_RESTORED'] } as const
const TAKING_UP_LINKED = { query: TakeUp, errors: [...TAKING_UP.errors, 'ERR_WAPP_NOT_OFFERED'] } as const
const PAIRING = {
  audience: 'admin',
  errors: ['ERR_NO_WAPP_FOUND', 'ERR_WAPP_NOT_INITIALIZED', 'ERR_WAPP_NOT_OFFERED', 'ERR_WAPP_RESTORED'],
  query: TakeUp,
  body: Type.Object({ phone: Type.String({ maxLength: 40 }) }),
  answer: Type.Object({ paircode: Type.String() }),
} as const

export const connectionEndpoints = {
  'GET /whatsapp': {
    summary: 'Connections; everybody but admins gets the brief ones',
    answer: Type.Array(Type.Union([Connection, ConnectionBrief])),
  },
  'GET /whatsapp/:id': defineConnectionCall('One connection'),
  'GET /whatsapp/:id/health': {
    summary: 'How a connection is doing, and was in the last seven days',
    audience: 'admin',
    errors: ['ERR_NO_WAPP_FOUND'],
    answer: ConnectionHealth,
  },
  'POST /whatsapp': {
    summary: 'Add a connection',
    audience: 'admin',
    errors: [...SAVING, 'ERR_GATEWAY_NOT_SET', 'ERR_NO_WAPP_FOUND'],
    body: Type.Object({ ...ConnectionForm.properties, clientId: ClientId }),
    answer: Connection,
    status: 201,
  },
  'PUT /whatsapp/:id': {
    summary: 'Change a connection',
    audience: 'admin',
    errors: ['ERR_NO_WAPP_FOUND', 'ERR_CHANGED_MEANWHILE', ...SAVING],
    body: ConnectionEdit,
    answer: Connection,
  },
  'DELETE /whatsapp/:id': {
    summary: 'Delete a connection; refused while it has live tickets unless force=true',
    audience: 'admin',
    errors: ['ERR_NO_WAPP_FOUND', 'ERR_NO_OTHER_WHATSAPP', 'ERR_WAPP_HAS_LIVE_TICKETS'],
    query: Type.Object({ force: Type.Optional(Type.String({ maxLength: 5 })) }),
    status: 204,
  },
  'GET /whatsapp/:id/schedules': {
    summary: 'How many scheduled sends go by a connection, and would not go out without it',
    audience: 'admin',
    errors: ['ERR_NO_WAPP_FOUND'],
    answer: Type.Object({ count: Type.Integer() }),
  },
  'PUT /whatsapp/:id/news': defineConnectionCall('What the provider told of the account was seen'),
  'GET /whatsapp/meow/qr/:id': {
    summary:
      'The newest QR code of a connection that is paired by one; a new one is asked for where the present one has run out',
    audience: 'admin',
    errors: ['ERR_NO_WAPP_FOUND', 'ERR_WAPP_NOT_OFFERED', 'ERR_WAPP_RESTORED'],
    answer: Type.Object({
      status: ConnectionStatus,
      qrcode: Nullable(Type.String()),
      qrExpiresAt: Nullable(Type.String()),
    }),
  },
  'POST /whatsappsession/:id': {
    ...defineConnectionCall('Start the session (new QR code where one is needed)'),
    ...TAKING_UP,
  },
  'PUT /whatsappsession/:id': {
    ...defineLinkedDeviceCall('Start afresh: forget the pairing and show a new QR code'),
    ...TAKING_UP_LINKED,
  },
  'DELETE /whatsappsession/:id': defineLinkedDeviceCall('Log out and disconnect'),
  'POST /whatsapp/restart/': {
    ...defineConnectionCall('Restart the session without forgetting the pairing'),
    ...TAKING_UP,
    body: Type.Object({ whatsappId: Id }),
  },
  'DELETE /whatsapp/recreate/:id': {
    ...defineLinkedDeviceCall('Delete the session and begin again'),
    ...TAKING_UP_LINKED,
  },
  'POST /whatsapp/pair/:id': { ...PAIRING, summary: 'Ask for a pair code for a phone' },
  'POST /whatsapp/meow/pair/:id': {
    ...PAIRING,
    summary: 'As POST /whatsapp/pair/:id, under the name of the specification',
  },
  'GET /meta/templates/:ticketId': {
    scope: 'send',
    summary: 'Approved templates for the connection of a ticket; all of them, or a page of 20 with pageNumber',
    errors: ['ERR_NO_TICKET_FOUND'],
    query: TemplateQuery,
    answer: TemplatePage,
  },
  'GET /meta/templates/wpp/:whatsappId': {
    summary: 'Approved templates of a connection, as GET /meta/templates/:ticketId',
    errors: ['ERR_NO_WAPP_FOUND'],
    query: TemplateQuery,
    answer: TemplatePage,
  },
  'POST /meta/templates': {
    scope: 'send',
    summary: 'Send a template in a ticket',
    errors: [
      'ERR_NO_TICKET_FOUND',
      'ERR_NO_FILE_FOUND',
      'ERR_SENDING_WAPP_MSG',
      'ERR_TEXT_TOO_LONG',
      'ERR_CREATING_MESSAGE',
    ],
    body: Type.Object({ ticketId: Id, template: ChosenTemplate, clientId: ClientId }),
    answer: Message,
    status: 201,
  },
} as const satisfies Record<string, Endpoint>

/** A call of administrators about one connection, which it answers. */
function defineConnectionCall(summary: string) {
  return { summary, audience: 'admin', errors: ['ERR_NO_WAPP_FOUND'], answer: Connection } as const
}

/** Of a kind that is a device linked to a phone; the others have nothing to unlink. */
function defineLinkedDeviceCall(summary: string) {
  return { ...defineConnectionCall(summary), errors: ['ERR_NO_WAPP_FOUND', 'ERR_WAPP_NOT_OFFERED'] } as const
}
