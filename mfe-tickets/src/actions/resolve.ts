import { textsOf } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'
import { Check } from 'lucide-react'
import { change } from './change.ts'
import { reopenTicket } from './reopen.ts'
import type { TicketAction, TicketContext } from './ticket-action.ts'

/** open → closed, with farewell. */
export const resolve: TicketAction = {
  id: 'ticket.resolve',
  labelKey: 'action.resolve',
  icon: Check,
  shortcut: 'E',
  place: 'main',
  when: ({ ticket }) => ticket.status === 'open',
  perform: context => close(context, false),
}

/** Closes a ticket and says so, with the way back. */
export async function close(context: TicketContext, onlyClose: boolean) {
  const ticket = await change(context, { status: 'closed', ...(onlyClose ? { onlyClose: true } : {}) })
  if (!ticket) return
  const t = textsOf('tickets')
  toast.success(t('resolved'), {
    action: { label: t('action.reopen'), perform: () => void reopenTicket({ ...context, ticket }) },
  })
}
