// Which dialog about a message or its ticket is open.
import { stateOfSession } from '@balcao/ui/session'

export interface MessageDialog {
  readonly kind: 'forward' | 'information' | 'summary'
  readonly ticketId: number
  /** Of no use for a summary. */
  readonly messageId: number
}

export const messageDialogs = stateOfSession<{ open: MessageDialog | null }>(() => ({ open: null }))

export function openMessageDialog(dialog: MessageDialog) {
  messageDialogs.open = dialog
}

export function closeMessageDialog() {
  messageDialogs.open = null
}
