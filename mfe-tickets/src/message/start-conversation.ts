// From a contact card to a conversation: the live one where there is one, otherwise a new one.
import type { Contact } from '@balcao/contract'
import { runAction } from '@balcao/ui/actions'
import { errorText } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'
import { session } from '@balcao/ui/session'
import { tellRefusal } from '../actions/change.ts'
import { desk } from '../desk/desk.ts'
import { view } from '../desk/view.ts'
import { messageCalls } from './message-calls.ts'

interface Card {
  readonly name: string
  readonly number: string
  /** The ticket the card came in: a new conversation begins on its connection. */
  readonly ticketId: number
}

/** Finds or makes the contact (POST /contact) and opens a conversation with it. A refusal is told; nothing is thrown. */
export async function startConversation({ name, number, ticketId }: Card, open: (ticketId: number | null) => void) {
  try {
    const contact = await messageCalls.contactWith(name, number)
    const live = await messageCalls.liveTicketOf(contact.id)
    if (live) {
      desk().tickets.take(live)
      return open(live.id)
    }
    view.newTicketFor = contact
    if (!runAction('ticket.new')) await begin(contact, ticketId, open)
  } catch (error) {
    toast.error(errorText(error))
  }
}

/** Without asking: on the same connection, in the same queue or the first the person has. */
async function begin(contact: Contact, ticketId: number, open: (ticketId: number | null) => void) {
  view.newTicketFor = null
  const ticket = desk().tickets.ticket(ticketId)
  const mine = session.user?.queues.map(queue => queue.id) ?? []
  const same = ticket?.queueId ?? null
  const queueId = same !== null && (session.user?.profile === 'admin' || mine.includes(same)) ? same : mine[0]
  if (!ticket || queueId === undefined) return
  try {
    const made = await messageCalls.openTicket(contact.id, queueId, ticket.whatsappId)
    desk().tickets.take(made)
    open(made.id)
  } catch (error) {
    await tellRefusal(error, { ticket, open })
  }
}
