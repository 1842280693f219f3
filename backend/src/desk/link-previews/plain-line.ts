// What strangers wrote, as far as a card shows it.
import { stripDirectionMarks, truncateText } from '@balcao/contract'

/** Words of a stranger's page on one line, and no more of them than fit. */
export function toPlainLine(source: string, most: number): string {
  const plain = stripDirectionMarks(truncateText(source, most * 8)).replace(/[\p{Cc}\s]+/gu, ' ')
  return truncateText(plain.trim(), most).toWellFormed()
}
