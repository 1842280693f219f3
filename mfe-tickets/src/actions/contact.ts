import { IdCard } from 'lucide-react'
import { view } from '../desk/view.ts'
import type { TicketAction } from './ticket-action.ts'

/** Shows or hides who the customer is. */
export const showContact: TicketAction = {
  id: 'ticket.contact',
  labelKey: 'action.contact',
  icon: IdCard,
  place: 'menu',
  when: () => true,
  perform() {
    view.drawer = !view.drawer
  },
}
