// The dialogs about a message, loaded with their texts when the first one is opened.
import type { Ticket } from '@balcao/contract'
import './late.ts'
import { ForwardDialog } from './ForwardDialog.tsx'
import { InformationDialog } from './InformationDialog.tsx'
import type { MessageDialog } from './message-dialogs.ts'
import { SummaryDialog } from './SummaryDialog.tsx'

interface MessageDialogsProps {
  readonly dialog: MessageDialog
  readonly ticket: Ticket
}

export default function MessageDialogs({ dialog, ticket }: MessageDialogsProps) {
  switch (dialog.kind) {
    case 'forward':
      return <ForwardDialog ticket={ticket} messageId={dialog.messageId} />
    case 'information':
      return <InformationDialog ticket={ticket} messageId={dialog.messageId} />
    case 'summary':
      return <SummaryDialog ticket={ticket} />
  }
}
