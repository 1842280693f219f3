import { RotateCcw } from 'lucide-react'
import { server } from '../server.ts'
import { change } from './change.ts'
import type { TicketAction, TicketContext } from './ticket-action.ts'

/** closed → open, mine: with the key of accepting. */
export const reopen: TicketAction = {
  id: 'ticket.reopen',
  labelKey: 'action.reopen',
  icon: RotateCcw,
  shortcut: 'A',
  place: 'main',
  when: ({ ticket }) => ticket.status === 'closed',
  perform: reopenTicket,
  many: { one: ({ ticket, viewer }) => server.change(ticket.id, { status: 'open', userId: viewer.id }) },
}

export async function reopenTicket(context: TicketContext) {
  const ticket = await change(context, { status: 'open', userId: context.viewer.id })
  if (ticket) context.open(ticket.id)
}
