import { formatLogText, type LogEntry } from '@balcao/contract'
import type { logEntries } from '../../policy/log/table.ts'

/** An entry in the form of the contract; one that has no action keeps the words it was written with. */
export function toLogEntry({ descricao, source, ...row }: typeof logEntries.$inferSelect): LogEntry {
  return {
    ...row,
    descricao: row.action ? formatLogText(row.action, row.params) : (descricao ?? ''),
    origem: row.reported ? row.entity : (source ?? ''),
  }
}
