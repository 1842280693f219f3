import { UsersRound } from 'lucide-react'
import { togglePanel } from '../desk/view.ts'
import type { TicketAction } from './ticket-action.ts'

/** Shows or hides who is in the group. */
export const participants: TicketAction = {
  id: 'ticket.participants',
  labelKey: 'action.participants',
  icon: UsersRound,
  place: 'menu',
  when: ({ ticket }) => ticket.isGroup,
  perform: () => togglePanel('group'),
}
