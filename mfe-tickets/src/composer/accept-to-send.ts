// What is written in a conversation that waits goes out once it is accepted; the queue is asked for only where it can be several.
import { getTexts } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'
import { subscribe } from 'valtio'
import { findAcceptQueue, makeAcceptance } from '../actions/accept.ts'
import { change } from '../actions/change.ts'
import type { TicketContext } from '../actions/ticket-action.ts'
import { readQueues } from '../desk/lookups.ts'
import { getStores } from '../desk/stores.ts'
import { view } from '../desk/view.ts'

/** Whether the conversation is this person's now. Throws where the queues cannot be read. */
export async function acceptToSend(pressed: TicketContext): Promise<boolean> {
  const context = pressed.ticket.queueId === null ? { ...pressed, queues: await readQueues() } : pressed
  const queueId = findAcceptQueue(context)
  if (queueId === null) return askForQueue(context)
  return (await change(context, makeAcceptance(context, queueId))) !== null
}

/** The question of accepting; answered once it is gone from the screen. */
function askForQueue({ ticket: { id }, viewer }: TicketContext): Promise<boolean> {
  const isAsked = () => view.dialog?.kind === 'accept' && view.dialog.ticketId === id
  view.dialog = { kind: 'accept', ticketId: id }
  return new Promise(resolve => {
    const stop = subscribe(view, () => {
      if (isAsked()) return
      stop()
      const ticket = getStores().tickets.ticket(id)
      const isMine = ticket?.status === 'open' && ticket.userId === viewer.id
      if (!isMine && ticket?.status === 'open' && ticket.user)
        toast.info(getTexts('tickets')('takenBy', { name: ticket.user.name }), { key: 'ERR_OTHER_OPEN_TICKET' })
      resolve(isMine)
    })
  })
}
