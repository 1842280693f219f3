// Every file begins as an upload. What uses it claims it in its own transaction; what is not claimed, or let go, the sweep removes.
import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../platform/database/client.ts'
import { AppError } from '../../platform/http/errors.ts'
import { media } from './table.ts'

/** What a file is part of: a message of a ticket or of a chat, the work of a job, or what names it. */
export type FileOwner =
  | { readonly ticketId: number }
  | { readonly chatId: number }
  | { readonly jobId: number }
  | { readonly owner: 'quickAnswer' | 'schedule' | 'send' | 'user' }

export interface ClaimedFile {
  readonly name: string
  readonly mime: string
}

/**
 * Makes an upload part of what this transaction writes. `userId`: whose upload it must be; null for one of nobody's, which came from
 * outside. Throws `ERR_NO_FILE_FOUND` unless it is there and part of nothing yet.
 */
export async function claimUpload(tx: Tx, userId: number | null, id: string, of: FileOwner): Promise<ClaimedFile> {
  const owner = 'owner' in of ? of.owner : 'ticketId' in of ? 'message' : 'chatId' in of ? 'chat' : 'job'
  const theirs = userId === null ? isNull(media.userId) : eq(media.userId, userId)
  const [claimed] = await tx
    .update(media)
    .set({ ...of, owner })
    .where(and(eq(media.id, id), eq(media.owner, 'upload'), theirs))
    .returning({ name: media.name, mime: media.mime })
  if (!claimed) throw new AppError('ERR_NO_FILE_FOUND')
  return claimed
}

/** Files that this transaction took out of use become uploads past their time, unless a message shows them or a send carries them all the same. */
export async function releaseFiles(tx: Db | Tx, ids: readonly string[]): Promise<void> {
  const unused = sql`not exists (select 1 from message where media_id = ${media.id})
    and not exists (select 1 from schedule where media_id = ${media.id} or strpos(template::text, ${media.id}) > 0)
    and not exists (select 1 from send where (ended_at is null or schedule_id is null)
      and (file->>'mediaId' = ${media.id} or strpos(template::text, ${media.id}) > 0))
    and not exists (select 1 from outbox where state in ('queued', 'sending') and payload->>'type' = 'template'
      and strpos(payload::text, ${media.id}) > 0)`
  await tx
    .update(media)
    .set({
      owner: 'upload',
      userId: null,
      ticketId: null,
      chatId: null,
      jobId: null,
      createdAt: '1970-01-01T00:00:00Z',
    })
    .where(and(inArray(media.id, [...ids]), ne(media.owner, 'gone'), unused))
}
