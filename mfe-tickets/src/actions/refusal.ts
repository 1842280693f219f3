// Why a change of a ticket was refused, and what to do about it.
import type { OtherOpenTicket, Ticket, TicketStatus } from '@balcao/contract'
import { readField } from '@balcao/contract/kit/read-field'
import { isApiError } from '@balcao/ui/api'
import { describeError, getTexts } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'
import { getStores } from '../desk/stores.ts'
import { closeDialog, view } from '../desk/view.ts'
import { showInTheWay } from '../new-ticket/state.ts'
import { server } from '../server.ts'
import type { TicketContext } from './ticket-action.ts'

/** Says it; with who has the other ticket, if that is the reason (spec 1 §8). */
export async function explainRefusal(error: unknown, context: Pick<TicketContext, 'ticket' | 'open'>) {
  const t = getTexts('tickets')
  const other = isApiError(error, 'ERR_OTHER_OPEN_TICKET') ? parseOtherTicket(error.details) : null
  if (!other) {
    const moved = isApiError(error, 'ERR_NO_PERMISSION') && !(await refresh(context.ticket.id))
    if (moved) {
      leaveDialog(context.ticket.id)
      toast.info(t('movedOn'))
    } else toast.error(describeError(error))
    if (isApiError(error, 'ERR_INVALID_TRANSITION')) await refresh(context.ticket.id)
    return
  }
  if (other.ticket) getStores().tickets.take(other.ticket)
  if (other.ticketId !== context.ticket.id) {
    showInTheWay(other)
    return
  }
  // A colleague was faster with this very conversation: news, nothing to decide, nor in a dialog.
  leaveDialog(context.ticket.id)
  toast.info(other.user ? t('takenBy', { name: other.user }) : t('movedOn'), { key: 'ERR_OTHER_OPEN_TICKET' })
}

function leaveDialog(ticketId: number) {
  if (view.dialog?.ticketId === ticketId && !view.dialog.actionId) closeDialog()
}

/** What the server says of the ticket that is in the way; null when it says nothing one could use. */
export function parseOtherTicket(details: unknown): OtherOpenTicket | null {
  const field = (name: string) => readField(details, name)
  const id = field('ticketId')
  const status = field('status')
  if (typeof id !== 'number' || !isStatus(status)) return null
  const text = (name: string) => {
    const value = field(name)
    return typeof value === 'string' ? value : null
  }
  const userId = field('userId')
  const ticket = field('ticket')
  return {
    ticketId: id,
    status,
    userId: typeof userId === 'number' ? userId : null,
    user: text('user'),
    queue: text('queue'),
    ...(typeof field('askPass') === 'string' ? { askPass: text('askPass') ?? '' } : {}),
    ...(isTicket(ticket, id) ? { ticket } : {}),
  }
}

const STATUSES: Record<TicketStatus, true> = {
  pending: true,
  open: true,
  paused: true,
  bot: true,
  nps: true,
  closed: true,
}

function isStatus(value: unknown): value is TicketStatus {
  return typeof value === 'string' && Object.hasOwn(STATUSES, value)
}

function isTicket(value: unknown, id: number): value is Ticket {
  return typeof value === 'object' && value !== null && 'id' in value && value.id === id
}

/** Whether the ticket may still be read; one that may not leaves by its own event. */
async function refresh(id: number): Promise<boolean> {
  try {
    await getStores().tickets.fetch(() => server.ticket(id))
    return true
  } catch (error) {
    return !isApiError(error, 'ERR_NO_PERMISSION')
  }
}
