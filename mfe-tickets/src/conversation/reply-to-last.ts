import type { Message, Ticket } from '@balcao/contract'
import type { Action } from '@balcao/ui/actions'
import { reply } from '../actions/message-action.ts'

/** R answers the message the keyboard is on, else the customer's last one. */
export function replyToLast(ticket: Ticket, messages: () => readonly Message[]): Action {
  function target(): Message | undefined {
    const focused = document.activeElement?.closest<HTMLElement>('[data-message]')?.dataset.message
    return messages().find(message => String(message.id) === focused) ?? messages().findLast(message => !message.fromMe)
  }
  return {
    id: reply.id,
    labelKey: `tickets:${reply.labelKey}`,
    groupKey: 'tickets:action.group',
    icon: reply.icon,
    shortcut: reply.shortcut,
    when() {
      const message = target()
      return message !== undefined && reply.when({ ticket, message })
    },
    perform() {
      const message = target()
      if (message) void reply.perform({ ticket, message })
    },
  }
}
