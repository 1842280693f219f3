import type { Message, Ticket } from '@balcao/contract'
import type { Action } from '@balcao/ui/actions'
import { forward, type MessageAction, reply } from '../actions/message-action.ts'
import { openForward, view } from '../desk/view.ts'

/** R answers the message the keyboard is on where it can be, else the customer's last one; forwarded are those that are marked, else that one or the last. */
export function makeLastMessageActions(ticket: Ticket, listMessages: () => readonly Message[]): Action[] {
  const answer = toPageAction(reply, message => !message.fromMe)
  const pass = toPageAction(forward, message => forward.when({ ticket, message }))
  return [answer, { ...pass, when: () => listMarked().length > 0 || pass.when(), perform: passOn }]

  function toPageAction(action: MessageAction, isMeant: (message: Message) => boolean) {
    // Also once the palette has given the focus back: what it offered is what happens.
    function find(): Message | undefined {
      const focused = document.activeElement?.closest<HTMLElement>('[data-message]')?.dataset.message
      const messages = listMessages()
      const isPossible = (message?: Message) => message !== undefined && action.when({ ticket, message })
      return [messages.find(({ id }) => String(id) === focused), messages.findLast(isMeant)].find(isPossible)
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

  function listMarked(): number[] {
    const marked = listMessages().filter(({ id }) => view.marks?.ids.includes(id))
    return marked.map(({ id }) => id)
  }

  function passOn() {
    const marked = listMarked()
    if (marked.length > 0) openForward(ticket.id, ...marked)
    else pass.perform()
  }
}
