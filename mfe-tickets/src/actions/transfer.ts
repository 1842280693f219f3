// Giving a conversation to somebody else, or to whoever is free.

import { ArrowLeftRight, Undo2, UserPlus } from 'lucide-react'
import { server } from '../server.ts'
import { change } from './change.ts'
import { makeDialogOpener, type TicketAction } from './ticket-action.ts'

/** To another queue, person or connection. */
export const transfer: TicketAction = {
  id: 'ticket.transfer',
  labelKey: 'action.transfer',
  icon: ArrowLeftRight,
  shortcut: 'T',
  place: 'bar',
  when: ({ ticket }) => ticket.status === 'open' || ticket.status === 'pending' || ticket.status === 'paused',
  perform: makeDialogOpener('transfer'),
  many: { ask: () => 'transfer', one: ({ ticket }, request) => server.change(ticket.id, request) },
}

/** Without giving it away: a colleague follows it and may comment. */
export const askIn: TicketAction = {
  id: 'ticket.askIn',
  labelKey: 'action.askIn',
  icon: UserPlus,
  shortcut: 'C',
  place: 'menu',
  when: transfer.when,
  perform: makeDialogOpener('followers'),
}

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
