import type { Ticket } from '@balcao/contract'
import { useNavigate } from '@balcao/ui/router'
import { useSetting, useUser } from '@balcao/ui/session'
import { useCallback, useMemo } from 'react'
import type { TicketContext } from '../actions/ticket-action.ts'
import { useTickets } from '../tickets/use-tickets.ts'
import { useLookups } from './lookups.ts'
import { makeReady } from './stores.ts'
import { view } from './view.ts'

/** Opens a ticket in the address; null goes back to the list. Its messages are asked for at once, not when the screen is drawn. */
export function useOpenTicket() {
  const navigate = useNavigate()
  return useCallback(
    (id: number | null) => {
      if (view.steppedTo !== id) view.steppedTo = null
      if (id !== null && id !== view.neighbours?.of) view.neighbours = null
      if (id !== null) void makeReady(id)
      void navigate(id === null ? '/tickets' : `/tickets/${id}`)
    },
    [navigate],
  )
}

/** What the actions on a ticket need to know. */
export function useTicketContext(ticket: Ticket): TicketContext {
  const around = useAround()
  return useMemo(() => ({ ticket, ...around }), [ticket, around])
}

/** The same for several; what is not in the store is left out. */
export function useTicketContexts(ids: readonly number[]): readonly TicketContext[] {
  const around = useAround()
  const tickets = useTickets(ids)
  return useMemo(() => tickets.map(ticket => ({ ticket, ...around })), [tickets, around])
}

/** What the actions need to know besides the ticket; the same object until something of it changes. */
export function useAround(): Omit<TicketContext, 'ticket'> {
  const user = useUser()
  const { queues } = useLookups()
  const open = useOpenTicket()
  const navigate = useNavigate()
  const scheduler = useSetting('allowAgendador')
  const integration = useSetting('uriIframe').trim() !== ''
  return useMemo(
    () => ({
      viewer: { id: user.id, profile: user.profile, queueIds: user.queues.map(queue => queue.id) },
      queues,
      offers: { scheduler, integration },
      open,
      goTo: path => void navigate(path),
    }),
    [user.id, user.profile, user.queues, queues, scheduler, integration, open, navigate],
  )
}
