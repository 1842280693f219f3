import { IdCard } from 'lucide-react'
import { togglePanel } from '../desk/view.ts'
import type { TicketAction } from './ticket-action.ts'

/** Shows or hides who the customer is. */
export const showContact: TicketAction = {
  id: 'ticket.contact',
  labelKey: 'action.contact',
  icon: IdCard,
  place: 'menu',
  when: () => true,
  perform() {
    togglePanel('contact')
  },
}
