// Changing a ticket from the desk: the answer goes into the store at once, a refusal is told with what to do about it.
import type { Ticket } from '@balcao/contract'
import { describeError } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'
import { keepPerSession } from '@balcao/ui/session'
import { awaitComposer } from '../composer/coming.ts'
import { keepNeighbours } from '../desk/next.ts'
import { getStores } from '../desk/stores.ts'
import { view } from '../desk/view.ts'
import { server, type TicketUpdateBody } from '../server.ts'
import type { TicketContext } from './ticket-action.ts'

/** The tickets whose change is on its way. */
const changing = keepPerSession(() => new Set<number>())

/** The changed ticket, or null when the server refused or is still busy with what was asked before. */
export async function change(context: TicketContext, body: TicketUpdateBody): Promise<Ticket | null> {
  const busy = changing()
  if (busy.has(context.ticket.id)) return null
  busy.add(context.ticket.id)
  // Who accepts or resumes wants to write, though J or K led there.
  view.steppedTo = null
  keepNeighbours(context.ticket.id)
  const isForMe = body.userId === null || body.userId === undefined || body.userId === context.viewer.id
  const composer = body.status === 'open' && isForMe ? awaitComposer(context.ticket.id) : null
  try {
    const ticket = await server.change(context.ticket.id, body)
    getStores().tickets.take(ticket)
    composer?.stands()
    return ticket
  } catch (error) {
    composer?.fails('refused')
    await showRefusal(error, context)
    return null
  } finally {
    busy.delete(context.ticket.id)
  }
}

/** Says why something did not happen; what that takes comes with the first refusal, and where it does not come the sentence is said alone. */
export async function showRefusal(error: unknown, context: Pick<TicketContext, 'ticket' | 'open'>) {
  const refusal = await import('./refusal.ts').catch(() => null)
  if (refusal) await refusal.explainRefusal(error, context)
  else toast.error(describeError(error))
}
