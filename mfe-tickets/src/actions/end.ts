// How a conversation ends and begins again.

import type { Ticket } from '@balcao/contract'
import { areLettersPaused } from '@balcao/ui/actions'
import { getTexts } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'
import { isSettingOn } from '@balcao/ui/session'
import { Check, CircleX, RotateCcw } from 'lucide-react'
import { view } from '../desk/view.ts'
import { server } from '../server.ts'
import { nameContact } from '../tickets/name-contact.ts'
import { change, showRefusal } from './change.ts'
import type { TicketAction, TicketContext } from './ticket-action.ts'

/** open → closed, with farewell; first the question about a protocol, where the company gives them (spec 1 §4). */
export const resolve: TicketAction = {
  id: 'ticket.resolve',
  labelKey: 'action.resolve',
  icon: Check,
  shortcut: 'E',
  place: 'main',
  when: ({ ticket }) => ticket.status === 'open',
  async perform(context) {
    if (shouldAskProtocol(context.ticket)) view.dialog = { kind: 'protocol', ticketId: context.ticket.id }
    else await close(context, false)
  },
  byKey({ ticket }) {
    view.dialog = { kind: shouldAskProtocol(ticket) ? 'protocol' : 'resolve', ticketId: ticket.id }
  },
  many: {
    ask: contexts => (contexts.some(({ ticket }) => shouldAskProtocol(ticket)) ? 'protocol' : null),
    async one({ ticket }, { protocol }) {
      if (protocol && shouldAskProtocol(ticket)) await server.protocol(ticket.id)
      return server.change(ticket.id, { status: 'closed' })
    },
    undo: ({ viewer }) => [{ status: 'open', userId: viewer.id }],
  },
}

/** The same with a protocol and without the question: no key that a sentence begins with. */
export const resolveWithProtocol: TicketAction = {
  id: 'ticket.resolveWithProtocol',
  labelKey: 'action.resolveWithProtocol',
  icon: Check,
  shortcut: 'Ctrl+Shift+Enter',
  place: 'menu',
  when: ({ ticket }) => ticket.status === 'open' && shouldAskProtocol(ticket),
  perform: async context => void (await closeWithProtocol(context)),
  byKey(context) {
    // A dialog is open: it asks something else.
    if (!areLettersPaused()) void closeWithProtocol(context)
  },
}

/** Whether the person is asked for a protocol; for groups the company has to want it twice. */
export function shouldAskProtocol({ isGroup }: Ticket): boolean {
  return isSettingOn('generateProtocol') && (!isGroup || isSettingOn('greetingProtocolGroup'))
}

/** Closes a ticket and says so, with the way back. */
export async function close(context: TicketContext, onlyClose: boolean): Promise<boolean> {
  const ticket = await change(context, { status: 'closed', ...(onlyClose ? { onlyClose: true } : {}) })
  if (!ticket) return false
  const t = getTexts('tickets')
  toast.success(t('resolved'), {
    // Of two in a row each says which it opens again.
    detail: nameContact(ticket.contact),
    action: { label: t('action.reopen'), perform: () => void reopenTicket({ ...context, ticket }) },
  })
  return true
}

/** Generates the protocol, then closes: the farewell goes out behind it, in the order in which they were stored. */
export async function closeWithProtocol(context: TicketContext): Promise<boolean> {
  const t = getTexts('tickets')
  try {
    const { protocolo, sent } = await server.protocol(context.ticket.id)
    toast.success(t('protocol.done'), { detail: t(sent ? 'protocol.number' : 'protocol.unsent', { protocolo }) })
  } catch (error) {
    await showRefusal(error, context)
    return false
  }
  return close(context, false)
}

/** open → closed without farewell and without protocol. */
export const closeSilently: TicketAction = {
  id: 'ticket.close',
  labelKey: 'action.close',
  icon: CircleX,
  place: 'menu',
  when: ({ ticket }) => ticket.status === 'open',
  perform: async context => void (await close(context, true)),
  many: {
    one: ({ ticket }) => server.change(ticket.id, { status: 'closed', onlyClose: true }),
    undo: ({ viewer }) => [{ status: 'open', userId: viewer.id }],
  },
}

/** bot or rating → closed. */
export const dismiss: TicketAction = {
  id: 'ticket.dismiss',
  labelKey: 'action.dismiss',
  icon: CircleX,
  place: 'menu',
  when: ({ ticket }) => ticket.status === 'bot' || ticket.status === 'nps',
  perform: async context => void (await close(context, true)),
  many: { one: ({ ticket }) => server.change(ticket.id, { status: 'closed', onlyClose: true }) },
}

/** closed → open, mine: with the key of accepting. */
export const reopen: TicketAction = {
  id: 'ticket.reopen',
  labelKey: 'action.reopen',
  icon: RotateCcw,
  shortcut: 'A',
  place: 'main',
  when: ({ ticket }) => ticket.status === 'closed',
  perform: reopenTicket,
  many: { one: ({ ticket, viewer }) => server.change(ticket.id, { status: 'open', userId: viewer.id }) },
}

export async function reopenTicket(context: TicketContext) {
  const ticket = await change(context, { status: 'open', userId: context.viewer.id })
  if (ticket) context.open(ticket.id)
}
