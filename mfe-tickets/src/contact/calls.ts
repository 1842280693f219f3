// The calls of drawers and schedules, one line each.
import type { AnswerOf, BodyOf, Contact, GalleryKind, GroupInfo, Schedule, Tag, Ticket, User } from '@balcao/contract'
import { api, upload } from '@balcao/ui/api'

export const calls = {
  contact(id: number): Promise<Contact> {
    return api('GET /contacts/:id', { params: { id } })
  },
  addContact(body: BodyOf<'POST /contacts'>): Promise<Contact> {
    return api('POST /contacts', { body })
  },
  changeContact(id: number, body: BodyOf<'PUT /contacts/:id'>): Promise<Contact> {
    return api('PUT /contacts/:id', { params: { id }, body })
  },
  async findContacts(searchParam: string, signal: AbortSignal): Promise<readonly Contact[]> {
    return (await api('GET /contacts', { query: { searchParam }, signal })).contacts
  },
  tickets(id: number, cursor?: string): Promise<AnswerOf<'GET /contacts/:id/tickets'>> {
    return api('GET /contacts/:id/tickets', { params: { id }, query: cursor ? { cursor } : {} })
  },
  gallery(
    ticketId: number,
    query: { kind: GalleryKind; cursor?: string; limit?: number },
  ): Promise<AnswerOf<'GET /messages/gallery/:ticketId'>> {
    return api('GET /messages/gallery/:ticketId', { params: { ticketId }, query })
  },
  group(id: number): Promise<GroupInfo> {
    return api('GET /contact/group/:id', { params: { id } })
  },
  liveTicket(contactId: number, whatsappId: number): Promise<Ticket | null> {
    return api('GET /tickets/contact/:contactId', { params: { contactId }, query: { whatsappId } })
  },
  tags(): Promise<Tag[]> {
    return api('GET /tag')
  },
  addTag(name: string, color: string): Promise<Tag> {
    return api('POST /tag', { body: { name, color } })
  },
  async users(): Promise<readonly User[]> {
    return (await api('GET /users', { query: { all: 'true' } })).users
  },
  async schedules(contactId: number): Promise<readonly Schedule[]> {
    return (await api('GET /agendamento', { query: { contactId } })).agendamentos
  },
  schedule(id: number): Promise<Schedule> {
    return api('GET /agendamento/:id', { params: { id } })
  },
  async recipients(query: { allContacts: boolean; contactsIds: string; tagsIds: string }): Promise<number> {
    const { count } = await api('GET /agendamento/count', {
      query: { ...query, allContacts: query.allContacts ? 'true' : 'false' },
    })
    return count
  },
  saveSchedule(id: number | null, body: FormData): Promise<Schedule> {
    if (id === null) return upload('POST /agendamento', { body })
    return upload('PUT /agendamento/:id', { params: { id }, body })
  },
  removeScheduleFile(id: number): Promise<undefined> {
    return api('DELETE /agendamento/file/:id', { params: { id } })
  },
  deleteSchedule(id: number): Promise<undefined> {
    return api('DELETE /agendamento/:id', { params: { id } })
  },
}
