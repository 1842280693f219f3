import { ContactReference } from '../contacts/contact.ts'
import { Id, Instant, Nullable, type Static, Type } from '../kit/schema.ts'
import { QueueBrief } from '../queues/queue.ts'
import { UserBrief } from '../users/user.ts'

/** What a customer answered to a survey (spec 3 §3 "NPS entry"; decisions-2 §11): whatever becomes of queue and person, their names stay. */
export const RatingEntry = Type.Object({
  id: Id,
  contact: ContactReference,
  rate: Type.Integer({ minimum: 1, maximum: 5 }),
  user: Nullable(UserBrief),
  queue: Nullable(QueueBrief),
  whatsapp: Type.Object({ id: Id, name: Type.String() }),
  createdAt: Instant,
  ticketId: Id,
})
export type RatingEntry = Static<typeof RatingEntry>
