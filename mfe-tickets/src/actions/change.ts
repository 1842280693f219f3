// Changing a ticket from the desk: the answer goes into the store at once, a refusal is told with what to do about it.
import type { Ticket } from '@balcao/contract'
import { isApiError } from '@balcao/ui/api'
import { errorText, textsOf } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'
import { desk } from '../desk/desk.ts'
import { server, type TicketChange } from '../server.ts'
import type { TicketContext } from './ticket-action.ts'

/** The changed ticket, or null when the server refused. */
export async function change(context: TicketContext, body: TicketChange): Promise<Ticket | null> {
  try {
    const ticket = await server.change(context.ticket.id, body)
    desk().tickets.take(ticket)
    return ticket
  } catch (error) {
    await tellRefusal(error, context)
    return null
  }
}

/** Says why something did not happen; with who has the other ticket, if that is the reason (spec 1 §8). */
export async function tellRefusal(error: unknown, context: Pick<TicketContext, 'ticket' | 'open'>) {
  const t = textsOf('tickets')
  if (!isApiError(error, 'ERR_OTHER_OPEN_TICKET')) {
    toast.error(errorText(error))
    if (isApiError(error, 'ERR_INVALID_TRANSITION')) await refresh(context.ticket.id)
    return
  }
  const { id, user, queue } = otherTicketOf(error.details)
  const other = id === null ? null : await load(id)
  if (other) desk().tickets.take(other)
  const holder = [
    (other?.user?.name ?? user) && t('otherTicket.with', { name: other?.user?.name ?? user }),
    (other?.queue?.name ?? queue) && t('otherTicket.in', { name: other?.queue?.name ?? queue }),
  ].filter(part => part)
  toast.error(t(`otherTicket.${other?.status ?? 'open'}`), {
    key: 'ERR_OTHER_OPEN_TICKET',
    detail: holder.length > 0 ? `${holder.join(', ')}.` : undefined,
    action: other ? { label: t('otherTicket.see'), perform: () => context.open(other.id) } : undefined,
  })
}

interface OtherTicket {
  readonly id: number | null
  readonly user: string | null
  readonly queue: string | null
}

/** What the server says of the ticket that is in the way: its id, and who has it where. */
export function otherTicketOf(details: unknown): OtherTicket {
  const field = (name: string): unknown =>
    typeof details === 'object' && details !== null ? Reflect.get(details, name) : undefined
  const id = field('ticketId')
  const user = field('user')
  const queue = field('queue')
  return {
    id: typeof id === 'number' ? id : null,
    user: typeof user === 'string' ? user : null,
    queue: typeof queue === 'string' ? queue : null,
  }
}

async function refresh(id: number) {
  const ticket = await load(id)
  if (ticket) desk().tickets.take(ticket)
}

async function load(id: number): Promise<Ticket | null> {
  try {
    return await server.ticket(id)
  } catch {
    return null
  }
}
