import { Check } from 'lucide-react'
import { view } from '../desk/view.ts'
import { change } from './change.ts'
import type { TicketAction, TicketContext } from './ticket-action.ts'

/** pending or bot → open, mine. A ticket without a queue gets one first, if there are queues (spec 1 §4). */
export const accept: TicketAction = {
  id: 'ticket.accept',
  labelKey: 'action.accept',
  icon: Check,
  shortcut: 'A',
  place: 'main',
  when: ({ ticket }) => ticket.status === 'pending' || ticket.status === 'bot',
  async perform(context) {
    if (needsQueue(context)) {
      view.dialog = { kind: 'accept', ticketId: context.ticket.id }
      return
    }
    await acceptWith(context, null)
  },
}

/** Who serves no queue at all accepts without one; an administrator may choose any. */
export function needsQueue({ ticket, queues, viewer }: TicketContext): boolean {
  return ticket.queueId === null && queuesFor({ queues, viewer }).length > 0
}

/** The queues this person may take a ticket into. */
export function queuesFor({ queues, viewer }: Pick<TicketContext, 'queues' | 'viewer'>) {
  return queues.filter(queue => viewer.profile === 'admin' || viewer.queueIds.includes(queue.id))
}

export async function acceptWith(context: TicketContext, queueId: number | null): Promise<boolean> {
  // Who accepts wants to write, however shortly ago they were stepping through the list.
  view.steppedAt = 0
  const ticket = await change(context, {
    status: 'open',
    userId: context.viewer.id,
    ...(queueId === null ? {} : { queueId }),
  })
  if (ticket) context.open(ticket.id)
  return ticket !== null
}
