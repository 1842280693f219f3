// What a person keeps on top of the list, and lets go of: the same key does both.
import { reportErrors } from '@balcao/ui/ask'
import { Pin, PinOff } from 'lucide-react'
import { getStores } from '../desk/stores.ts'
import { server } from '../server.ts'
import type { TicketAction, TicketContext } from './ticket-action.ts'

export const pin: TicketAction = makePinAction('pin', true)
export const unpin: TicketAction = makePinAction('unpin', false)

function makePinAction(name: 'pin' | 'unpin', pinned: boolean): TicketAction {
  async function change({ ticket }: TicketContext) {
    await server.pin(ticket.id, pinned)
    getStores().tickets.takePin(ticket.id, pinned)
    return ticket
  }
  return {
    id: `ticket.${name}`,
    labelKey: `action.${name}`,
    icon: pinned ? Pin : PinOff,
    shortcut: 'Shift+P',
    place: 'menu',
    when: ({ ticket }) =>
      /^(open|pending|paused)$/.test(ticket.status) && getStores().tickets.isPinned(ticket.id) !== pinned,
    perform: async context => void (await reportErrors(() => change(context))),
    many: { one: change },
  }
}
