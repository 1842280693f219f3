import { CircleX } from 'lucide-react'
import { server } from '../server.ts'
import { close } from './resolve.ts'
import type { TicketAction } from './ticket-action.ts'

/** open → closed without farewell and without protocol. */
export const closeSilently: TicketAction = {
  id: 'ticket.close',
  labelKey: 'action.close',
  icon: CircleX,
  place: 'menu',
  when: ({ ticket }) => ticket.status === 'open',
  perform: async context => void (await close(context, true)),
  many: {
    one: ({ ticket }) => server.change(ticket.id, { status: 'closed', onlyClose: true }),
    undo: ({ viewer }) => [{ status: 'open', userId: viewer.id }],
  },
}
