import { useState } from 'react'
import { joinClasses } from './classes.ts'

interface BadgeProps {
  /** A count, or `'!'`. Nothing is drawn for 0. */
  readonly count: number | '!'
  /** `waiting` is brass: only for what waits for somebody. `total` is grey. `alert` is the '!' of connections. */
  readonly kind?: 'waiting' | 'total' | 'alert'
  /** Said to screen readers instead of the bare number: '3 não lidas'. */
  readonly label?: string
  /** At the corner of what it belongs to. */
  readonly corner?: boolean
}

/** A count in a pill; '99+' past 99. It grows once for a moment when the number changes. */
export function Badge({ count, kind = 'waiting', label, corner }: BadgeProps) {
  // A badge that is only scrolled into view stands still.
  const [first, setFirst] = useState<number | '!' | null>(count)
  if (first !== null && count !== first) setFirst(null)
  if (count === 0) return null
  const text = typeof count === 'number' && count > 99 ? '99+' : String(count)
  return (
    <span
      key={text}
      className={joinClasses('b-badge', `is-${kind}`, first === null && 'is-changed', corner && 'is-corner')}
    >
      <span aria-hidden={label ? true : undefined}>{text}</span>
      {label && <span className="b-only-read">{label}</span>}
    </span>
  )
}
