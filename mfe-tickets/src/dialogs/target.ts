// What a dialog decides about: the conversation that is open, or several at once.
import { actionOf } from '../actions/register.ts'
import type { Given, TicketContext } from '../actions/ticket-action.ts'
import { runMany } from '../bulk/run.ts'
import { closeDialog } from '../desk/view.ts'

export interface Target {
  /** The first of them; where there is one, the one. */
  readonly context: TicketContext
  readonly contexts: readonly TicketContext[]
  /** Set for several at once: does it to all of them and tells how it went. */
  readonly many: ((given: Given) => void) | null
}

export function targetOf(contexts: readonly TicketContext[], actionId: string | undefined): Target | null {
  const [context] = contexts
  const action = actionId === undefined ? undefined : actionOf(actionId)
  if (!context) return null
  return {
    context,
    contexts,
    many: action
      ? given => {
          closeDialog()
          void runMany(action, contexts, given)
        }
      : null,
  }
}
