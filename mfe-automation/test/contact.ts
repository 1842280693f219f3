// Builds a contact for tests; only what a test is about is named in it.
import type { Contact } from '@balcao/contract'

export function makeContact(part: Partial<Contact>): Contact {
  return {
    ...{ id: 1, name: 'Dona Lúcia', number: '5531998762210', profilePicUrl: null, isGroup: false, tags: [], email: '' },
    ...{
      respostaAutomatica: true,
      numbers: ['5531998762210', '553198762210'],
      extraInfo: [],
      redirect: [],
      queueIds: [],
      userIds: [],
    },
    ...{ optedOutAt: null, createdAt: '2026-11-01T12:00:00.000Z', version: 1 },
    ...part,
  }
}
