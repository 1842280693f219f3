// Times that cannot be: a message of the year 1970 or 275760 came when it came.
import type { ChannelEvent } from '../../platform/channel/driver.ts'

/** Before there was WhatsApp nobody wrote. */
const FIRST = Date.UTC(2009, 0, 1)
/** Clocks differ by minutes, those of a wrong time zone by hours. */
const MOST_AHEAD_MS = 24 * 3_600_000

/** The event with the time of its arrival where its own is impossible. That of a change only ranks it: an early one does no harm. */
export function correctEventTime(event: ChannelEvent, now: number): ChannelEvent {
  switch (event.type) {
    case 'message':
    case 'call':
    case 'membership':
      return isBetween(FIRST, event.at, now) ? event : { ...event, at: now }
    case 'unreadable':
      return isBetween(FIRST, event.card.at, now) ? event : { ...event, card: { ...event.card, at: now } }
    case 'ack':
      return event.at === undefined || isBetween(FIRST, event.at, now) ? event : { ...event, at: now }
    case 'moved':
      return event.at === undefined || isBetween(FIRST, event.at, now) ? event : { ...event, at: now }
    case 'edit':
    case 'revoke':
    case 'reaction':
    case 'timer':
    case 'preference':
      return isBetween(0, event.at, now) ? event : { ...event, at: now }
    default:
      return event
  }
}

function isBetween(first: number, at: number, now: number): boolean {
  return at >= first && at <= now + MOST_AHEAD_MS
}
