// From a contact card to a conversation: the live one where there is one, otherwise the dialog for a new one.
import { api } from '@balcao/ui/api'
import { reportErrors } from '@balcao/ui/ask'
import { getStores } from '../desk/stores.ts'
import { startConversation } from '../new-ticket/state.ts'

/** `number`: as the card writes it. Finds or makes the contact (POST /contact) and opens a conversation with it. A refusal is told; nothing is thrown. */
export function openConversationWith(name: string, number: string, open: (ticketId: number) => void) {
  const from = getStores().shown.ticketId
  return reportErrors(async () => {
    const contact = await api('POST /contact', { body: { name, number } })
    const live = await api('GET /tickets/contact/:contactId', { params: { contactId: contact.id } })
    // Who went on meanwhile stays where they are.
    if (getStores().shown.ticketId !== from) return
    if (!live) return startConversation({ contactId: contact.id })
    getStores().tickets.take(live)
    open(live.id)
  })
}
