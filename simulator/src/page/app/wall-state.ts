// What a phone on the wall tells at a glance, and how many tell the same.
import type { PhoneView } from '../model.ts'

/** From what matters most to what matters least. */
export const WALL_STATES = ['absent', 'blocked', 'left', 'answered', 'arrived', 'read', 'quiet'] as const
export type WallState = (typeof WALL_STATES)[number]

export function getWallState(phone: PhoneView): WallState {
  if (!phone.onWhatsApp) return 'absent'
  if (phone.chats.some(chat => chat.blocked)) return 'blocked'
  if (phone.chats.some(chat => chat.left)) return 'left'
  const newest = findNewestChat(phone)
  if (!newest?.at) return 'quiet'
  if (newest.mine) return 'answered'
  return newest.unread > 0 ? 'arrived' : 'read'
}

/** The chat in which something was said last. */
export function findNewestChat(phone: PhoneView): PhoneView['chats'][number] | undefined {
  return phone.chats.find(chat => chat.at)
}

export function countStates(phones: readonly PhoneView[]): Record<WallState, number> {
  const counts: Record<WallState, number> = {
    ...{ absent: 0, blocked: 0, left: 0, answered: 0 },
    ...{ arrived: 0, read: 0, quiet: 0 },
  }
  for (const phone of phones) counts[getWallState(phone)]++
  return counts
}
