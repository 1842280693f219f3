import type { Endpoint } from '../kit/endpoint.ts'
import { Id, Nullable, Type } from '../kit/schema.ts'
import { Contact } from './contact.ts'

export const numberCheckEndpoints = {
  'GET /contacts/check/:number': {
    summary: 'Whether WhatsApp knows a number; needs the right addContact, and not too often: 429 with Retry-After',
    errors: ['ERR_NO_WAPP_FOUND', 'ERR_WAPP_CHECK_CONTACT', 'ERR_TOO_MANY_ATTEMPTS'],
    query: Type.Object({ whatsappId: Type.Optional(Id) }),
    answer: Type.Object({
      /** Null where nobody can tell: the official API has no such question. */
      exists: Nullable(Type.Boolean()),
      /** The number as WhatsApp knows it, with or without the ninth digit. */
      number: Type.String(),
      /** The contact this number already belongs to. */
      contact: Nullable(Contact),
    }),
  },
} as const satisfies Record<string, Endpoint>
