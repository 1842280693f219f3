// What is written in a conversation that waits goes out once it is accepted; the queue is asked for only where it can be several.
import { getTexts } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'
import { subscribe } from 'valtio'
import { isQueueNeeded, listAcceptQueues } from '../actions/accept.ts'
import { change } from '../actions/change.ts'
import type { TicketContext } from '../actions/ticket-action.ts'
import { listConnectionQueues, readQueues } from '../desk/lookups.ts'
import { getStores } from '../desk/stores.ts'
import { view } from '../desk/view.ts'

/** Whether the conversation is this person's now. Throws where the queues cannot be read. */
export async function acceptToSend(pressed: TicketContext): Promise<boolean> {
  const context = pressed.ticket.queueId === null ? { ...pressed, queues: await readQueues() } : pressed
  const queueId = isQueueNeeded(context) ? findOnlyQueue(context) : undefined
  if (queueId === null) return askForQueue(context)
  const userId = context.viewer.id
  return (await change(context, { status: 'open', userId, ...(queueId ? { queueId } : {}) })) !== null
}

/** The one queue it can only be meant for, as for the next who waits; null where there are several. */
function findOnlyQueue(context: TicketContext): number | null {
  const allowed = listAcceptQueues(context).map(({ id }) => id)
  const shared = listConnectionQueues(context.ticket.whatsappId).filter(id => allowed.includes(id))
  const [first = null, ...more] = shared.length > 0 ? shared : allowed
  return more.length === 0 ? first : null
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
