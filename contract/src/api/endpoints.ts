import type { Endpoint } from '../kit/endpoint.ts'
import { Files, Id, Type } from '../kit/schema.ts'
import { Choices } from '../messages/choices.ts'
import { Message } from '../messages/message.ts'
import { ChosenTemplate } from '../templates/template.ts'

const Phone = Type.String({
  maxLength: 40,
  description: 'phone with country and area code, for example 5531998762210; other characters are ignored',
})
const common = {
  number: Type.Optional(Phone),
  body: Type.Optional(Type.String({ maxLength: 65_536, description: 'the text, or the caption of the first file' })),
}

/** For other programs, with the token of the setting `userApiToken` instead of a session. */
export const apiEndpoints = {
  'POST /api/messages/send': {
    summary: 'Send a text with choices or files, or a template, to a number or into a ticket',
    description: [
      'Authorization: Bearer and a token that opens `send`, or the one an administrator made with PUT /settings/userApiToken.',
      'The message goes into the contact’s live conversation. Where there is none it goes into the last one, which stays closed,',
      'unless queueId (then it waits in that queue) or userId with queueId (then it is that person’s) are given.',
      'Header Idempotency-Key, at most 64 characters: the same request under the same key within 24 hours sends nothing and gets the same answer.',
      'choices: pressed where the kind of connection has buttons, numbered lines elsewhere. template: of the official API, also outside of the 24 hours; alone.',
      'A token by name sends where it may write: what it may not see is refused with 403 ERR_NO_PERMISSION, and nothing is made.',
      'At most 60 requests a minute, or what the token allows: beyond that 429 ERR_TOO_MANY_ATTEMPTS with Retry-After.',
      'Refusals: 401 ERR_SESSION_EXPIRED (token missing or wrong), 422 ERR_VALIDATION with one entry per field,',
      '422 ERR_WAPP_INVALID_CONTACT (WhatsApp does not know the number), 404 ERR_NO_DEF_WAPP_FOUND, ERR_NO_WAPP_FOUND, ERR_NO_QUEUE_FOUND, ERR_NO_USER_FOUND,',
      '409 ERR_WINDOW_CLOSED (official API, more than 24 hours since the contact wrote), 413 ERR_FILE_TOO_LARGE, 422 ERR_FILE_TYPE,',
      '422 ERR_TEXT_TOO_LONG (official API: 4096 characters, 1024 under a file).',
    ].join(' '),
    audience: 'token',
    scope: 'send',
    errors: [
      'ERR_WAPP_INVALID_CONTACT',
      'ERR_NO_DEF_WAPP_FOUND',
      'ERR_NO_WAPP_FOUND',
      'ERR_NO_QUEUE_FOUND',
      'ERR_NO_USER_FOUND',
      'ERR_NO_TICKET_FOUND',
      'ERR_WINDOW_CLOSED',
      'ERR_TEXT_TOO_LONG',
      'ERR_FILE_TOO_LARGE',
      'ERR_FILE_TYPE',
      'ERR_NO_SPACE',
      'ERR_TOO_MANY_ATTEMPTS',
    ],
    bodyKind: 'multipart',
    headers: { 'Idempotency-Key': 'any text of at most 64 characters, new for each new message' },
    body: Type.Object({
      ...common,
      whatsappId: Type.Optional(Id),
      queueId: Type.Optional(Id),
      userId: Type.Optional(Id),
      choices: Type.Optional(Choices),
      template: Type.Optional(ChosenTemplate),
      ticketId: Type.Optional(Type.Integer({ minimum: 1, description: 'in place of number and whatsappId' })),
    }),
    form: Type.Object({
      ...common,
      whatsappId: Type.Optional(Type.Integer()),
      queueId: Type.Optional(Type.Integer()),
      userId: Type.Optional(Type.Integer()),
      ticketId: Type.Optional(Type.Integer()),
      medias: Files,
    }),
    answer: Type.Object({ ticketId: Id, contactId: Id, messages: Type.Array(Message) }),
    status: 201,
  },
} as const satisfies Record<string, Endpoint>
