// A row of a report's long table as it stands in a sheet. Made by the process that writes: what customers write never waits for it.
import { sheetText } from '@balcao/formats/sheets/write'
import type { Cells } from '@balcao/formats/sheets/xlsx'
import type { ContactLine } from './contacts.ts'
import { personOf, queueOf } from './line-names.ts'
import type { RowsLike } from './rows.ts'
import { type Shown, secondsOf, shownIn } from './shown.ts'
import type { TicketLine } from './tickets.ts'
import { type Words, wordsOf } from './words.ts'

/** How a line of the table of tickets or of contacts is written. */
export function cellsLike({ report, language, timezone }: RowsLike): (line: unknown) => Cells {
  const [shown, words] = [shownIn(language, timezone), wordsOf(language)]
  // Lines come from the disk as they were laid there.
  if (report === 'contact') return line => contactCells(line as ContactLine, shown)
  return line => ticketCells(line as TicketLine, words, shown)
}

function ticketCells(line: TicketLine, words: Words, shown: Shown): Cells {
  const span = (ms: number | null) => (ms === null ? null : { seconds: secondsOf(ms) })
  const clock = (instant: string | null) => (instant === null ? null : shown.clock(instant))
  return [
    ...[line.id, line.protocolo, sheetText(line.contact), line.number],
    ...[sheetText(queueOf(line, words.noQueue)), sheetText(personOf(line, words.nobody)), sheetText(line.connection)],
    ...[words.statuses[line.status], clock(line.opened), clock(line.accepted), clock(line.closed)],
    ...[
      span(line.waitMs ?? line.waitingMs),
      span(line.serviceMs),
      line.ratings === 0 ? null : line.stars / line.ratings,
    ],
  ]
}

function contactCells(line: ContactLine, shown: Shown): Cells {
  const { name, number, tickets, received, sent, first, last, stars, ratings } = line
  return [
    ...[sheetText(name), number, tickets, received, sent],
    ...[shown.clock(first), shown.clock(last), ratings === 0 ? null : stars / ratings, ratings],
  ]
}
