// A row of a report's long table as it is drawn. Made by the process that draws: what customers write never waits for it.
import type { Language, ReportName } from '@balcao/contract'
import { formatPhone } from '@balcao/contract/contacts/phone'
import type { Row } from '@balcao/formats/pdf/document'
import type { ContactLine } from './contacts.ts'
import { createFormatter, formatDuration, NONE, type ReportFormatter, toSeconds } from './formatter.ts'
import { getPersonName, getQueueName } from './line-names.ts'
import type { TicketLine } from './tickets.ts'
import { getReportWords } from './words.ts'

/** What the process that writes has to know of the lines of a table. */
export interface RowRendererOptions {
  readonly report: ReportName
  readonly language: Language
  readonly timezone: string
  /** Whether instants are of more than one year. */
  readonly withYear: boolean
}

/** How a line of the table of tickets or of contacts is drawn. */
export function createRowRenderer(like: RowRendererOptions): (line: unknown) => Row {
  const shown = createFormatter(like.language, like.timezone)
  // Lines come from the disk as they were laid there.
  if (like.report === 'contact') return line => contactRow(line as ContactLine, shown)
  return line => ticketRow(line as TicketLine, like, shown)
}

function ticketRow(line: TicketLine, { language, withYear }: RowRendererOptions, shown: ReportFormatter): Row {
  const words = getReportWords(language)
  const after = (instant: string | null) => {
    if (instant === null) return NONE
    const isSameDay = shown.dayOf(instant) === shown.dayOf(line.opened)
    return isSameDay ? shown.time(instant) : shown.instant(instant, withYear)
  }
  const span = (ms: number | null) => formatDuration(ms === null ? null : toSeconds(ms))
  return [
    { text: String(line.id), under: line.protocolo ?? NONE },
    { text: line.contact, under: line.number === null ? NONE : formatPhone(line.number), strong: true },
    {
      text: getQueueName(line, words.noQueue),
      under: getPersonName(line, NONE),
      ...(line.color === '' ? {} : { color: line.color }),
    },
    { text: words.statuses[line.status], under: line.connection },
    ...[shown.instant(line.opened, withYear), after(line.accepted), after(line.closed)],
    ...[span(line.waitMs ?? line.waitingMs), span(line.serviceMs), shown.mean(line.stars, line.ratings) ?? NONE],
  ]
}

function contactRow(line: ContactLine, shown: ReportFormatter): Row {
  const { name, number, tickets, received, sent, first, last, stars, ratings } = line
  return [
    { text: name, under: number === null ? NONE : formatPhone(number), strong: true },
    ...[shown.number(tickets), shown.number(received), shown.number(sent)],
    ...[shown.instant(first, true), shown.instant(last, true), shown.mean(stars, ratings) ?? NONE],
  ]
}
