import { Icon } from '@balcao/ui/parts'
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'

interface FoldedSectionProps {
  readonly title: string
  /** Something in it has to be filled in. */
  readonly open: boolean
  /** What is in it begins when it is opened first. */
  readonly lazy?: boolean
  readonly children: ReactNode
}

/** A part of a form that is closed until somebody needs it. */
export function FoldedSection({ title, open, lazy = false, children }: FoldedSectionProps) {
  const [shown, setShown] = useState(open)
  const [isBegun, setBegun] = useState(open || !lazy)
  useEffect(() => {
    if (open) setShown(true)
  }, [open])
  return (
    <details
      open={shown}
      onToggle={event => {
        setShown(event.currentTarget.open)
        if (event.currentTarget.open) setBegun(true)
      }}
      className="group min-w-0 rounded-card border border-line"
    >
      <summary className="flex h-11 cursor-pointer list-none items-center gap-2 rounded-card px-4 text-body font-semibold text-ink hover:bg-hover">
        <span className="transition-transform group-open:rotate-90">
          <Icon of={ChevronRight} size={16} />
        </span>
        {title}
      </summary>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 px-4 pt-2 pb-4">{isBegun && children}</div>
    </details>
  )
}
