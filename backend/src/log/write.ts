// The activity log: written with the change it describes, in the same transaction (decisions §1).
import type { LogParams, LogSource, PlainLogAction } from '@balcao/contract'
import type { Tx } from '../database/client.ts'
import { sourceNow } from './source.ts'
import { logEntries } from './table.ts'

export type LoggedAction =
  | { readonly action: PlainLogAction; readonly params?: undefined }
  | { [A in keyof LogParams]: { readonly action: A; readonly params: LogParams[A] } }[keyof LogParams]

/** What was done, by whom (`userId`; left out: the system), to what. */
export type Deed = LoggedAction & {
  readonly userId?: number | null
  readonly ticketId?: number | null
  readonly contactId?: number | null
  readonly queueId?: number | null
  readonly whatsappId?: number | null
  readonly messageId?: number | null
  /** A thing that has no column of its own. */
  readonly entityId?: number
}

export function writeLog(tx: Tx, deed: Deed): Promise<void> {
  return writeLogs(tx, [deed])
}

/** Several at once, by one statement. */
export async function writeLogs(tx: Tx, deeds: readonly Deed[]): Promise<void> {
  for (let at = 0; at < deeds.length; at += MOST)
    await tx
      .insert(logEntries)
      .values(deeds.slice(at, at + MOST).map(deed => ({ ...deed, entity: kindOf(deed), source: sourceOf(deed) })))
}

function kindOf({ action }: Deed): string {
  return action.split('.', 1).join()
}

/** What nobody did the desk did by itself, also what a request set going. */
function sourceOf({ userId, action }: Deed): LogSource {
  if (userId) return sourceNow()
  return action.startsWith('api.') ? 'api' : 'auto'
}

/** A statement takes 65,535 values. */
const MOST = 1000
