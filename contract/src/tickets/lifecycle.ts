// Which changes of a ticket's status are legal (spec 1 §4, decisions §4).
import type { TicketStatus } from './ticket.ts'

/** What a person can do to a ticket; each names one way from one status to another. */
export const TRANSITIONS = {
  accept: { from: ['pending', 'bot'], to: 'open' },
  return: { from: ['open'], to: 'pending' },
  resolve: { from: ['open'], to: 'closed' },
  pause: { from: ['open'], to: 'paused' },
  resume: { from: ['paused'], to: 'open' },
  reopen: { from: ['closed'], to: 'open' },
  release: { from: ['bot'], to: 'pending' },
  dismiss: { from: ['bot', 'nps'], to: 'closed' },
} as const satisfies Record<string, { from: readonly TicketStatus[]; to: TicketStatus }>

export type Transition = keyof typeof TRANSITIONS

/**
 * The transition that leads from one status to another, or null where none does.
 * @example findTransition('pending', 'open') // 'accept'
 */
export function findTransition(from: TicketStatus, to: TicketStatus): Transition | null {
  for (const [name, way] of Object.entries(TRANSITIONS)) {
    if (way.to === to && (way.from as readonly TicketStatus[]).includes(from)) return name as Transition
  }
  return null
}
