// Builds a scheduled send for tests; only what a test is about is named in it.
import type { Schedule } from '@balcao/contract'

export function makeSchedule(part: Partial<Schedule> = {}): Schedule {
  return {
    ...{ id: 1, title: 'Aviso', message: 'Até amanhã', recurrence: 'every_day', RValue: '', sendAt: '08:30' },
    ...{ nextRunAt: null, enviado: false, enviados: 0, total: 0, allContacts: false, contactsIds: '', tagsIds: '4' },
    ...{ contacts: [], tags: [{ id: 4, name: 'Recorrente', color: '#1f8fb5' }], whatsappId: 2, whatsapp: null },
    ...{ mediaUrl: null, mediaType: null, mediaName: null, template: null, firstSend: false, onlyWorkingHours: false },
    ...{ state: 'waiting', stateReason: null, stateUser: null, run: null, userId: 1, program: null },
    ...{ createdAt: '', updatedAt: '', version: 1, ...part },
  }
}
