// Reading a chat: nothing in it is unread any more for this person, and the others see how far it was read.
import { eq, sql } from 'drizzle-orm'
import { getSql } from '../../platform/database/raw.ts'
import { appendEvent } from '../../platform/live/append.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { loadReadableChat, lockWritableChat } from './access.ts'
import { chats } from './table.ts'

/** Nothing unread: nothing happens; nor for an administrator who only looks on. Throws `ERR_NO_CHAT_FOUND`, `ERR_NO_PERMISSION`. */
export async function readChat(parts: Parts, session: Session, id: number): Promise<void> {
  const { viewer } = session
  const seen = await loadReadableChat(parts.db, session, id)
  if (!seen.userIds.includes(viewer.id)) return
  await change(parts, async tx => {
    const chat = await lockWritableChat(tx, session, id)
    const changed = await getSql(tx)`
      update chat_member set unread = 0, read_seq = ${chat.messageSeq}
      where chat_id = ${id} and user_id = ${viewer.id} and (unread > 0 or read_seq < ${chat.messageSeq})`
    if (changed.count === 0) return
    const [{ version = 0 } = {}] = await tx
      .update(chats)
      .set({ version: sql`${chats.version} + 1` })
      .where(eq(chats.id, id))
      .returning()
    const how = { chatId: id, userId: viewer.id, unreadMessages: 0, readSeq: chat.messageSeq }
    const audience = { to: 'users', userIds: chat.userIds, admins: true } as const
    await appendEvent(tx, audience, { event: 'unreadMessageChat', action: 'update', version, ...how })
  })
}
