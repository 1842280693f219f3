// What the desk does not want to hear: with `CheckMsgIsGroup` everything said in groups (decisions §5). It is stored nowhere, not even
// as what came; how much it was stands in the connection's health.
import type { Settings } from '@balcao/contract'
import { countOne } from '../../desk/connections/counts.ts'
import type { ChannelEvent } from '../../platform/channel/driver.ts'
import type { Db } from '../../platform/database/client.ts'

/** Receipts of what the desk itself sent to a group are heard. */
export function isIgnored(event: ChannelEvent, { CheckMsgIsGroup }: Pick<Settings, 'CheckMsgIsGroup'>): boolean {
  return CheckMsgIsGroup && isSaidInGroup(event)
}

/** Counts those that are messages of now. Nothing of them is kept, so one that is told twice counts twice. */
export function countIgnored(db: Db, whatsappId: number, ignored: readonly ChannelEvent[]): void {
  for (const event of ignored)
    if (event.type === 'message' && !event.past && !event.ref.fromMe) countOne(db, whatsappId, 'ignoredGroup')
}

function isSaidInGroup(event: ChannelEvent): boolean {
  switch (event.type) {
    case 'message':
    case 'edit':
    case 'revoke':
    case 'reaction':
    case 'timer':
      return event.chat.group
    case 'unreadable':
      return event.card.chat.group
    case 'call':
      return event.from.group
    default:
      return false
  }
}
