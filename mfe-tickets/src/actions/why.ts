import { ShieldQuestionMark } from 'lucide-react'
import { view } from '../desk/view.ts'
import type { TicketAction } from './ticket-action.ts'

/** Why somebody may or may not see this ticket; administrators only. */
export const why: TicketAction = {
  id: 'ticket.why',
  labelKey: 'action.why',
  icon: ShieldQuestionMark,
  place: 'menu',
  when: ({ viewer }) => viewer.profile === 'admin',
  perform({ ticket }) {
    view.dialog = { kind: 'why', ticketId: ticket.id }
  },
}
