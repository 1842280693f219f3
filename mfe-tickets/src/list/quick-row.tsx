// What is done to a row without opening it first: by the button on the row pointed at, its key on the one the arrows reached, or a swipe.
import { areLettersOn } from '@balcao/ui/actions'
import { Icon } from '@balcao/ui/parts'
import type { LucideIcon } from 'lucide-react'
import type { KeyboardEvent, MouseEvent } from 'react'
import { accept } from '../actions/accept.ts'
import type { TicketContext } from '../actions/ticket-action.ts'
import { getStores } from '../desk/stores.ts'

/** The same object as long as the list is the same: rows need not be drawn again for it. */
export interface QuickRowAction {
  readonly label: string
  readonly icon: LucideIcon
  readonly shortcut: string
  readonly perform: (id: number) => void
}

/** Also of what the bot would answer first: whoever presses it wants to. */
export function makeQuickAccept(around: Omit<TicketContext, 'ticket'>, label: string): QuickRowAction {
  return {
    label,
    icon: accept.icon,
    shortcut: accept.shortcut ?? '',
    perform(id) {
      const ticket = getStores().tickets.ticket(id)
      if (ticket) void accept.perform({ ...around, ticket })
    },
  }
}

export function QuickMark({ icon, label }: Pick<QuickRowAction, 'icon' | 'label'>) {
  return (
    <span className="t-quick" aria-hidden="true">
      <Icon of={icon} size={16} />
      {label}
    </span>
  )
}

export function isOnQuickMark({ target }: MouseEvent): boolean {
  return target instanceof Element && target.closest('.t-quick') !== null
}

export function isQuickKey(event: KeyboardEvent, { shortcut }: QuickRowAction): boolean {
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey
  return isPlain && areLettersOn() && event.key.toUpperCase() === shortcut
}
