import { LIMITS } from '@balcao/contract/kit/limits'
import type { HistoryLoad } from '@balcao/ui/rows'

const READ_BEFORE = 20

/** How many messages are asked for where so many are not read: the first of them, and some that stand before it. */
export function loadToUnread(unread: number): HistoryLoad {
  const wanted = unread > 0 ? unread + READ_BEFORE : 0
  const most = LIMITS.messagesMost
  return { atLeast: Math.min(wanted, most), toUnread: wanted > most }
}
