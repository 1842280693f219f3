// What the numbers stand for that customers answer the bot with. Pure.
import { type Connection, type ConnectionBrief, hasFlow, type Question, type Ticket } from '@balcao/contract'

/** The menu a ticket is asked with; null where a flow of Typebot's asks, and until it is known who does. */
export type MenuOf = (ticket: Pick<Ticket, 'whatsappId'>) => readonly Question[] | null

type Known = readonly [
  questions: readonly Question[],
  queues: unknown,
  connections: readonly (Connection | ConnectionBrief)[],
]

export function menusOf(known: Known | null): MenuOf {
  if (!known) return () => null
  const [questions, , connections] = known
  const flows = new Set(connections.filter(hasFlow).map(({ id }) => id))
  return ({ whatsappId }) => (flows.has(whatsappId) ? null : questions)
}
