// An upload serves one message: it becomes that message's in the transaction that uses it.
import type { Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { AppError } from '../http/errors.ts'

/** Throws `ERR_NO_FILE_FOUND` unless it is this person's and no message's yet. */
export async function claimUpload(
  tx: Tx,
  userId: number,
  uploadId: string,
  place: { readonly ticketId: number } | { readonly chatId: number },
): Promise<void> {
  const { owner, ticketId, chatId } =
    'chatId' in place
      ? { owner: 'chat', ticketId: null, chatId: place.chatId }
      : { owner: 'message', ticketId: place.ticketId, chatId: null }
  const rows = await sqlOf(tx)`
    update media set owner = ${owner}, ticket_id = ${ticketId}, chat_id = ${chatId}
    where id = ${uploadId} and user_id = ${userId} and owner = 'upload' returning 1`
  if (rows.length === 0) throw new AppError('ERR_NO_FILE_FOUND')
}
