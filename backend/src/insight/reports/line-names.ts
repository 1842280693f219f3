// What a ticket of a report has instead of a queue or a person.
import type { TicketLine } from './tickets.ts'

/** The name of its queue, or what stands for none. */
export function getQueueName({ queueId, queue }: TicketLine, none: string): string {
  return queueId === null ? none : queue
}

/** The name of its person, or what stands for nobody. */
export function getPersonName({ userId, user }: TicketLine, none: string): string {
  return userId === null ? none : user
}
