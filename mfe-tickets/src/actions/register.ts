// All ticket actions, in the order header and menu show them.
import { FOLLOWER_DEEDS } from '@balcao/contract/tickets/deeds'
import type { Action } from '@balcao/ui/actions'
import '../conversation/texts.ts'
import { canServe } from '../tickets/served.ts'
import { accept, acceptBeforeBot, take, takeOver } from './accept.ts'
import { deleteTicket } from './delete-ticket.ts'
import { closeSilently, dismiss, reopen, resolve, resolveWithProtocol } from './end.ts'
import { pause, resume } from './hold.ts'
import { markUnread } from './mark-unread.ts'
import { pin, unpin } from './pin.ts'
import {
  findMessages,
  goToDay,
  integration,
  offerChoices,
  participants,
  schedule,
  showContact,
  showFiles,
  showLog,
  summary,
  why,
} from './show.ts'
import type { TicketAction, TicketContext } from './ticket-action.ts'
import { askIn, returnToWaiting, transfer } from './transfer.ts'

export const TICKET_ACTIONS: readonly TicketAction[] = [
  accept,
  acceptBeforeBot,
  resolve,
  resolveWithProtocol,
  reopen,
  resume,
  take,
  takeOver,
  transfer,
  askIn,
  pause,
  returnToWaiting,
  markUnread,
  pin,
  unpin,
  findMessages,
  goToDay,
  schedule,
  offerChoices,
  showContact,
  showFiles,
  summary,
  participants,
  integration,
  why,
  showLog,
  closeSilently,
  dismiss,
  deleteTicket,
].map(limitToServing)

/** Who only follows a ticket is offered what the server takes from them. */
function limitToServing(action: TicketAction): TicketAction {
  if (FOLLOWER_DEEDS.some(deed => action.id === `ticket.${deed}`)) return action
  return { ...action, when: context => canServe(context.viewer, context.ticket) && action.when(context) }
}

export function findAction(id: string): TicketAction | undefined {
  return TICKET_ACTIONS.find(action => action.id === id)
}

/** The actions possible on a ticket now. */
export function listActions(context: TicketContext): readonly TicketAction[] {
  return TICKET_ACTIONS.filter(action => action.when(context))
}

/** The same for the register of the page: shortcuts, palette and help. */
export function toPageActions(context: TicketContext): Action[] {
  return listActions(context).map(action => ({
    when: () => (action.reasonKey?.(context) ?? null) === null,
    id: action.id,
    labelKey: `tickets:${action.labelKey}`,
    groupKey: 'tickets:action.group',
    icon: action.icon,
    shortcut: action.shortcut,
    perform: () => (action.byKey ?? action.perform)(context),
  }))
}
