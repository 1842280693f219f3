// How every row of a list is set: what a screen reader hears, who, when, a line of words and what else is known of it.
import { formatListTime } from '@balcao/ui/i18n'
import { Badge } from '@balcao/ui/parts'
import { Pin } from 'lucide-react'
import type { ReactNode } from 'react'

interface RowFrameProps {
  /** Everything the row shows, in words: colour alone says nothing to a screen reader. */
  readonly heard: readonly (string | null | undefined)[]
  readonly avatar: ReactNode
  readonly title: string
  /** Instant of what the row tells, ISO 8601. */
  readonly at: string
  readonly now: Date
  readonly line: ReactNode
  readonly unread?: number
  readonly isPinned?: boolean
  readonly facts: ReactNode
}

export function RowFrame({ heard, avatar, title, at, now, line, unread = 0, isPinned = false, facts }: RowFrameProps) {
  return (
    <div className={unread > 0 ? 't-row is-unread' : 't-row'}>
      <span className="b-only-read">{heard.filter(Boolean).join(', ')}</span>
      {avatar}
      <div className="t-row-text" aria-hidden="true">
        <div className="t-row-line">
          <bdi className="t-row-name">{title}</bdi>
          {isPinned && <Pin size={12} strokeWidth={2} />}
          <time className="t-row-time" dateTime={at}>
            {formatListTime(at, now)}
          </time>
        </div>
        <div className="t-row-line">
          {line}
          <Badge count={unread} />
        </div>
        {facts && <div className="t-row-facts">{facts}</div>}
      </div>
    </div>
  )
}
