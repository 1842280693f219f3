// The 24 hours in which the official API takes free words after the customer wrote (decisions §7). Pure.
import type { Ticket } from '@balcao/contract'
import { capabilitiesOf } from '@balcao/contract/kinds'

type Windowed = Pick<Ticket, 'windowUntil'> & { readonly whatsapp: Pick<Ticket['whatsapp'], 'api'> }

/** Minutes left to write freely; 0 when closed, null where the connection has no such window. */
export function minutesLeft({ whatsapp, windowUntil }: Windowed, now: Date): number | null {
  if (!capabilitiesOf(whatsapp.api).window24h) return null
  if (!windowUntil) return 0
  return Math.max(0, Math.ceil((Date.parse(windowUntil) - now.getTime()) / 60_000))
}

export function isWindowOpen(ticket: Windowed, now: Date): boolean {
  return minutesLeft(ticket, now) !== 0
}
