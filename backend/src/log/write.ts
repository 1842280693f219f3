// The activity log: written with the change it describes, in the same transaction (decisions §1).
import type { LogParams, PlainLogAction } from '@balcao/contract'
import type { Tx } from '../database/client.ts'
import { logEntries } from './table.ts'

type Action =
  | { readonly action: PlainLogAction; readonly params?: undefined }
  | { [A in keyof LogParams]: { readonly action: A; readonly params: LogParams[A] } }[keyof LogParams]

/** What was done, by whom (`userId`; left out: the system), to what. */
export type Deed = Action & {
  readonly userId?: number | null
  readonly ticketId?: number | null
  readonly contactId?: number | null
  readonly queueId?: number | null
  readonly whatsappId?: number | null
  readonly messageId?: number | null
  /** A thing that has no column of its own. */
  readonly entityId?: number
}

export async function writeLog(tx: Tx, deed: Deed): Promise<void> {
  await tx.insert(logEntries).values({ ...deed, origem: deed.action.split('.', 1).join() })
}
