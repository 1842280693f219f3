// What a person can do to one message, and answering it, which a key does too. The rest comes with the menu: `message-actions.ts`.
import type { Message, Ticket } from '@balcao/contract'
import { getMessageKind } from '@balcao/contract/messages/message-kinds'
import { type LucideIcon, Reply } from 'lucide-react'
import { view } from '../desk/view.ts'

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
