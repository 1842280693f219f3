import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

/** A column of a table; its head is the text `column.<id>`. */
export interface Column<R> {
  readonly id: string
  /** A width of Tailwind's, such as `w-24`; the columns without one share the rest. */
  readonly width?: string
  /** Figures stand right. */
  readonly figures?: boolean
  /** What is nothing shows '—'. */
  readonly cell: (row: R) => ReactNode
}

/** What a row shows on a phone. */
export interface Card {
  /** Avatar or icon, 44 px: the rows then stand in one sheet, 68 high. */
  readonly before?: ReactNode
  readonly title: ReactNode
  readonly text?: ReactNode
  /** One chip or one quiet line. */
  readonly note?: ReactNode
}

/** One thing a person can do to a row; its name is the text `action.<id>`, with the row's `name` filled in. */
export interface RowAction<R> {
  readonly id: string
  readonly icon: LucideIcon
  readonly danger?: boolean
  /** A word instead of the icon, where it decides about a customer: the text `word.<id>`. */
  readonly isWord?: boolean
  /** A word without a border, beside the one that matters. */
  readonly isQuiet?: boolean
  readonly when?: (row: R) => boolean
  readonly perform: (row: R) => void
}

/** Something done to all chosen rows; its name is the text `bulk.<id>`. */
export interface BulkAction {
  readonly id: string
  readonly icon: LucideIcon
  readonly danger?: boolean
  readonly perform: () => void
}
