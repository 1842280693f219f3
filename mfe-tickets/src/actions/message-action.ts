// What a person can do to one message, and answering and forwarding it, which the page does too. The rest comes with the menu: `message-actions.ts`.
import type { Message, Ticket } from '@balcao/contract'
import { getMessageKind } from '@balcao/contract/messages/message-kinds'
import { Forward, type LucideIcon, Reply } from 'lucide-react'
import { openForward, view } from '../desk/view.ts'
import { canForward } from '../message/can-forward.ts'

export interface MessageContext {
  readonly ticket: Ticket
  readonly message: Message
}

export interface MessageAction {
  readonly id: string
  readonly labelKey: string
  readonly icon: LucideIcon
  readonly shortcut?: string
  readonly danger?: boolean
  readonly when: (context: MessageContext) => boolean
  /** The key of why it cannot be done just now, though it is shown; null when it can. */
  readonly reasonKey?: (context: MessageContext) => string | null
  readonly perform: (context: MessageContext) => void | Promise<void>
}

export const reply: MessageAction = {
  id: 'message.reply',
  labelKey: 'action.reply',
  icon: Reply,
  shortcut: 'R',
  when: ({ ticket, message }) =>
    ticket.status === 'open' && getMessageKind(message.mediaType).quotable && !message.isDeleted,
  perform({ ticket, message }) {
    view.target[ticket.id] = { kind: 'reply', message }
  },
}

export const forward: MessageAction = {
  id: 'message.forward',
  labelKey: 'action.forward',
  icon: Forward,
  when: ({ message }) => canForward(message),
  perform: ({ ticket, message }) => openForward(ticket.id, message.id),
}
