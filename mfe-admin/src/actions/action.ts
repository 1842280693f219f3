import type { Connection } from '@balcao/contract'
import type { LucideIcon } from 'lucide-react'
import type { Desk } from '../connections/desk.ts'

/** One thing a person can do to a connection. Card, table and menu read it; `labelKey` is of the namespace `admin`. */
export interface ConnectionAction {
  readonly id: string
  readonly labelKey: string
  readonly icon: LucideIcon
  readonly danger?: boolean
  readonly perform: (connection: Connection, desk: Desk) => void | Promise<void>
}
