import { ContactReference } from '../contacts/contact.ts'
import { Id, Nullable, type Static, Type } from '../kit/schema.ts'
import { UserBrief } from '../users/user.ts'

/** A number a customer can quote later. While a ticket has one it cannot be deleted (spec 1 §4, spec 3). */
export const Protocol = Type.Object({
  id: Id,
  protocolo: Type.String(),
  mensagem: Type.String(),
  ticketId: Id,
  contactId: Id,
  contact: ContactReference,
  user: Nullable(UserBrief),
  createdAt: Type.String(),
  version: Type.Integer(),
})
export type Protocol = Static<typeof Protocol>
