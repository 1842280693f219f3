// The activity log: written with the change it describes, in the same transaction (decisions §1).
import type { LogParams, LogSource, PlainLogAction } from '@balcao/contract'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { toPersonId } from '../users/viewer.ts'
import { getLogSource } from './source.ts'

export type ActionWithParams =
  | { readonly action: PlainLogAction; readonly params?: undefined }
  | { [A in keyof LogParams]: { readonly action: A; readonly params: LogParams[A] } }[keyof LogParams]

/** What was done, by whom (`userId`; left out: the system), to what. */
export type LogRecord = ActionWithParams & {
  readonly userId?: number | null
  readonly ticketId?: number | null
  readonly contactId?: number | null
  readonly queueId?: number | null
  readonly whatsappId?: number | null
  readonly messageId?: number | null
  /** A thing that has no column of its own. */
  readonly entityId?: number
}

export function writeLog(tx: Tx, deed: LogRecord): Promise<void> {
  return writeLogs(tx, [deed])
}

/** Several at once. By hand and prepared: an import writes hundreds with every batch. */
export async function writeLogs(tx: Tx, deeds: readonly LogRecord[]): Promise<void> {
  if (deeds.length === 0) return
  const rows = deeds.map(deed => ({
    ...deed,
    userId: toPersonId(deed.userId),
    entity: getActionKind(deed),
    source: resolveSource(deed),
  }))
  await getSql(tx)`
    insert into log_entry (action, params, origem, source, user_id, ticket_id, contact_id, queue_id, whatsapp_id, message_id, entity_id)
    select d.action, d.params, d.entity, d.source, d."userId", d."ticketId", d."contactId", d."queueId", d."whatsappId", d."messageId", d."entityId"
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      as d(action text, params jsonb, entity text, source text, "userId" int, "ticketId" int, "contactId" int, "queueId" int, "whatsappId" int,
        "messageId" int, "entityId" int)`
}

function getActionKind({ action }: LogRecord): string {
  return action.split('.', 1).join()
}

/** What nobody did the desk did by itself, also what a request set going. */
function resolveSource({ userId, action }: LogRecord): LogSource {
  if (userId) return getLogSource()
  return action.startsWith('api.') ? 'api' : 'auto'
}
