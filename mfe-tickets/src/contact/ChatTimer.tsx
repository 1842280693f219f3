// In the header of a conversation: that its messages disappear, and after how long.
import type { Ticket } from '@balcao/contract'
import { getCapabilities } from '@balcao/contract/connections/kinds'
import { useTexts } from '@balcao/ui/i18n'
import { Tooltip } from '@balcao/ui/parts'
import { Timer } from 'lucide-react'
import './late.ts'
import { describeTimer } from './describe-timer.ts'
import { useChatContext } from './use-chat-context.ts'

interface ChatTimerProps {
  readonly ticket: Ticket
}

/** The official API knows of no timers: nothing is asked there. */
export function ChatTimer({ ticket }: ChatTimerProps) {
  return getCapabilities(ticket.whatsapp.api).window24h ? null : <TimerMark ticket={ticket} />
}

function TimerMark({ ticket }: ChatTimerProps) {
  const t = useTexts('tickets')
  const { disappearsAfter } = useChatContext(ticket) ?? {}
  if (!disappearsAfter) return null
  const words = `${t('drawer.disappearing')}: ${describeTimer(disappearsAfter, t)}`
  // The empty title keeps the hint of the button around it from lying over this one.
  return (
    <Tooltip text={words}>
      <span className="x-timer" title="">
        <Timer size={15} strokeWidth={2} aria-hidden="true" />
        <span className="b-only-read">{words}</span>
      </span>
    </Tooltip>
  )
}
