// What a person can do to a ticket: one file each, all in the register below. Header, menu, shortcuts and palette read it.
import type { Queue, Ticket } from '@balcao/contract'
import type { LucideIcon } from 'lucide-react'

export interface TicketContext {
  readonly ticket: Ticket
  readonly viewer: {
    readonly id: number
    readonly profile: 'admin' | 'gerente' | 'user'
    readonly queueIds: readonly number[]
  }
  /** All queues of the company. */
  readonly queues: readonly Queue[]
  readonly open: (ticketId: number | null) => void
}

export interface TicketAction {
  readonly id: string
  /** In the namespace `tickets`. */
  readonly labelKey: string
  readonly icon: LucideIcon
  readonly shortcut?: string
  readonly danger?: boolean
  /** `main` is the one filled button, `bar` stands in the header, `menu` behind the three dots. */
  readonly place: 'main' | 'bar' | 'menu'
  readonly when: (context: TicketContext) => boolean
  readonly perform: (context: TicketContext) => void | Promise<void>
}
