// What the numbers stand for that customers answer the bot with. Pure.
import { type Connection, type ConnectionBrief, hasFlow, type Question, type Ticket } from '@balcao/contract'

/** The menu a ticket is asked with; null where a flow of Typebot's asks, and until it is known who does. */
export type MenuLookup = (ticket: Pick<Ticket, 'whatsappId'>) => readonly Question[] | null

type MenuData = readonly [
  questions: readonly Question[],
  queues: unknown,
  connections: readonly (Connection | ConnectionBrief)[],
]

export function createMenuLookup(known: MenuData | null): MenuLookup {
  if (!known) return () => null
  const [questions, , connections] = known
  const flows = new Set(connections.filter(hasFlow).map(({ id }) => id))
  return ({ whatsappId }) => (flows.has(whatsappId) ? null : questions)
}
