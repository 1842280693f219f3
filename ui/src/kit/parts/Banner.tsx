import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'

interface BannerProps {
  readonly kind: 'waiting' | 'info' | 'ok' | 'danger'
  readonly icon: LucideIcon
  /** 0 to 1: a short bar at the right. */
  readonly progress?: number
  /** One button. */
  readonly action?: ReactNode
  readonly children: ReactNode
}

/** A line across its area that says what is going on: offline, catching up, only looking. */
export function Banner({ kind, icon, progress, action, children }: BannerProps) {
  return (
    <div className={`b-banner is-${kind}`} role="status">
      <Icon of={icon} size={16} />
      <p>{children}</p>
      {progress !== undefined && (
        <progress className="b-progress" value={Math.min(1, Math.max(0, progress))} max={1}>
          {Math.round(progress * 100)}%
        </progress>
      )}
      {action}
    </div>
  )
}
