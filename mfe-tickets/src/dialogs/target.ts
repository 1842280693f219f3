// What a dialog decides about: the conversation that is open, or several at once.
import { findAction } from '../actions/register.ts'
import type { TicketActionChange, TicketContext } from '../actions/ticket-action.ts'
import { runMany } from '../bulk/run.ts'
import { closeDialog } from '../desk/view.ts'

export interface DialogTarget {
  /** The first of them; where there is one, the one. */
  readonly context: TicketContext
  readonly contexts: readonly TicketContext[]
  /** Set for several at once: does it to all of them and tells how it went. */
  readonly many: ((change: TicketActionChange) => void) | null
}

export function resolveTarget(contexts: readonly TicketContext[], actionId: string | undefined): DialogTarget | null {
  const [context] = contexts
  const action = actionId === undefined ? undefined : findAction(actionId)
  if (!context) return null
  return {
    context,
    contexts,
    many: action
      ? request => {
          closeDialog()
          void runMany(action, contexts, request)
        }
      : null,
  }
}
