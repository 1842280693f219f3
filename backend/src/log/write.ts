// The activity log: written with the change it describes, in the same transaction (decisions §1).
import type { Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'

export interface LogEntry {
  readonly descricao: string
  readonly origem:
    | 'api'
    | 'connection'
    | 'contact'
    | 'message'
    | 'protocol'
    | 'queue'
    | 'quickAnswer'
    | 'schedule'
    | 'session'
    | 'setting'
    | 'tag'
    | 'ticket'
    | 'user'
  readonly userId?: number | null
  readonly ticketId?: number | null
  readonly contactId?: number | null
  readonly queueId?: number | null
  readonly whatsappId?: number | null
  readonly messageId?: number | null
  readonly details?: unknown
}

/** Records what was done, by whom, to what. */
export async function writeLog(tx: Tx, entry: LogEntry): Promise<void> {
  const details = entry.details === undefined ? null : JSON.stringify(entry.details)
  await sqlOf(tx)`
    insert into log_entry (descricao, origem, user_id, ticket_id, contact_id, queue_id, whatsapp_id, message_id, details)
    values (${entry.descricao}, ${entry.origem}, ${entry.userId ?? null}, ${entry.ticketId ?? null},
      ${entry.contactId ?? null}, ${entry.queueId ?? null}, ${entry.whatsappId ?? null}, ${entry.messageId ?? null},
      ${details}::text::jsonb)`
}
