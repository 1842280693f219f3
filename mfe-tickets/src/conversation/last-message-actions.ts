import type { Message, Ticket } from '@balcao/contract'
import type { Action } from '@balcao/ui/actions'
import { forward, type MessageAction, reply } from '../actions/message-action.ts'
import { openForward, view } from '../desk/view.ts'

/** R answers the message the keyboard is on, else the customer's last one; forwarded are those that are marked, else that one or the last. */
export function makeLastMessageActions(ticket: Ticket, listMessages: () => readonly Message[]): Action[] {
  const answer = toPageAction(reply, message => !message.fromMe)
  const pass = toPageAction(forward, message => forward.when({ ticket, message }))
  function passOn() {
    if (!forwardMarked()) void pass.perform()
  }
  return [answer, { ...pass, perform: passOn }]

  function toPageAction(action: MessageAction, isMeant: (message: Message) => boolean): Action {
    function find(): Message | undefined {
      const focused = document.activeElement?.closest<HTMLElement>('[data-message]')?.dataset.message
      const messages = listMessages()
      const message = messages.find(({ id }) => String(id) === focused) ?? messages.findLast(isMeant)
      return message && action.when({ ticket, message }) ? message : undefined
    }
    return {
      id: action.id,
      labelKey: `tickets:${action.labelKey}`,
      groupKey: 'tickets:action.group',
      icon: action.icon,
      shortcut: action.shortcut,
      when: () => find() !== undefined,
      perform() {
        const message = find()
        if (message) void action.perform({ ticket, message })
      },
    }
  }

  function forwardMarked(): boolean {
    const marked = listMessages().filter(({ id }) => view.marks?.ids.includes(id))
    if (marked.length > 0) openForward(ticket.id, ...marked.map(({ id }) => id))
    return marked.length > 0
  }
}
