// The dialog that is open, loaded when the first one is.

import type { Ticket } from '@balcao/contract'
import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import type { TicketContext } from '../actions/ticket-action.ts'
import { useTicketContext } from '../desk/use-ticket-context.ts'
import { closeDialog, type OpenDialog, view } from '../desk/view.ts'
import { useTicket } from '../tickets/use-tickets.ts'
import { AcceptDialog } from './AcceptDialog.tsx'
import { DeleteMessageDialog, DeleteTicketDialog } from './DeleteDialogs.tsx'
import { PauseDialog } from './PauseDialog.tsx'
import { TransferDialog } from './TransferDialog.tsx'
import { WhyDialog } from './WhyDialog.tsx'

/** In which status each dialog has something to decide; the others always do. */
const STILL_ASKED: Partial<Record<OpenDialog['kind'], readonly Ticket['status'][]>> = {
  accept: ['pending', 'bot'],
  pause: ['open'],
}

export default function Dialogs({ dialog }: { readonly dialog: OpenDialog }) {
  useSnapshot(view)
  const ticket = useTicket(dialog.ticketId)
  return ticket ? <WithContext dialog={dialog} ticket={ticket} /> : null
}

function WithContext({ dialog, ticket }: { readonly dialog: OpenDialog; readonly ticket: Ticket }) {
  const context = useTicketContext(ticket)
  const settled = STILL_ASKED[dialog.kind]?.includes(ticket.status) === false
  // A colleague was faster: what the dialog asks is no longer a question.
  useEffect(() => {
    if (settled) closeDialog()
  }, [settled])
  return <One dialog={dialog} context={context} />
}

function One({ dialog, context }: { readonly dialog: OpenDialog; readonly context: TicketContext }) {
  switch (dialog.kind) {
    case 'accept':
      return <AcceptDialog context={context} />
    case 'pause':
      return <PauseDialog context={context} />
    case 'transfer':
      return <TransferDialog context={context} />
    case 'deleteTicket':
      return <DeleteTicketDialog context={context} />
    case 'why':
      return <WhyDialog context={context} />
    case 'deleteMessage':
      return <DeleteMessageDialog context={context} messageId={dialog.messageId ?? 0} />
  }
}
