// One sample of each event: what the page shows, and what a test sends.
import type { WebhookData, WebhookEventType } from './webhook.ts'

const contact = {
  contactId: 7,
  contactName: 'Marina Souza',
  contactNumber: '5511987654321',
  contactTags: ['Atacado'],
}
const ticket = {
  ticketId: 41,
  status: 'open',
  ...contact,
  connectionId: 1,
  queueId: 2,
  agentId: 5,
  agentName: 'Bruno Lima',
  isGroup: false,
  createdAt: '2026-03-02T12:00:00.000Z',
}
const message = {
  messageId: 1205,
  ticketId: 41,
  ...contact,
  connectionId: 1,
  queueId: 2,
  isGroup: false,
  mediaType: 'chat',
  fromMe: false,
  state: 'received',
  createdAt: '2026-03-02T12:00:05.000Z',
  messageText: 'Bom dia! O pedido 1042 já saiu?',
}
const answer = {
  ...message,
  messageId: 1206,
  fromMe: true,
  state: 'sent',
  agentId: 5,
  agentName: 'Bruno Lima',
  messageText: 'Saiu hoje cedo.',
}
const person = { ...contact, contactEmail: 'marina@exemplo.com.br', isGroup: false, version: 3 }

export const WEBHOOK_SAMPLES: Readonly<Record<WebhookEventType, WebhookData>> = {
  'message.received': message,
  'message.sent': answer,
  'message.status': { ...answer, state: 'read' },
  'ticket.opened': { ...ticket, status: 'pending', agentId: null, agentName: null, reopened: false },
  'ticket.accepted': ticket,
  'ticket.transferred': { ...ticket, fromQueueId: 1, fromAgentId: 4 },
  'ticket.paused': { ...ticket, status: 'paused' },
  'ticket.resolved': { ...ticket, status: 'closed' },
  'ticket.rated': { ...ticket, status: 'closed', rating: 5 },
  'contact.created': person,
  'contact.changed': { ...person, version: 4 },
  'contact.merged': { contactId: 7, mergedInto: 3 },
  'contact.deleted': { contactId: 7 },
  'contact.optedOut': { ...person, optedOutAt: '2026-03-02T12:00:00.000Z' },
  'connection.state': { connectionId: 1, connectionName: 'Vendas', status: 'CONNECTED', reason: null },
}
