import { type LogEntry, logText } from '@balcao/contract'
import { isoOf } from '../database/raw.ts'
import type { logEntries } from './table.ts'

/** An entry in the form of the contract; one that has no action keeps the words it was written with. */
export function entryOf({ descricao, ...row }: typeof logEntries.$inferSelect): LogEntry {
  const { action, params, createdAt } = row
  return { ...row, descricao: action ? logText(action, params) : (descricao ?? ''), createdAt: isoOf(createdAt) }
}
