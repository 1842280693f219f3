import { Search } from 'lucide-react'
import { view } from '../desk/view.ts'
import type { TicketAction } from './ticket-action.ts'

/** Finds messages in the conversation. */
export const findMessages: TicketAction = {
  id: 'ticket.find',
  labelKey: 'action.find',
  icon: Search,
  shortcut: 'F',
  place: 'bar',
  when: () => true,
  perform({ ticket }) {
    view.find = view.find === ticket.id ? null : ticket.id
  },
}
