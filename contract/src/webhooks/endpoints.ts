import type { Endpoint } from '../kit/endpoint.ts'
import { ClientId, Cursor, Id, Nullable, page, Type } from '../kit/schema.ts'
import { Webhook, WebhookDelivery, WebhookEventType, WebhookField, WebhookWithSecret } from './webhook.ts'

const Ids = Type.Optional(
  Nullable(Type.Array(Id, { maxItems: 500, description: 'of these alone; null: of all. Never an empty list' })),
)
const fields = {
  events: Type.Optional(Type.Array(WebhookEventType, { maxItems: 50 })),
  connectionIds: Ids,
  queueIds: Ids,
  fields: Type.Optional(Type.Array(WebhookField, { maxItems: 50 })),
}
const Text = Type.String({ maxLength: 20_000 })

/** Addresses of other programs that are told what happens. Whoever calls is an administrator. */
export const webhookEndpoints = {
  'GET /integrations': {
    scope: 'webhooks',
    summary: 'Webhooks, by name',
    audience: 'admin',
    answer: Type.Array(Webhook),
  },
  'POST /integrations': {
    scope: 'webhooks',
    summary: 'Add a webhook; its secret is told in this answer alone',
    audience: 'admin',
    body: Type.Object({ name: Text, address: Text, clientId: ClientId, ...fields }),
    answer: WebhookWithSecret,
    status: 201,
  },
  'PUT /integrations/:id': {
    scope: 'webhooks',
    summary: 'Change a webhook, or switch it on and off; what is left out stays',
    audience: 'admin',
    errors: ['ERR_CHANGED_MEANWHILE'],
    body: Type.Object({
      name: Type.Optional(Text),
      address: Type.Optional(Text),
      ...fields,
      active: Type.Optional(Type.Boolean()),
      version: Type.Optional(Type.Integer({ minimum: 1, description: 'what the change began from' })),
    }),
    answer: Webhook,
  },
  'DELETE /integrations/:id': {
    scope: 'webhooks',
    summary: 'Delete a webhook with its deliveries',
    audience: 'admin',
    status: 204,
  },
  'POST /integrations/:id/secret': {
    scope: 'webhooks',
    summary: 'A new secret; for a day each call is signed with both',
    audience: 'admin',
    answer: WebhookWithSecret,
  },
  'POST /integrations/:id/test': {
    scope: 'webhooks',
    summary: 'Sends the sample of an event at once, and says what came of it',
    audience: 'admin',
    body: Type.Object({ type: WebhookEventType }),
    answer: WebhookDelivery,
  },
  'GET /integrations/:id/deliveries': {
    scope: 'webhooks',
    summary: 'What was sent in the last seven days, the newest first',
    audience: 'admin',
    query: Type.Object({ cursor: Cursor, state: Type.Optional(WebhookDelivery.properties.state) }),
    answer: Type.Object({
      deliveries: Type.Array(WebhookDelivery),
      hasMore: page.hasMore,
      nextCursor: page.nextCursor,
    }),
  },
  'POST /integrations/:id/deliveries/:deliveryId/replay': {
    scope: 'webhooks',
    summary: 'Sends a delivery once more, under the same webhook-id',
    audience: 'admin',
    errors: ['ERR_WEBHOOK_OFF'],
    answer: WebhookDelivery,
  },
} as const satisfies Record<string, Endpoint>
