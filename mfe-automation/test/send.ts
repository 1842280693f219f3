// Builds a mass send for tests; only what a test is about is named in it.
import type { MassSend } from '@balcao/contract'

export function makeMassSend(part: Partial<MassSend> = {}): MassSend {
  return {
    ...{ id: 1, mensagem: 'Oi, {{name}}', state: 'running', stateReason: null, stateAt: '2026-11-23T12:00:00.000Z' },
    ...{ stateUser: null, enviados: 0, falhas: 0, total: 10, allContacts: false, contactsIds: '', tagsIds: '4' },
    ...{ onlyWorkingHours: false, onlyWhoWrote: false, whatsappId: 1, whatsapp: null, template: null },
    ...{ mediaUrl: null, mediaType: null, mediaName: null, agendamentoId: null, resumesAt: null, endsAt: null },
    ...{ userId: 1, user: null, createdAt: '2026-11-23T11:00:00.000Z', endedAt: null, version: 1, ...part },
  }
}
