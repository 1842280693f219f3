// A row of a report's long table as it stands in a sheet. Made by the process that writes: what customers write never waits for it.
import { toSheetText } from '@balcao/formats/sheets/write'
import type { Cells } from '@balcao/formats/sheets/xlsx'
import type { ContactLine } from './contacts.ts'
import { createFormatter, type ReportFormatter, toSeconds } from './formatter.ts'
import { getPersonName, getQueueName } from './line-names.ts'
import type { RowRendererOptions } from './row-renderer.ts'
import type { TicketLine } from './tickets.ts'
import { getReportWords, type ReportWords } from './words.ts'

/** How a line of the table of tickets or of contacts is written. */
export function createCellRenderer({ report, language, timezone }: RowRendererOptions): (line: unknown) => Cells {
  const [shown, words] = [createFormatter(language, timezone), getReportWords(language)]
  // Lines come from the disk as they were laid there.
  if (report === 'contact') return line => contactCells(line as ContactLine, shown)
  return line => ticketCells(line as TicketLine, words, shown)
}

function ticketCells(line: TicketLine, words: ReportWords, shown: ReportFormatter): Cells {
  const span = (ms: number | null) => (ms === null ? null : { seconds: toSeconds(ms) })
  const clock = (instant: string | null) => (instant === null ? null : shown.clock(instant))
  return [
    ...[line.id, line.protocolo, toSheetText(line.contact), line.number],
    ...[
      toSheetText(getQueueName(line, words.noQueue)),
      toSheetText(getPersonName(line, words.nobody)),
      toSheetText(line.connection),
    ],
    ...[words.statuses[line.status], clock(line.opened), clock(line.accepted), clock(line.closed)],
    ...[
      span(line.waitMs ?? line.waitingMs),
      span(line.serviceMs),
      line.ratings === 0 ? null : line.stars / line.ratings,
    ],
  ]
}

function contactCells(line: ContactLine, shown: ReportFormatter): Cells {
  const { name, number, tickets, received, sent, first, last, stars, ratings } = line
  return [
    ...[toSheetText(name), number, tickets, received, sent],
    ...[shown.clock(first), shown.clock(last), ratings === 0 ? null : stars / ratings, ratings],
  ]
}
