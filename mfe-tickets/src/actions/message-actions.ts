// What a person can do to one message. Rules: spec 1 §5 "Message menu"; what the connection cannot do is not shown.
import type { Message, Ticket } from '@balcao/contract'
import { textsOf } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'
import { Copy, type LucideIcon, Pencil, Reply, Trash2 } from 'lucide-react'
import { commentText, splitSignature } from '../composer/wording.ts'
import { view } from '../desk/view.ts'
import { mayEdit, mayReact, mayRevoke } from './message-rules.ts'

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
  readonly perform: (context: MessageContext) => void | Promise<void>
}

export const reply: MessageAction = {
  id: 'message.reply',
  labelKey: 'action.reply',
  icon: Reply,
  shortcut: 'R',
  when: ({ ticket, message }) => ticket.status === 'open' && message.mediaType !== 'comment' && !message.isDeleted,
  perform({ ticket, message }) {
    view.target[ticket.id] = { kind: 'reply', message }
  },
}

export const copy: MessageAction = {
  id: 'message.copy',
  labelKey: 'action.copy',
  icon: Copy,
  when: ({ message }) => message.body.trim() !== '' && !message.isDeleted && message.mediaType !== 'location',
  async perform({ message }) {
    const text = message.mediaType === 'comment' ? commentText(message.body) : splitSignature(message.body).body
    await navigator.clipboard.writeText(text)
    toast.success(textsOf('tickets')('copied'))
  },
}

export const edit: MessageAction = {
  id: 'message.edit',
  labelKey: 'action.edit',
  icon: Pencil,
  when: ({ ticket, message }) => mayEdit(ticket, message, Date.now()),
  perform({ ticket, message }) {
    view.target[ticket.id] = { kind: 'edit', message }
  },
}

export const remove: MessageAction = {
  id: 'message.delete',
  labelKey: 'action.deleteMessage',
  icon: Trash2,
  danger: true,
  when: ({ ticket, message }) => mayRevoke(ticket, message),
  perform({ ticket, message }) {
    view.dialog = { kind: 'deleteMessage', ticketId: ticket.id, messageId: message.id }
  },
}

export const MESSAGE_ACTIONS: readonly MessageAction[] = [reply, copy, edit, remove]
export { mayReact }
