import { reportErrors } from '@balcao/ui/ask'
import { MessageSquareDot } from 'lucide-react'
import { getStores } from '../desk/stores.ts'
import { server } from '../server.ts'
import type { TicketAction } from './ticket-action.ts'

/** Puts it back among what is unread, and leaves it: what lies open would be read again at once. */
export const markUnread: TicketAction = {
  id: 'ticket.unread',
  labelKey: 'action.unread',
  icon: MessageSquareDot,
  shortcut: 'U',
  place: 'menu',
  when: ({ ticket }) => /^(open|pending|paused)$/.test(ticket.status) && ticket.unreadMessages === 0,
  async perform({ ticket, open }) {
    if (getStores().shown.ticketId === ticket.id) open(null)
    await reportErrors(() => server.markUnread(ticket.id))
  },
  many: {
    async one({ ticket }) {
      await server.markUnread(ticket.id)
      return ticket
    },
  },
}
