// The calls about single messages beyond writing them.
import type { AnswerOf, Contact, Message, MessageInformation, Ticket } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { currentLanguage } from '@balcao/ui/i18n'

export const messageCalls = {
  forward(id: number, contacts: readonly number[], clientId: string): Promise<AnswerOf<'POST /messages/forward/:id'>> {
    return api('POST /messages/forward/:id', { params: { id }, body: { contacts: [...contacts], clientId } })
  },
  information(id: number): Promise<MessageInformation> {
    return api('GET /messages/info/:id', { params: { id } })
  },
  transcribe(id: number): Promise<Message> {
    return api('POST /messages/transcribe/:id', { params: { id } })
  },
  async summary(ticketId: number): Promise<string> {
    const query = { language: currentLanguage() }
    return (await api('POST /tickets/ai/resume/:id', { params: { id: ticketId }, query })).resume
  },
  async contacts(searchParam: string, signal: AbortSignal): Promise<readonly Contact[]> {
    return (await api('GET /contacts', { query: searchParam === '' ? {} : { searchParam }, signal })).contacts
  },
  contactWith(name: string, number: string): Promise<Contact> {
    return api('POST /contact', { body: { name, number } })
  },
  liveTicketOf(contactId: number): Promise<Ticket | null> {
    return api('GET /tickets/contact/:contactId', { params: { contactId } })
  },
}
