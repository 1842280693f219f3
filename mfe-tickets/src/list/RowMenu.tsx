// What can be done to a conversation of the list, where it was clicked with the other button.
import type { Ticket } from '@balcao/contract'
import { useTexts } from '@balcao/ui/i18n'
import { MenuPanel, Portal } from '@balcao/ui/parts'
import { useLayoutEffect, useRef, useState } from 'react'
import '../dialogs/texts.ts'
import { toMenuItems } from '../actions/menu-items.ts'
import { listActions } from '../actions/register.ts'
import type { TicketAction, TicketContext } from '../actions/ticket-action.ts'
import { useTicketContext } from '../desk/use-ticket-context.ts'
import { useTicket } from '../tickets/use-tickets.ts'

interface RowMenuProps {
  readonly id: number
  /** In pixels of the window. */
  readonly x: number
  readonly y: number
  readonly onClose: () => void
}

export default function RowMenu({ id, ...rest }: RowMenuProps) {
  const ticket = useTicket(id)
  return ticket ? <Menu ticket={ticket} {...rest} /> : null
}

function Menu({ ticket, x, y, onClose }: Omit<RowMenuProps, 'id'> & { readonly ticket: Ticket }) {
  const t = useTexts('tickets')
  const context = useTicketContext(ticket)
  const anchor = useRef<HTMLSpanElement>(null)
  const [isPlaced, setPlaced] = useState(false)
  useLayoutEffect(() => setPlaced(true), [])
  const actions = listActions(context).filter(action => action.many)
  return (
    <>
      <Portal>
        <span ref={anchor} style={{ position: 'fixed', left: x, top: y }} />
      </Portal>
      {isPlaced && (
        <MenuPanel
          anchor={anchor}
          label={t('more')}
          items={toMenuItems(actions.map(openFirst), context, t)}
          align="start"
          onClose={onClose}
        />
      )}
    </>
  )
}

/** What may ask something asks it beside the conversation. */
function openFirst(action: TicketAction): TicketAction {
  return {
    ...action,
    perform(context: TicketContext) {
      if (action.many?.ask) context.open(context.ticket.id)
      return action.perform(context)
    },
  }
}
