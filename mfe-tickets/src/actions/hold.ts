// Holding a conversation and going on with it.

import { Pause, Play } from 'lucide-react'
import { server } from '../server.ts'
import { change } from './change.ts'
import { makeDialogOpener, type TicketAction } from './ticket-action.ts'

/** open → paused; needs a reason. */
export const pause: TicketAction = {
  id: 'ticket.pause',
  labelKey: 'action.pause',
  icon: Pause,
  shortcut: 'P',
  place: 'bar',
  when: ({ ticket }) => ticket.status === 'open',
  perform: makeDialogOpener('pause'),
  many: {
    ask: () => 'pause',
    one: ({ ticket }, request) => server.change(ticket.id, { ...request, status: 'paused' }),
    // Resumed nobody has it; whose it was takes it again.
    undo: ({ ticket, viewer }) => [
      { status: 'open', userId: null },
      ...(ticket.userId === viewer.id ? [{ status: 'open' as const, userId: viewer.id }] : []),
    ],
  },
}

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
