import { CircleX } from 'lucide-react'
import { close } from './resolve.ts'
import type { TicketAction } from './ticket-action.ts'

/** open → closed without farewell and without protocol. */
export const closeSilently: TicketAction = {
  id: 'ticket.close',
  labelKey: 'action.close',
  icon: CircleX,
  place: 'menu',
  when: ({ ticket }) => ticket.status === 'open',
  perform: context => close(context, true),
}
