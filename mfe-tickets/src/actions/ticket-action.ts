// What a person can do to a ticket: a file for each kind of deed, all in the register. Header, menu, shortcuts, palette and the bar for several
// conversations read it.
import type { Ticket } from '@balcao/contract'
import type { TicketDeed } from '@balcao/contract/tickets/deeds'
import type { LucideIcon } from 'lucide-react'
import type { MouseEvent } from 'react'
import type { LookupQueue } from '../desk/lookups.ts'
import { type DialogKind, view } from '../desk/view.ts'
import type { TicketUpdateBody } from '../server.ts'

export interface TicketContext {
  readonly ticket: Ticket
  readonly viewer: {
    readonly id: number
    readonly profile: 'admin' | 'gerente' | 'user'
    readonly queueIds: readonly number[]
  }
  /** All queues of the company. */
  readonly queues: readonly LookupQueue[]
  /** Settings that bring actions along. */
  readonly offers: { readonly scheduler: boolean; readonly integration: boolean }
  readonly open: (ticketId: number | null) => void
  /** Goes to another page of the product. */
  readonly goTo: (path: string) => void
}

export interface TicketAction {
  readonly id: `ticket.${TicketDeed}`
  /** In the namespace `tickets`. */
  readonly labelKey: string
  readonly icon: LucideIcon
  readonly shortcut?: string
  readonly danger?: boolean
  /** `main` is the one filled button, `bar` stands in the header, `menu` behind the three dots. */
  readonly place: 'main' | 'bar' | 'menu'
  readonly when: (context: TicketContext) => boolean
  /** The key of why it cannot be done just now, though it is shown; null when it can. */
  readonly reasonKey?: (context: TicketContext) => string | null
  readonly perform: (context: TicketContext) => void | Promise<void>
  /** What its key does where the customer would notice the deed: it asks first, so that no key alone does it. */
  readonly byKey?: (context: TicketContext) => void
  /** How it is done to several conversations at once; without it only to one. */
  readonly many?: Many
}

/** What a dialog was told for all of them; `protocol`: each gets one before it is resolved. */
export type TicketActionChange = TicketUpdateBody & { readonly protocol?: boolean }

export interface Many {
  /** The dialog that has to be answered first; null or left out: none. Rejects where that cannot be said. */
  readonly ask?: (contexts: readonly TicketContext[]) => DialogKind | null | Promise<DialogKind | null>
  /** Does it to one of them; rejects with what the server says. Null: the ticket is gone. */
  readonly one: (context: TicketContext, change: TicketActionChange) => Promise<Ticket | null>
  /** The changes that take it back, given how the ticket was before; left out where there is no way back. */
  readonly undo?: (before: TicketContext) => readonly TicketUpdateBody[]
}

/** A double press is one: by its second half the button that undoes the first may stand there (Resolver, Reabrir). */
export function performOnPress({ detail }: MouseEvent, action: TicketAction, context: TicketContext) {
  if (detail < 2) void action.perform(context)
}

/** Opens a dialog about the ticket. */
export function makeDialogOpener(kind: DialogKind) {
  return ({ ticket }: TicketContext) => {
    view.dialog = { kind, ticketId: ticket.id }
  }
}
