// Addresses of other programs that are told what happens (docs/webhooks.md).
import { Id, Instant, Nullable, type Static, StringEnum, Type } from '../kit/schema.ts'

/** What a program can be told of; `type` on the wire. */
export const WEBHOOK_EVENTS = [
  'message.received',
  'message.sent',
  'message.status',
  'ticket.opened',
  'ticket.accepted',
  'ticket.transferred',
  'ticket.paused',
  'ticket.resolved',
  'ticket.rated',
  'contact.created',
  'contact.changed',
  'contact.merged',
  'contact.deleted',
  'contact.optedOut',
  'connection.state',
] as const
export const WebhookEventType = StringEnum(WEBHOOK_EVENTS)
export type WebhookEventType = Static<typeof WebhookEventType>

/** What goes out only where it was chosen; everything else of an event are ids, states and times. */
export const WEBHOOK_FIELDS = [
  'messageText',
  'contactName',
  'contactNumber',
  'contactEmail',
  'contactTags',
  'agentName',
] as const
export const WebhookField = StringEnum(WEBHOOK_FIELDS)
export type WebhookField = Static<typeof WebhookField>

/** Why one is told nothing: an administrator switched it off · three days of failures · it answered 410 · a backup was restored. */
export const WEBHOOK_STOPS = ['person', 'failing', 'gone', 'restored'] as const

/** An address that is told. `connectionIds` and `queueIds`: of these alone; null: of all. The secret is told once, by the calls that make it. */
export const Webhook = Type.Object({
  id: Id,
  name: Type.String(),
  address: Type.String(),
  events: Type.Array(WebhookEventType),
  connectionIds: Nullable(Type.Array(Id)),
  queueIds: Nullable(Type.Array(Id)),
  fields: Type.Array(WebhookField),
  active: Type.Boolean(),
  stopReason: Nullable(StringEnum(WEBHOOK_STOPS)),
  failingSince: Nullable(Instant),
  retryAt: Nullable(Type.String({ format: 'date-time', description: 'when a failing one is tried again' })),
  version: Type.Integer(),
})
export type Webhook = Static<typeof Webhook>

export const WebhookWithSecret = Type.Object({ ...Webhook.properties, secret: Type.String() })

export const DELIVERY_STATES = ['pending', 'done', 'failed'] as const
export const DeliveryState = StringEnum(DELIVERY_STATES)
export type DeliveryState = Static<typeof DeliveryState>

/** Why there was no answer, as of every call to the outside; `redirect`: it pointed elsewhere, which is not followed. */
export const DELIVERY_FAULTS = ['private', 'insecure', 'unsent', 'lost', 'slow', 'redirect', 'unreadable'] as const
export const DeliveryFault = StringEnum(DELIVERY_FAULTS)
export type DeliveryFault = Static<typeof DeliveryFault>

/** One event on its way to one address. `request` and `answer` without what was chosen of people: `…` stands for it. */
export const WebhookDelivery = Type.Object({
  id: Id,
  webhookId: Type.String({ description: 'the header webhook-id, the same with every repeat' }),
  type: WebhookEventType,
  test: Type.Boolean(),
  state: DeliveryState,
  attempts: Type.Integer(),
  createdAt: Instant,
  triedAt: Nullable(Instant),
  nextAt: Nullable(Instant),
  status: Nullable(Type.Integer({ description: 'the HTTP status of the last answer' })),
  fault: Nullable(DeliveryFault),
  milliseconds: Nullable(Type.Integer()),
  request: Type.String(),
  answer: Type.String(),
})
export type WebhookDelivery = Static<typeof WebhookDelivery>

/** All that is known of an event; what of it goes out is chosen by `pickWebhookData`. */
export type WebhookData = Readonly<Record<string, unknown>>

/** An event's data with the chosen fields alone. */
export function pickWebhookData(data: WebhookData, fields: readonly string[]): WebhookData {
  const isField = (name: string) => WEBHOOK_FIELDS.some(field => field === name)
  return Object.fromEntries(Object.entries(data).filter(([name]) => !isField(name) || fields.includes(name)))
}
