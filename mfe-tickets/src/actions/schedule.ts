import { CalendarClock } from 'lucide-react'
import { view } from '../desk/view.ts'
import type { TicketAction } from './ticket-action.ts'

/** A message for later; a user sends to contacts of own tickets alone (decisions §4). */
export const schedule: TicketAction = {
  id: 'ticket.schedule',
  labelKey: 'action.schedule',
  icon: CalendarClock,
  place: 'menu',
  when: ({ ticket, viewer, offers }) => offers.scheduler && (viewer.profile !== 'user' || ticket.userId === viewer.id),
  perform({ ticket }) {
    view.dialog = { kind: 'schedule', ticketId: ticket.id }
  },
}
