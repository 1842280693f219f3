import { Pause } from 'lucide-react'
import { view } from '../desk/view.ts'
import type { TicketAction } from './ticket-action.ts'

/** open → paused; needs a reason. */
export const pause: TicketAction = {
  id: 'ticket.pause',
  labelKey: 'action.pause',
  icon: Pause,
  shortcut: 'P',
  place: 'bar',
  when: ({ ticket }) => ticket.status === 'open',
  perform({ ticket }) {
    view.dialog = { kind: 'pause', ticketId: ticket.id }
  },
}
