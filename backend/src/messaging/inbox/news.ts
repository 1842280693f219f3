// What a provider tells of an account: administrators hear of it, and an account that is held back sends to nobody by itself any more.
import type { NewsCode } from '@balcao/contract'
import { takeNews } from '../../desk/connections/news.ts'
import type { ChannelEvent } from '../../platform/channel/driver.ts'
import { stopSendsOf } from '../sends/stop.ts'
import type { Receiving } from './receiving.ts'

/** A block, in the provider's ways of saying so (decisions §6). */
const BLOCKS: readonly NewsCode[] = [
  'account_restricted',
  'account_violation',
  'account_disabled',
  'account_deleted',
  'phone_unlinked',
]

export async function applyNews(
  { tx, connection }: Receiving,
  event: Extract<ChannelEvent, { type: 'news' }>,
): Promise<void> {
  await takeNews(tx, connection.id, event)
  if (BLOCKS.includes(event.code)) await stopSendsOf(tx, connection.id, 'blocked')
}
