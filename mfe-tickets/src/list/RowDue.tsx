// Until when the answer is due, in a row: counted down by the clock that all rows share.
import { type Texts, useTexts } from '@balcao/ui/i18n'
import './due.css'
import './due-texts.ts'

interface Due {
  readonly answerSince: string | null
  readonly answerDueAt: string | null
}

interface RowDueProps extends Due {
  readonly now: Date
  /** For who listens, not for who sees. */
  readonly isHeard?: boolean
}

const MINUTE_MS = 60_000
/** Near is what has so many minutes left, or a fifth of the whole time. */
const NEAR_MINUTES = 5
const NEAR_SHARE = 0.2

export default function RowDue({ now, isHeard = false, ...due }: RowDueProps) {
  const t = useTexts('tickets')
  const words = describeDue(due, t, now)
  if (words === null) return null
  if (isHeard) return <span className="b-only-read">, {words}</span>
  return <span className={`t-row-fact t-due is-${rateDue(due, now)}`}>{words}</span>
}

/** 'prazo 12 min', 'atrasado 8 min'; null where nothing is due. */
export function describeDue({ answerDueAt }: Due, t: Texts, now: Date): string | null {
  if (answerDueAt === null) return null
  const left = (Date.parse(answerDueAt) - now.getTime()) / MINUTE_MS
  const key = left < 0 ? 'late' : 'left'
  const minutes = left < 0 ? Math.floor(-left) : Math.ceil(left)
  if (minutes < 60) return t(`due.${key}Minutes`, { minutes })
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? t(`due.${key}Hours`, { hours }) : t(`due.${key}Days`, { days: Math.floor(hours / 24) })
}

export function rateDue({ answerSince, answerDueAt }: Due, now: Date): 'calm' | 'near' | 'late' {
  const due = Date.parse(answerDueAt ?? '')
  const left = due - now.getTime()
  if (left < 0) return 'late'
  const whole = due - Date.parse(answerSince ?? '')
  return left <= Math.max(NEAR_MINUTES * MINUTE_MS, whole * NEAR_SHARE) ? 'near' : 'calm'
}
