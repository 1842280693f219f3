import type { ReactNode } from 'react'

interface PanelProps {
  readonly title: string
  /** What it shows at a glance. */
  readonly finding?: string | undefined
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A part of the dashboard. */
export function Panel({ title, finding, actions, children }: PanelProps) {
  return (
    <section aria-label={title} className="min-w-0 rounded-card border border-line bg-surface p-4">
      <div className="mb-3 flex min-h-6 items-center justify-between gap-2">
        <h2 className="m-0 text-cell font-semibold text-ink">
          {title} {finding && <span className="font-normal text-muted">· {finding}</span>}
        </h2>
        {actions}
      </div>
      {children}
    </section>
  )
}
