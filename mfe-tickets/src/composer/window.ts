// The 24 hours in which the official API takes free words after the customer wrote (decisions §7). Pure.
import type { Ticket } from '@balcao/contract'
import { getCapabilities } from '@balcao/contract/connections/kinds'

type WindowTicket = Pick<Ticket, 'windowUntil'> & { readonly whatsapp: Pick<Ticket['whatsapp'], 'api'> }

/** Minutes left to write freely; 0 when closed, null where the connection has no such window. */
export function computeMinutesLeft({ whatsapp, windowUntil }: WindowTicket, now: Date): number | null {
  if (!getCapabilities(whatsapp.api).window24h) return null
  if (!windowUntil) return 0
  return Math.max(0, Math.ceil((Date.parse(windowUntil) - now.getTime()) / 60_000))
}

export function isWindowOpen(ticket: WindowTicket, now: Date): boolean {
  return computeMinutesLeft(ticket, now) !== 0
}
