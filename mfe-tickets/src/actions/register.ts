// All ticket actions, in the order header and menu show them.
import type { Action } from '@balcao/ui/actions'
import { accept, acceptBeforeBot, take } from './accept.ts'
import { closeSilently } from './close.ts'
import { showContact } from './contact.ts'
import { deleteTicket } from './delete-ticket.ts'
import { dismiss } from './dismiss.ts'
import { findMessages } from './find.ts'
import { integration } from './integration.ts'
import { participants } from './participants.ts'
import { pause } from './pause.ts'
import { reopen } from './reopen.ts'
import { resolve } from './resolve.ts'
import { resume } from './resume.ts'
import { returnToWaiting } from './return.ts'
import { schedule } from './schedule.ts'
import { summary } from './summary.ts'
import type { TicketAction, TicketContext } from './ticket-action.ts'
import { transfer } from './transfer.ts'
import { why } from './why.ts'

export const TICKET_ACTIONS: readonly TicketAction[] = [
  accept,
  acceptBeforeBot,
  resolve,
  reopen,
  resume,
  take,
  transfer,
  pause,
  returnToWaiting,
  findMessages,
  schedule,
  showContact,
  summary,
  participants,
  integration,
  why,
  closeSilently,
  dismiss,
  deleteTicket,
]

export function actionOf(id: string): TicketAction | undefined {
  return TICKET_ACTIONS.find(action => action.id === id)
}

/** The actions possible on a ticket now. */
export function actionsOn(context: TicketContext): readonly TicketAction[] {
  return TICKET_ACTIONS.filter(action => action.when(context))
}

/** The same for the register of the page: shortcuts, palette and help. */
export function asPageActions(context: TicketContext): Action[] {
  return actionsOn(context).map(action => ({
    when: () => (action.reasonKey?.(context) ?? null) === null,
    id: action.id,
    labelKey: `tickets:${action.labelKey}`,
    groupKey: 'tickets:action.group',
    icon: action.icon,
    shortcut: action.shortcut,
    perform: () => (action.byKey ?? action.perform)(context),
  }))
}
