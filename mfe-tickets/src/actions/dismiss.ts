import { CircleX } from 'lucide-react'
import { server } from '../server.ts'
import { close } from './resolve.ts'
import type { TicketAction } from './ticket-action.ts'

/** bot or rating → closed. */
export const dismiss: TicketAction = {
  id: 'ticket.dismiss',
  labelKey: 'action.dismiss',
  icon: CircleX,
  place: 'menu',
  when: ({ ticket }) => ticket.status === 'bot' || ticket.status === 'nps',
  perform: async context => void (await close(context, true)),
  many: { one: ({ ticket }) => server.change(ticket.id, { status: 'closed', onlyClose: true }) },
}
