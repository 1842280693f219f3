import { ArrowLeftRight } from 'lucide-react'
import { view } from '../desk/view.ts'
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
}
