import type { Ticket } from '@balcao/contract'
import { isApiError } from '@balcao/ui/api'
import { errorText, useTexts } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'
import { useEffect, useRef } from 'react'
import { server } from '../server.ts'
import { useTicket } from '../tickets/use-tickets.ts'
import { desk } from './desk.ts'

/**
 * The ticket of the address: from the store, else fetched. One that is refused, missing, deleted or moved out of sight
 * leads back to the list, and says why (spec 1 §6, §4 "List behaviour"). That a colleague took it is news, not a failure.
 */
export function useOpenedTicket(ticketId: number | null, open: (id: number | null) => void): Ticket | undefined {
  const t = useTexts('tickets')
  const ticket = useTicket(ticketId ?? 0)
  const had = useRef<number | null>(null)
  const missing = ticketId !== null && ticket === undefined

  useEffect(() => {
    if (ticket) had.current = ticket.id
  }, [ticket])

  useEffect(() => {
    if (!missing || ticketId === null) return
    const wasThere = had.current === ticketId
    let left = false
    desk()
      .tickets.fetch(() => server.ticket(ticketId))
      .catch((error: unknown) => {
        if (left) return
        if (isApiError(error, 'ERR_NO_PERMISSION'))
          if (wasThere) toast.info(t('movedOn'))
          else toast.error(t('noPermission'))
        else if (wasThere && isApiError(error, 'ERR_NO_TICKET_FOUND')) toast.info(t('ticketDeleted'))
        else toast.error(errorText(error))
        open(null)
      })
    return () => {
      left = true
    }
  }, [missing, ticketId, open, t])
  return ticketId === null ? undefined : ticket
}
