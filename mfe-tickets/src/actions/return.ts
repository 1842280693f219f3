import { Undo2 } from 'lucide-react'
import { server } from '../server.ts'
import { change } from './change.ts'
import type { TicketAction } from './ticket-action.ts'

/** open → pending, for whoever is free. */
export const returnToWaiting: TicketAction = {
  id: 'ticket.return',
  labelKey: 'action.return',
  icon: Undo2,
  place: 'bar',
  when: ({ ticket }) => ticket.status === 'open',
  async perform(context) {
    await change(context, { status: 'pending', userId: null })
  },
  many: {
    one: ({ ticket }) => server.change(ticket.id, { status: 'pending', userId: null }),
    undo: ({ viewer }) => [{ status: 'open', userId: viewer.id }],
  },
}
