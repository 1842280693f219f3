import { type ReactNode, useId } from 'react'

interface ProgressProps {
  readonly title: string
  readonly text?: string
  readonly done?: number
  /** Unknown: it only moves. */
  readonly total?: number
  readonly actions?: ReactNode
  /** How far it is, in words. */
  readonly children?: ReactNode
}

const BAR =
  'h-1.5 min-w-0 flex-1 appearance-none overflow-hidden rounded-full border-0 bg-line [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-primary [&::-moz-progress-bar]:bg-primary'

/** Work that goes on, and how far it is. */
export function Progress({ title, text, done, total, actions, children }: ProgressProps) {
  const id = useId()
  const share = total && done !== undefined ? Math.min(1, done / total) : undefined
  return (
    <>
      <div>
        <h2 id={id} className="m-0 text-body font-semibold break-words text-ink">
          {title}
        </h2>
        {text && <p className="m-0 mt-0.5 text-cell text-text-2">{text}</p>}
      </div>
      <div className="flex items-center gap-3">
        <progress className={BAR} aria-labelledby={id} value={share} max={1} />
        {children && <span className="text-small text-text-2 tabular-nums">{children}</span>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2.5">{actions}</div>}
    </>
  )
}
