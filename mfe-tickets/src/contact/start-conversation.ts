// A conversation with somebody met in a group: the one that is open on this connection, else the form of a new one.
import { api } from '@balcao/ui/api'
import { tellRefusal } from '../actions/change.ts'
import type { TicketContext } from '../actions/ticket-action.ts'
import { stores } from '../desk/stores.ts'
import { startConversation } from '../new-ticket/state.ts'

export interface Somebody {
  readonly contactId: number | null
  readonly name: string
  readonly number: string | null
}

/** Opens it; `context` is the ticket one looks at. */
export async function writeTo(context: TicketContext, { contactId, name, number }: Somebody): Promise<void> {
  try {
    const query = { whatsappId: context.ticket.whatsappId }
    const live =
      contactId === null ? null : await api('GET /tickets/contact/:contactId', { params: { contactId }, query })
    if (!live) return startConversation({ ...(contactId ? { contactId } : {}), ...(number ? { number } : {}), name })
    stores().tickets.take(live)
    context.open(live.id)
  } catch (error) {
    await tellRefusal(error, context)
  }
}
