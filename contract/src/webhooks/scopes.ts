// What a program must be able to read by itself before it has that sent to an address (docs/decisions/0302).
import type { ApiScope } from '../api/token.ts'
import type { WebhookEventType, WebhookField } from './webhook.ts'

/** Any of these is enough; none: it says nothing of people and what they write. */
const EVENT_SCOPES: Readonly<Record<string, readonly ApiScope[]>> = {
  message: ['readMessages'],
  ticket: ['readTickets'],
  contact: ['contacts'],
  connection: [],
}

const FIELD_SCOPES: Readonly<Record<WebhookField, readonly ApiScope[]>> = {
  messageText: ['readMessages'],
  contactName: ['readTickets', 'contacts'],
  contactNumber: ['readTickets', 'contacts'],
  contactTags: ['readTickets', 'contacts'],
  contactEmail: ['contacts'],
  agentName: ['readTickets', 'readMessages'],
}

interface WebhookChoice {
  readonly events: readonly WebhookEventType[]
  readonly fields: readonly WebhookField[]
}

/** Which of the two holds something that these scopes do not let a program read; null: neither. */
export function findUnreadable(
  { events, fields }: WebhookChoice,
  scopes: readonly ApiScope[],
): keyof WebhookChoice | null {
  const isOpen = (enough: readonly ApiScope[] = []) =>
    enough.length === 0 || enough.some(scope => scopes.includes(scope))
  if (!events.every(event => isOpen(EVENT_SCOPES[event.split('.')[0] ?? '']))) return 'events'
  return fields.every(field => isOpen(FIELD_SCOPES[field])) ? null : 'fields'
}
