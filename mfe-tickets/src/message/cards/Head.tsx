import { Icon } from '@balcao/ui/parts'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

/** The first line of a card: what it is. */
export function Head({ icon, children }: { readonly icon: LucideIcon; readonly children: ReactNode }) {
  return (
    <p className="m-sheet-head">
      <Icon of={icon} size={16} />
      <span>{children}</span>
    </p>
  )
}
