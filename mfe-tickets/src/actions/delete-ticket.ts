import { Trash2 } from 'lucide-react'
import { server } from '../server.ts'
import { makeDialogOpener, type TicketAction } from './ticket-action.ts'

/** With all its messages; administrators only (spec 1 §6). */
export const deleteTicket: TicketAction = {
  id: 'ticket.delete',
  labelKey: 'action.delete',
  icon: Trash2,
  danger: true,
  place: 'menu',
  when: ({ viewer }) => viewer.profile === 'admin',
  perform: makeDialogOpener('deleteTicket'),
  many: {
    ask: () => 'deleteTicket',
    async one({ ticket }) {
      await server.remove(ticket.id)
      return null
    },
  },
}
