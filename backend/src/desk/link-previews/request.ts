// Asks for previews with the messages they belong to; a job makes them, so no message waits for a page of a stranger.
import type { Settings } from '@balcao/contract'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { enqueueJob } from '../../platform/worker/enqueue.ts'
import { findPreviewAddress } from './address.ts'

export const PREVIEW_LINK = 'preview-link'

/** Of texts with an address that were written just now, and brought no preview with them. */
export async function requestPreviews(
  tx: Tx,
  { linkPreviews }: Pick<Settings, 'linkPreviews'>,
  ids: readonly number[],
): Promise<void> {
  if (!linkPreviews || ids.length === 0) return
  const rows = await getSql(tx)<{ id: number; body: string }[]>`
    select id::float8 as id, body from message where id = any(${[...ids]}::bigint[]) and media_type = 'chat'
      and details->'link' is null and at > now() - interval '10 minutes' order by message.id`
  for (const { id, body } of rows) {
    if (findPreviewAddress(body) === null) continue
    // One at a time: who sends a thousand slow addresses holds up previews alone.
    const queue = { key: `${PREVIEW_LINK}:${id}`, attempts: 1, queue: PREVIEW_LINK }
    await enqueueJob(tx, PREVIEW_LINK, { payload: { messageId: id }, ...queue })
  }
}

/** Whether a text may have an address in it. */
export function mayHaveAddress(body: string): boolean {
  return /https?:|www\./i.test(body)
}
