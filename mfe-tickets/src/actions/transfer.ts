import { ArrowLeftRight } from 'lucide-react'
import { view } from '../desk/view.ts'
import { server } from '../server.ts'
import type { TicketAction } from './ticket-action.ts'

/** To another queue, person or connection. */
export const transfer: TicketAction = {
  id: 'ticket.transfer',
  labelKey: 'action.transfer',
  icon: ArrowLeftRight,
  shortcut: 'T',
  place: 'bar',
  when: ({ ticket }) => ticket.status === 'open' || ticket.status === 'pending' || ticket.status === 'paused',
  perform({ ticket }) {
    view.dialog = { kind: 'transfer', ticketId: ticket.id }
  },
  many: { ask: () => 'transfer', one: ({ ticket }, given) => server.change(ticket.id, given) },
}
