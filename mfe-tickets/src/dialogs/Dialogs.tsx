// The dialog that is open.
import './texts.ts'
import type { Ticket } from '@balcao/contract'
import { useEffect } from 'react'
import type { TicketContext } from '../actions/ticket-action.ts'
import { ChoicesDialog } from '../composer/ChoicesDialog.tsx'
import { awaitComposer } from '../composer/coming.ts'
import { useTicketContexts } from '../desk/use-ticket-context.ts'
import { closeDialog, type OpenDialog } from '../desk/view.ts'
import '../message/late.ts'
import { ForwardDialog } from '../message/ForwardDialog.tsx'
import { InformationDialog } from '../message/InformationDialog.tsx'
import { SummaryDialog } from '../message/SummaryDialog.tsx'
import { TranslationDialog } from '../message/TranslationDialog.tsx'
import { AcceptDialog } from './AcceptDialog.tsx'
import { DeleteMessageDialog, DeleteTicketDialog } from './DeleteDialogs.tsx'
import { FollowersDialog } from './FollowersDialog.tsx'
import { PauseDialog } from './PauseDialog.tsx'
import { ResolveDialog } from './ResolveDialog.tsx'
import { TransferDialog } from './TransferDialog.tsx'
import { type DialogTarget, resolveTarget } from './target.ts'
import { WhyDialog } from './WhyDialog.tsx'

/** In which status each dialog has something to decide; the others always do. */
const STILL_ASKED: Partial<Record<OpenDialog['kind'], readonly string[]>> = {
  accept: ['pending', 'bot', 'open'],
  choices: ['open'],
  followers: ['pending', 'open', 'paused'],
  pause: ['open'],
  protocol: ['open'],
  resolve: ['open'],
}

export default function Dialogs({ dialog }: { readonly dialog: OpenDialog }) {
  const contexts = useTicketContexts(dialog.ticketIds ?? [dialog.ticketId])
  const target = resolveTarget(contexts, dialog.actionId)
  const settled = target === null || (!dialog.actionId && isSettled(dialog.kind, target.context.ticket))
  const isMine = target !== null && isWrittenTo(target.context)
  // A colleague was faster, or the conversation left this person's sight: what the dialog asks is no longer a question.
  useEffect(() => {
    if (!settled) return
    closeDialog()
    // Answered in another tab: the composer came while the dialog had the focus.
    if (isMine) awaitComposer(dialog.ticketId).stands()
  }, [settled, isMine, dialog.ticketId])
  return target && <One dialog={dialog} target={target} />
}

function isWrittenTo({ ticket, viewer }: TicketContext): boolean {
  return ticket.status === 'open' && ticket.userId === viewer.id
}

function isSettled(kind: OpenDialog['kind'], { status, userId }: Ticket): boolean {
  const taken = kind === 'accept' && status === 'open' && userId !== null
  return taken || STILL_ASKED[kind]?.includes(status) === false
}

function One({ dialog, target }: { readonly dialog: OpenDialog; readonly target: DialogTarget }) {
  switch (dialog.kind) {
    case 'accept':
      return <AcceptDialog target={target} />
    case 'pause':
      return <PauseDialog target={target} />
    case 'transfer':
      return <TransferDialog target={target} proposed={dialog.userId ?? null} />
    case 'protocol':
    case 'resolve':
      return <ResolveDialog target={target} protocol={dialog.kind === 'protocol'} />
    case 'deleteTicket':
      return <DeleteTicketDialog target={target} />
    case 'choices':
      return <ChoicesDialog ticket={target.context.ticket} onClose={closeDialog} />
    case 'why':
      return <WhyDialog context={target.context} />
    case 'followers':
      return <FollowersDialog context={target.context} />
    case 'deleteMessage':
      return <DeleteMessageDialog context={target.context} messageId={dialog.messageId ?? 0} />
    case 'forward':
      return <ForwardDialog ticket={target.context.ticket} messageIds={dialog.messageIds ?? []} />
    case 'information':
      return <InformationDialog ticket={target.context.ticket} messageId={dialog.messageId ?? 0} />
    case 'translation':
      return <TranslationDialog ticket={target.context.ticket} messageId={dialog.messageId ?? 0} />
    case 'summary':
      return <SummaryDialog ticket={target.context.ticket} />
  }
}
