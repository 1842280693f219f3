// What was taken back after it was told: live rows lie as they were written, but who comes back with an old cursor gets of them what a
// fresh fetch would show.
import type { LiveEvent } from '@balcao/contract'
import { clearLastChatMessage } from '../../desk/chats/present.ts'
import { toDeletedChatMessage, toDeletedChatQuote } from '../../desk/chats/present-messages.ts'
import { toRevokedMessage, toRevokedQuote } from '../../desk/messages/present.ts'
import { clearLastMessage } from '../../desk/tickets/present.ts'
import type { Db } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import type { LiveRow } from '../../platform/live/reader.ts'

/** The rows without the words of messages that are taken back by now, or gone. Nothing else of them is another. */
export async function removeRevokedContent(db: Db, rows: readonly LiveRow[]): Promise<readonly LiveRow[]> {
  const [inTickets, inChats] = await Promise.all([
    findGoneIds(db, 'message', collectIds(rows, 'ticket')),
    findGoneIds(db, 'chat_message', collectIds(rows, 'users')),
  ])
  if (inTickets.size === 0 && inChats.size === 0) return rows
  return rows.map(row => {
    const gone = row.audience.to === 'ticket' ? inTickets : inChats
    return listSpokenIds(row).some(id => gone.has(id)) ? { ...row, payload: payloadWithout(row.payload, gone) } : row
  })
}

function listSpokenIds({ audience }: LiveRow): readonly number[] {
  return 'says' in audience ? (audience.says ?? []) : []
}

function collectIds(rows: readonly LiveRow[], to: 'ticket' | 'users'): number[] {
  return [...new Set(rows.flatMap(row => (row.audience.to === to ? listSpokenIds(row) : [])))]
}

async function findGoneIds(db: Db, table: 'message' | 'chat_message', ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const sql = getSql(db)
  const there = await (table === 'message'
    ? sql<
        { id: number }[]
      >`select id::float8 as id from message where id = any(${[...ids]}::bigint[]) and not is_deleted`
    : sql<
        { id: number }[]
      >`select id::float8 as id from chat_message where id = any(${[...ids]}::bigint[]) and not is_deleted`)
  return new Set(ids).difference(new Set(toIds(there)))
}

function payloadWithout(payload: string, gone: ReadonlySet<number>): string {
  const event: LiveEvent = JSON.parse(payload)
  return JSON.stringify(eventWithout(event, gone))
}

function eventWithout(event: LiveEvent, gone: ReadonlySet<number>): LiveEvent {
  switch (event.event) {
    case 'appMessage': {
      if (event.action === 'delete') return event
      const { message } = event
      const { quotedMsg } = message
      if (gone.has(message.id)) return { ...event, message: toRevokedMessage(message) }
      return { ...event, message: { ...message, quotedMsg: quotedMsg && toRevokedQuote(quotedMsg) } }
    }
    case 'appMessageChat': {
      const { message } = event
      const { quotedMsg } = message
      if (gone.has(message.id)) return { ...event, message: toDeletedChatMessage(message) }
      return { ...event, message: { ...message, quotedMsg: quotedMsg && toDeletedChatQuote(quotedMsg) } }
    }
    case 'ticket':
    case 'ticketBot':
      return 'ticket' in event ? { ...event, ticket: clearLastMessage(event.ticket) } : event
    case 'chat':
    case 'ticketChat':
      return 'chat' in event ? { ...event, chat: clearLastChatMessage(event.chat) } : event
    default:
      return event
  }
}
