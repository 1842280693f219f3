// Edits that came sealed before their message: the secret is in the message, and kept with it.
import type { Kind } from '@balcao/contract'
import type { ChannelEvent } from '../../platform/channel/driver.ts'
import { getSql } from '../../platform/database/raw.ts'
import { getKindModule } from '../channels/registry.ts'
import type { InboxBatch } from './batch.ts'

type Edit = Extract<ChannelEvent, { type: 'edit' }>

/** The edit as the secret of its message opens it; as it is where that is no use. */
export async function openSealedEdit({ tx }: InboxBatch, messageId: number, edit: Edit): Promise<Edit> {
  if (edit.body !== null || edit.sealed === undefined) return edit
  const [row] = await getSql(tx)<{ secret: string | null; api: Kind }[]>`
    select m.secret, w.api from message m join whatsapp w on w.id = m.whatsapp_id where m.id = ${messageId}`
  const opened = row?.secret ? await getKindModule(row.api).unseal?.(edit.sealed, row.secret) : null
  return opened ? { ...edit, ...opened } : edit
}
