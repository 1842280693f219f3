// The reports of queues and of people: tickets by status and hour, times and ratings.
import { type TicketStatus, padTwoDigits as two } from '@balcao/contract'
import type { DocumentBlock, Row } from '@balcao/formats/pdf/document'
import { toSheetText } from '@balcao/formats/sheets/write'
import type { Cells } from '@balcao/formats/sheets/xlsx'
import { computeMeanSeconds } from '../figures/read.ts'
import { answerBlocks, answerRows, hasAnswers } from './answer-table.ts'
import { type ReportBuilder, renderReportFile } from './content.ts'
import { type ReportContext, renderSummaryHead } from './context.ts'
import { formatDuration, NONE } from './formatter.ts'
import { type SumGrouping, type SumLine, sumAllLines, sumLines } from './sums.ts'
import { STATUS_ORDER } from './words.ts'

export function buildSumReport(by: SumGrouping): ReportBuilder {
  return async (context, read) => {
    const { which, words, timezone } = context
    const none = by === 'queue' ? words.noQueue : words.nobody
    const found = await sumLines(read.db, which, by, timezone, () => read.step(0, 0))
    const lines = found.map(line => (line.id === null ? { ...line, name: none } : line))
    const total = { ...sumAllLines(lines), name: words.total }
    const answers = { head: getColumnHead(context, by), lines, total }
    const file = renderReportFile(context, read, {
      sheets: () => [
        { name: words.tables[by], rows: sheetRows(context, by, lines, total) },
        { name: words.byHour, rows: hourRows(context, by, lines, total) },
        ...(hasAnswers(total) ? [{ name: words.answers.title, rows: answerRows(context, answers) }] : []),
        { name: words.summary, rows: renderSummaryHead(context, words.sumNote) },
      ],
      blocks: () => buildBlocks(context, by, lines, total),
    })
    await read.step(lines.length, lines.length)
    return { rows: lines.length, file, remove: async () => {} }
  }
}

/** Those that are there at all: nobody works with a bot or a survey who has none. */
function listStatuses({ statuses }: SumLine): TicketStatus[] {
  return STATUS_ORDER.filter(status => (status !== 'bot' && status !== 'nps') || (statuses[status] ?? 0) > 0)
}

function getColumnHead({ words }: ReportContext, by: SumGrouping): string {
  return by === 'queue' ? words.queue : words.person
}

function* sheetRows(
  context: ReportContext,
  by: SumGrouping,
  lines: readonly SumLine[],
  total: SumLine,
): Generator<Cells> {
  const { words } = context
  yield [
    ...[getColumnHead(context, by), words.tickets, ...STATUS_ORDER.map(status => words.statuses[status])],
    ...[words.tme, words.acceptances, words.tma, words.resolvings, words.rating, words.ratings],
  ]
  const mean = (ms: number, n: number) => {
    const seconds = computeMeanSeconds(ms, n)
    return seconds === null ? null : { seconds }
  }
  for (const { name, opened, statuses, waits, waitMs, services, serviceMs, stars, ratings } of [...lines, total])
    yield [
      ...[toSheetText(name), opened, ...STATUS_ORDER.map(status => statuses[status] ?? 0)],
      ...[
        mean(waitMs, waits),
        waits,
        mean(serviceMs, services),
        services,
        ratings === 0 ? null : stars / ratings,
        ratings,
      ],
    ]
}

function* hourRows(
  context: ReportContext,
  by: SumGrouping,
  lines: readonly SumLine[],
  total: SumLine,
): Generator<Cells> {
  yield [getColumnHead(context, by), ...total.hours.map((_, hour) => hourText(hour))]
  for (const { name, hours } of [...lines, total]) yield [toSheetText(name), ...hours]
}

/** Of days on which hardly anybody writes at night these hours are enough. */
const [FIRST, LAST] = [7, 20]

function* buildBlocks(
  context: ReportContext,
  by: SumGrouping,
  lines: readonly SumLine[],
  total: SumLine,
): Generator<DocumentBlock> {
  const { words, shown } = context
  const { opened, waits, waitMs, services, serviceMs, stars, ratings } = total
  yield {
    kind: 'figures',
    figures: [
      { label: words.tickets, value: shown.number(opened) },
      { label: words.acceptances, value: shown.number(waits) },
      { label: words.resolvings, value: shown.number(services) },
      { label: words.meanWait, value: formatDuration(computeMeanSeconds(waitMs, waits)) },
      { label: words.meanService, value: formatDuration(computeMeanSeconds(serviceMs, services)) },
      { label: words.meanRating, value: shown.mean(stars, ratings) ?? NONE },
    ],
  }
  if (opened > 0) {
    const some = total.hours.flatMap((value, hour) =>
      (hour >= FIRST && hour <= LAST) || value > 0 ? [{ label: two(hour), value }] : [],
    )
    yield { kind: 'charts', charts: [{ chart: 'bars', title: words.byHour, bars: some }] }
  }
  yield { kind: 'heading', text: words.tables[by], aside: words.orders[by] }
  const statuses = listStatuses(total)
  yield {
    kind: 'table',
    columns: [
      { head: getColumnHead(context, by), weight: 22 },
      ...[words.tickets, ...statuses.map(status => words.statuses[status])].map(head =>
        right(head, Math.max(9, head.length)),
      ),
      ...[words.tme, words.tma].map(head => right(head, 9)),
      right(words.rating, 6),
    ],
    rows: lines.map(line => toRow(context, line, statuses)),
    empty: words.empty,
    ...(lines.length > 0 && { totals: toRow(context, total, statuses) }),
  }
  yield* answerBlocks(context, { head: getColumnHead(context, by), lines, total })
  if (opened > 0) yield* hoursTable(context, by, lines, total)
  yield { kind: 'paragraph', text: words.sumNote, quiet: true }
}

function toRow({ shown }: ReportContext, line: SumLine, statuses: readonly TicketStatus[]): Row {
  const { name, color, opened, waits, waitMs, services, serviceMs, stars, ratings } = line
  return [
    color === '' ? name : { text: name, color },
    ...[opened, ...statuses.map(status => line.statuses[status] ?? 0)].map(shown.number),
    ...[
      formatDuration(computeMeanSeconds(waitMs, waits)),
      formatDuration(computeMeanSeconds(serviceMs, services)),
      shown.mean(stars, ratings) ?? NONE,
    ],
  ]
}

/** Each with its hours: of twelve columns at most, as the page is wide. */
function* hoursTable(
  context: ReportContext,
  by: SumGrouping,
  lines: readonly SumLine[],
  total: SumLine,
): Generator<DocumentBlock> {
  const { words, shown } = context
  for (const [first, last] of [
    [0, 12],
    [12, 24],
  ] as const) {
    const sums = total.hours.slice(first, last)
    if (sums.every(n => n === 0)) continue
    const row = ({ name, hours }: SumLine): Row => [
      name,
      ...hours.slice(first, last).map(n => (n === 0 ? NONE : shown.number(n))),
    ]
    yield { kind: 'heading', text: words.byHour, aside: `${hourText(first)} – ${hourText(last)}` }
    yield {
      kind: 'table',
      columns: [{ head: getColumnHead(context, by), weight: 20 }, ...sums.map((_, at) => right(two(first + at), 6))],
      rows: lines.filter(({ opened }) => opened > 0).map(row),
      totals: row(total),
    }
  }
}

function right(head: string, weight: number) {
  return { head, weight, align: 'right' as const }
}

function hourText(hour: number): string {
  return `${two(hour)}:00`
}
