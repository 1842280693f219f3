// Finding messages in a conversation, newest first.
import { LIMITS, type Message } from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { createFieldError } from '../../platform/http/errors.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { containsWordsSql, foldSearchWords } from '../tickets/search-conditions.ts'
import { resolveConversation } from './conversation.ts'
import { loadMessages } from './present.ts'

/** At most 50 messages of the conversation that hold every word (spec 1 §7). One conversation is small: any length of text will do. */
export async function searchMessages(db: Db, session: Session, ticketId: number, text: string): Promise<Message[]> {
  if (text.trim() === '') throw createFieldError('messageToSearch', 'call.searchMissing')
  const [{ contactId, ticketIds }, words] = await Promise.all([
    resolveConversation(db, session, ticketId),
    foldSearchWords(db, text),
  ])
  const sql = getSql(db)
  const rows = await sql<{ id: string }[]>`
    select m.id from message m
    where m.contact_id = ${contactId} and m.ticket_id = any(${[...ticketIds]}::int[])
      and ${containsWordsSql(sql, sql`(m.search_text || '')`, words)}
    order by m.at desc nulls last, m.ticket_id desc nulls last, m.seq desc nulls last limit ${LIMITS.searchResults}`
  return loadMessages(db, toIds(rows), session)
}
