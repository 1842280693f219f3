// Tickets and messages for tests: `makeTicket({ id: 3, status: 'pending' })`.

import type { Message, Profile, Ticket, User } from '@balcao/contract'
import { BLANK } from '../src/message/blank.ts'

export const VIEWER = { id: 7, mayShowAll: true }

export function makeUser(profile: Profile): User {
  return {
    id: VIEWER.id,
    name: 'Marina',
    email: '',
    profile,
    active: true,
    status: 'online',
    startTime: '',
    endTime: '',
    weekdays: true,
    saturday: true,
    sunday: true,
    holidays: true,
    addContact: true,
    editContact: true,
    delContact: true,
    whatsappId: null,
    queues: [],
    queueIds: [],
    profilePicUrl: null,
    mustChangePassword: false,
    substitution: [],
    awaitingApproval: false,
    version: 1,
  }
}

export function makeTicket(part: Partial<Ticket> = {}): Ticket {
  const id = part.id ?? 1
  return {
    id,
    status: 'open',
    queueId: 1,
    queue: { id: 1, name: 'Financeiro', color: '#D0702F' },
    userId: VIEWER.id,
    user: { id: VIEWER.id, name: 'Marina', profilePicUrl: null },
    contactId: id,
    contact: { id, name: `Cliente ${id}`, number: null, profilePicUrl: null, isGroup: false, tags: [] },
    whatsappId: 1,
    whatsapp: { id: 1, name: 'Loja Centro', api: 'baileys', status: 'CONNECTED' },
    isGroup: false,
    lastMessage: 'Oi',
    lastMessageType: 'chat',
    lastMessageFromMe: false,
    lastMessageState: null,
    lastMessageAt: toMinute(id),
    unreadMessages: 0,
    pauseTag: null,
    pauseUntil: null,
    answerSince: null,
    answerDueAt: null,
    windowUntil: null,
    isOutOfGroup: false,
    createdAt: toMinute(0),
    updatedAt: toMinute(0),
    acceptedAt: null,
    closedAt: null,
    version: 1,
    ...part,
  }
}

export function makeMessage(fields: Partial<Message> = {}): Message {
  const id = fields.id ?? 1
  return {
    ...BLANK,
    id,
    ticketId: 1,
    contactId: 1,
    seq: id,
    body: `mensagem ${id}`,
    fromMe: false,
    createdAt: toMinute(id),
    state: 'received',
    contact: { id: 1, name: 'Dona Lúcia' },
    ticket: { whatsapp: { api: 'baileys' } },
    version: 1,
    ...fields,
  }
}

/** The n-th minute of a fixed day. */
export function toMinute(n: number): string {
  return new Date(Date.UTC(2026, 10, 20, 8, n)).toISOString()
}

/** Numbers that look random and are the same in every run. */
export function makeRandom(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}
