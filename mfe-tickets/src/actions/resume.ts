import { Play } from 'lucide-react'
import { server } from '../server.ts'
import { change } from './change.ts'
import type { TicketAction } from './ticket-action.ts'

/** paused → open; nobody has it until somebody writes. P goes both ways. */
export const resume: TicketAction = {
  id: 'ticket.resume',
  labelKey: 'action.resume',
  icon: Play,
  shortcut: 'P',
  place: 'main',
  when: ({ ticket }) => ticket.status === 'paused',
  async perform(context) {
    await change(context, { status: 'open', userId: null })
  },
  many: { one: ({ ticket }) => server.change(ticket.id, { status: 'open', userId: null }) },
}
