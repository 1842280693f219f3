// Builds tickets for tests; only what a test is about is named in them.
import type { Ticket } from '@balcao/contract'

const WHEN = '2026-11-23T09:00:00.000Z'

/** A ticket that the bot has. */
export function makeTicket(id: number, part: Partial<Ticket> = {}): Ticket {
  const contact = { id: 1, name: 'Dona Lúcia', number: '5531998762210', profilePicUrl: null, isGroup: false, tags: [] }
  const whatsapp = { id: 1, name: 'Loja Centro', api: 'baileys', status: 'CONNECTED' } as const
  return {
    ...{ id, status: 'bot', queueId: null, queue: null, userId: null, user: null, contactId: 1, contact },
    ...{
      whatsappId: 1,
      whatsapp,
      isGroup: false,
      lastMessage: 'Oi',
      lastMessageType: 'chat',
      lastMessageFromMe: false,
    },
    ...{
      lastMessageState: null,
      lastMessageAt: WHEN,
      unreadMessages: 0,
      pauseTag: null,
      pauseUntil: null,
      answerSince: null,
      answerDueAt: null,
      windowUntil: null,
      isOutOfGroup: false,
    },
    ...{ createdAt: WHEN, updatedAt: WHEN, acceptedAt: null, closedAt: null, version: 1, ...part },
  }
}
