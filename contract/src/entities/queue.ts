import { Id, type Static, Type } from '../schema.ts'

export const QueueBrief = Type.Object({ id: Id, name: Type.String(), color: Type.String() })
export type QueueBrief = Static<typeof QueueBrief>

/** A queue (team) that groups tickets and users. `customOrder` 999 means no order of its own. */
export const Queue = Type.Object({
  id: Id,
  name: Type.String(),
  color: Type.String(),
  customOrder: Type.Integer(),
  greetingMessage: Type.String(),
  users: Type.Integer({ description: 'active people in this queue' }),
  open: Type.Integer({ description: 'tickets in service' }),
})
export type Queue = Static<typeof Queue>
