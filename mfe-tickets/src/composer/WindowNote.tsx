// Whether free words go out: not to a group we are out of; on the official API for how long yet, and what to do instead.
import type { Ticket } from '@balcao/contract'
import { formatListTime, formatTime, useTexts } from '@balcao/ui/i18n'
import { Banner, Icon } from '@balcao/ui/parts'
import { Clock, UserRoundX } from 'lucide-react'
import { useMinute } from '../use-minute.ts'
import './late.ts'
import { computeMinutesLeft } from './window.ts'

const SOON = 120

interface WindowNoteProps {
  readonly ticket: Ticket
  readonly onTemplate: () => void
}

export default function WindowNote({ ticket, onTemplate }: WindowNoteProps) {
  const t = useTexts('tickets')
  const now = useMinute()
  const left = computeMinutesLeft(ticket, now)
  if (ticket.isOutOfGroup)
    return (
      <Banner kind="waiting" icon={UserRoundX}>
        {t('composer.outOfGroup')}
      </Banner>
    )
  if (left === null) return null
  if (left === 0)
    return (
      <Banner kind="waiting" icon={Clock}>
        {t(ticket.windowUntil ? 'composer.windowClosed' : 'composer.windowNever')}{' '}
        <button type="button" className="b-link" onClick={onTemplate}>
          {t('composer.chooseTemplate')}
        </button>
      </Banner>
    )
  const until = ticket.windowUntil ?? ''
  const day = formatListTime(until, now)
  const time = formatTime(until)
  return (
    <p className={left <= SOON ? 'k-window is-soon' : 'k-window'}>
      <Icon of={Clock} size={14} />
      {t('composer.windowLeft', {
        left:
          left < 60 ? t('composer.minutes', { count: left }) : t('composer.hours', { count: Math.floor(left / 60) }),
        until: day === time ? time : t('composer.tomorrow', { time }),
      })}
    </p>
  )
}
