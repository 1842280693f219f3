// What a provider tells of an account: administrators hear of it, and an account that is held back sends to nobody by itself any more.
import type { NewsCode } from '@balcao/contract'
import { recordNews } from '../../desk/connections/news.ts'
import type { ChannelEvent } from '../../platform/channel/driver.ts'
import { stopConnectionSends } from '../sends/stop.ts'
import type { InboxBatch } from './batch.ts'

/** A block, in the provider's ways of saying so (decisions §6). */
const BLOCKS: readonly NewsCode[] = [
  'account_restricted',
  'account_violation',
  'account_disabled',
  'account_deleted',
  'phone_unlinked',
]

export async function applyNews(
  { tx, connection }: InboxBatch,
  event: Extract<ChannelEvent, { type: 'news' }>,
): Promise<void> {
  await recordNews(tx, connection.id, event)
  if (BLOCKS.includes(event.code)) await stopConnectionSends(tx, connection.id, 'blocked')
}
