import { Sparkles } from 'lucide-react'
import { aiNow } from '../message/ai.ts'
import { openMessageDialog } from '../message/message-dialogs.ts'
import type { TicketAction } from './ticket-action.ts'

/** The conversation in a few lines, written by the AI (spec 1 §7). */
export const summary: TicketAction = {
  id: 'ticket.summary',
  labelKey: 'action.summary',
  icon: Sparkles,
  place: 'menu',
  when: () => true,
  reasonKey: () => (aiNow() === 'off' ? 'msg.noAi' : null),
  perform({ ticket }) {
    openMessageDialog({ kind: 'summary', ticketId: ticket.id, messageId: 0 })
  },
}
