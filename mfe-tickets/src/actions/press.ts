import type { MouseEvent } from 'react'
import type { TicketAction, TicketContext } from './ticket-action.ts'

/** A double press is one: by its second half the button that undoes the first may stand there (Resolver, Reabrir). */
export function press({ detail }: MouseEvent, action: TicketAction, context: TicketContext) {
  if (detail < 2) void action.perform(context)
}
