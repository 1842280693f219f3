import { type LucideIcon, RotateCw, TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { useLineBack } from '../../session/use-line-back.ts'
import { Button } from './Button.tsx'
import { Icon } from './Icon.tsx'

interface EmptyStateProps {
  /** The bell only where waiting is the point. */
  readonly icon: LucideIcon | 'bell'
  readonly tone?: 'quiet' | 'info' | 'waiting' | 'danger'
  /** One line of fact. */
  readonly title: string
  /** One line of what happens next. */
  readonly text?: ReactNode
  readonly children?: ReactNode
}

/**
 * What stands where a list would be.
 *
 * @example <EmptyState icon="bell" title={t('nobody')} text={t('bellRings')} />
 */
export function EmptyState({ icon, tone = 'quiet', title, text, children }: EmptyStateProps) {
  return (
    <div className="b-empty">
      {icon === 'bell' ? (
        <BellDrawing />
      ) : (
        <span className={`b-empty-icon is-${tone}`}>
          <Icon of={icon} size={20} />
        </span>
      )}
      <h2 className="b-card-title">{title}</h2>
      {text && <p>{text}</p>}
      {children && <div className="b-empty-actions">{children}</div>}
    </div>
  )
}

/** The service bell, as line drawing. */
function BellDrawing() {
  return (
    <svg className="b-bell" width="92" height="60" viewBox="0 0 92 60" fill="none" aria-hidden="true">
      <path
        d="M17 43a29 29 0 0 1 58 0z"
        fill="var(--b-primary-tint)"
        stroke="var(--b-primary)"
        strokeWidth="2.5"
        strokeLinejoin="round"
      />
      <path d="M25 38a19 19 0 0 1 12-14" stroke="var(--b-primary)" strokeWidth="2" strokeLinecap="round" />
      <circle cx="46" cy="7.500" r="5" fill="var(--b-brass)" />
      <path d="M3 48.500h86" stroke="var(--b-primary)" strokeWidth="2.5" strokeLinecap="round" />
      <path d="M15 56h62" stroke="var(--b-line)" strokeWidth="2.5" strokeLinecap="round" />
    </svg>
  )
}

interface ErrorStateProps {
  /** What happened: 'As conversas não carregaram'. */
  readonly title: string
  /** What is safe; 'Nada foi perdido.' */
  readonly text?: ReactNode
  readonly onRetry: () => void
  /** Tries by itself after this many seconds, counting down. */
  readonly retryIn?: number
  readonly icon?: LucideIcon
}

/**
 * Something did not load: what happened, what is safe, one button. Tries by itself when the line is back.
 *
 * @example <ErrorState title={t('list.failed')} text={describeError(error)} onRetry={load} />
 */
export function ErrorState({ title, text, onRetry, retryIn, icon = TriangleAlert }: ErrorStateProps) {
  const t = useTexts('ui')
  const left = useCountdown(retryIn, onRetry)
  useLineBack(onRetry)
  return (
    <div role="alert">
      <EmptyState icon={icon} tone="danger" title={title} text={text}>
        <Button icon={RotateCw} onClick={onRetry}>
          {t('retry')}
        </Button>
        {left !== undefined && left > 0 && <span className="b-quiet">{t('retryIn', { seconds: left })}</span>}
      </EmptyState>
    </div>
  )
}

/** Seconds left until `done` is called; none without an end. */
export function useCountdown(seconds: number | undefined, done: () => void) {
  const [left, setLeft] = useState(seconds)
  const finish = useEffectEvent(done)
  useEffect(() => {
    if (seconds === undefined) return
    const end = Date.now() + seconds * 1000
    const timer = setInterval(() => {
      const rest = Math.ceil((end - Date.now()) / 1000)
      setLeft(rest)
      if (rest > 0) return
      clearInterval(timer)
      finish()
    }, 250)
    return () => clearInterval(timer)
  }, [seconds])
  return left
}
