// A conversation with somebody met in a group: the one that is open on this connection, else the form of a new one.
import { api } from '@balcao/ui/api'
import { showRefusal } from '../actions/change.ts'
import type { TicketContext } from '../actions/ticket-action.ts'
import { getStores } from '../desk/stores.ts'
import { startConversation } from '../new-ticket/state.ts'

export interface ContactReference {
  readonly contactId: number | null
  readonly name: string
  readonly number: string | null
}

/** Opens it; `context` is the ticket one looks at. */
export async function writeTo(context: TicketContext, { contactId, name, number }: ContactReference): Promise<void> {
  const from = getStores().shown.ticketId
  try {
    const query = { whatsappId: context.ticket.whatsappId }
    const live =
      contactId === null ? null : await api('GET /tickets/contact/:contactId', { params: { contactId }, query })
    if (getStores().shown.ticketId !== from) return
    if (!live) return startConversation({ ...(contactId ? { contactId } : {}), ...(number ? { number } : {}), name })
    getStores().tickets.take(live)
    context.open(live.id)
  } catch (error) {
    await showRefusal(error, context)
  }
}
