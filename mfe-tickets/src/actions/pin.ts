// What a person keeps on top of the list, and lets go of: the same key does both.
import { ApiError, isApiError } from '@balcao/ui/api'
import { reportErrors } from '@balcao/ui/ask'
import { Pin, PinOff } from 'lucide-react'
import { getStores } from '../desk/stores.ts'
import { server } from '../server.ts'
import type { TicketAction, TicketContext } from './ticket-action.ts'

export const pin: TicketAction = makePinAction('pin', true)
export const unpin: TicketAction = makePinAction('unpin', false)

function makePinAction(name: 'pin' | 'unpin', pinned: boolean): TicketAction {
  async function change({ ticket }: TicketContext) {
    await server.pin(ticket.id, pinned).catch(sayLimit)
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

/** There is no field to stand by: what is wrong with it is what is told. */
function sayLimit(error: unknown): never {
  const limit = isApiError(error, 'ERR_VALIDATION') ? error.field('pinned') : null
  if (isApiError(error) && limit) throw new ApiError(error.code, error.status, limit.message)
  throw error
}
