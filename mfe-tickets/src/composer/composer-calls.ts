// The calls of what opens over the composer, one line each.
import type { AnswerOf, BodyOf, Contact, Message } from '@balcao/contract'
import { api } from '@balcao/ui/api'

export const composerCalls = {
  templates(
    ticketId: number,
    query: { searchParam?: string; pageNumber: number },
    signal: AbortSignal,
  ): Promise<AnswerOf<'GET /meta/templates/:ticketId'>> {
    return api('GET /meta/templates/:ticketId', { params: { ticketId }, query, signal })
  },
  sendTemplate(ticketId: number, template: BodyOf<'POST /meta/templates'>['template']): Promise<Message> {
    return api('POST /meta/templates', { body: { ticketId, template } })
  },
  async contacts(searchParam: string, signal: AbortSignal): Promise<readonly Contact[]> {
    return (await api('GET /contacts', { query: { searchParam }, signal })).contacts
  },
  sendCard(ticketId: number, contactId: number): Promise<Message> {
    return api('POST /messages/vcard/:ticketId', { params: { ticketId }, body: { contactId } })
  },
}
