import { type LogEntry, logText } from '@balcao/contract'
import type { logEntries } from '../../policy/log/table.ts'

/** An entry in the form of the contract; one that has no action keeps the words it was written with. */
export function entryOf({ descricao, source, ...row }: typeof logEntries.$inferSelect): LogEntry {
  return {
    ...row,
    descricao: row.action ? logText(row.action, row.params) : (descricao ?? ''),
    origem: row.reported ? row.entity : (source ?? ''),
  }
}
