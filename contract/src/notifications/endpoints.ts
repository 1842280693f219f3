// What waits, and the devices that want to be told with the tab closed (spec 1 §7 "Session", §4 "Notifications").
import { Chat } from '../chats/chat.ts'
import { ConnectionNews } from '../connections/connection-news.ts'
import type { Endpoint } from '../kit/endpoint.ts'
import { LANGUAGES } from '../kit/language.ts'
import { Id, Instant, Nullable, StringEnum, Type } from '../kit/schema.ts'
import { Ticket } from '../tickets/ticket.ts'

const ConnectionNotice = Type.Object({ ...ConnectionNews.properties, whatsappId: Id, connection: Type.String() })

/**
 * What an administrator has to put right: `backup_old`: the last good backup is older than two days. `schedule_lost`: a scheduled send
 * did not go out, because the connection it goes by was deleted. `webhook_off`: an address was switched off, because it did not answer.
 * `webhook_missed`: the server stood still for days, and webhooks are not told what happened until then. `token_spent`: a program used all
 * calls of ten minutes within an hour, as one does that answers what it causes itself.
 */
const Alarm = Type.Object({
  code: StringEnum(['backup_old', 'schedule_lost', 'webhook_off', 'webhook_missed', 'token_spent']),
  /** When it was good last, null: never; of a scheduled send, when it was due; of a token, since when. */
  at: Nullable(Instant),
  /** A code of what went wrong, where something did. */
  reason: Nullable(Type.String()),
  /** Which one, by its title or the beginning of its text. */
  schedule: Type.Optional(Type.Object({ id: Id, name: Type.String() })),
  webhook: Type.Optional(Type.Object({ id: Id, name: Type.String() })),
  /** None: the token of the settings. */
  token: Type.Optional(Type.Object({ id: Id, name: Type.String() })),
})

/** A comment that calls somebody, in a ticket they may see. */
const MentionNotice = Type.Object({
  messageId: Id,
  ticketId: Id,
  contact: Type.Object({ id: Id, name: Type.String(), profilePicUrl: Nullable(Type.String()) }),
  isGroup: Type.Boolean(),
  author: Type.String(),
  text: Type.String({ description: 'the beginning of the comment' }),
  at: Type.String(),
})

/** As the browser's `PushSubscription.toJSON()` gives it. */
export const PushSubscriptionForm = Type.Object({
  endpoint: Type.String({ maxLength: 2000 }),
  keys: Type.Object({
    p256dh: Type.String({ maxLength: 200 }),
    auth: Type.String({ maxLength: 100 }),
  }),
})

export const notificationEndpoints = {
  'GET /notifications': {
    summary:
      'What waits for the one who asks: tickets and internal chats of both bells, newest first; limit 0: the counts alone',
    query: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 50 })) }),
    answer: Type.Object({
      tickets: Type.Object({ count: Type.Integer(), items: Type.Array(Ticket) }),
      chats: Type.Object({
        count: Type.Integer({ description: 'unread messages in all own chats' }),
        items: Type.Array(Chat),
      }),
      mentions: Type.Object(
        { count: Type.Integer(), items: Type.Array(MentionNotice) },
        { description: 'comments that call the one who asks and were not seen yet' },
      ),
      news: Type.Object(
        { count: Type.Integer(), items: Type.Array(ConnectionNotice) },
        { description: 'what providers told of their accounts and no administrator has seen; of administrators only' },
      ),
      alarms: Type.Array(Alarm, { description: 'what administrators have to put right; of administrators only' }),
    }),
  },
  'GET /push/public_key': {
    summary: 'The key (VAPID, base64url) that a browser subscribes with',
    answer: Type.Object({ publicKey: Type.String() }),
  },
  'POST /push/register': {
    summary: 'This device wants to be told with the tab closed, while its session lasts',
    body: Type.Object({
      subscription: PushSubscriptionForm,
      userId: Type.Optional(Id),
      language: Type.Optional(StringEnum(LANGUAGES)),
    }),
    status: 204,
  },
  'POST /push/unregister': {
    summary: 'This device is not told any more; key: the endpoint or a key of the subscription',
    body: Type.Object({ userId: Type.Optional(Id), key: Type.String({ maxLength: 2000 }) }),
    status: 204,
  },
} as const satisfies Record<string, Endpoint>
