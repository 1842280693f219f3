// What is known of one message besides itself: its times, its earlier texts, its provider's error (spec 1 §5 "Message menu").
import type { MessageInformation } from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { findMessageTicket } from './conversation.ts'
import { loadMessages } from './present.ts'

/** Throws `ERR_NO_MESSAGE_FOUND`. */
export async function getMessageInformation(db: Db, session: Session, id: number): Promise<MessageInformation> {
  await findMessageTicket(db, session, id)
  const [messages, [row], edits] = await Promise.all([
    loadMessages(db, [id], session),
    getSql(db)<Row[]>`
      select m.from_me, m.at, m.created_at, m.sent_at, m.delivered_at, m.read_at, w.name as connection,
        m.user_id is not null or m.client_id is not null or exists (select 1 from outbox o where o.message_id = m.id) as ours
      from message m join whatsapp w on w.id = m.whatsapp_id where m.id = ${id}`,
    getSql(db)<{ body: string; at: string; by: string | null }[]>`
      select e.body, e.at, u.name as by from message_edit e left join "user" u on u.id = e.user_id
      where e.message_id = ${id} order by e.id`,
  ])
  const [message] = messages
  if (!message || !row) throw new AppError('ERR_NO_MESSAGE_FOUND')
  return {
    message,
    connection: row.connection,
    queuedAt: row.from_me && row.ours ? row.created_at : null,
    sentAt: row.from_me && row.ours ? row.sent_at : row.at,
    deliveredAt: row.delivered_at,
    readAt: row.read_at,
    edits: message.isDeleted ? [] : [...edits],
    errorLog: message.errorLog,
  }
}

interface Row {
  from_me: boolean
  at: string
  created_at: string
  sent_at: string | null
  delivered_at: string | null
  read_at: string | null
  connection: string
  /** Written here and not on the phone: only then is it known when it was queued. */
  ours: boolean
}
