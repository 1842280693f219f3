// The report of tickets: what they add up to, and every one of them.
import { REPORT_ROWS } from '@balcao/contract'
import { toSheetText } from '@balcao/formats/sheets/write'
import type { Cells } from '@balcao/formats/sheets/xlsx'
import { computeMeanSeconds } from '../figures/read.ts'
import { type ReportContent, type ReportReader, renderReportFile, streamLines } from './content.ts'
import { formatCutNotice, type ReportContext, renderSummaryHead } from './context.ts'
import { spoolLines } from './spooled-lines.ts'
import { renderTicketBlocks } from './ticket-blocks.ts'
import { sortShares, TicketTotals } from './ticket-totals.ts'
import { readTicketPages } from './tickets.ts'
import { STATUS_ORDER } from './words.ts'

/** `most`: rows of its table. */
export async function buildTicketReport(
  context: ReportContext,
  read: ReportReader,
  most: number = REPORT_ROWS[context.which.format],
): Promise<ReportContent> {
  const { which, words, shown } = context
  const totals = new TicketTotals(line => shown.dayOf(line.opened))
  const pages = read.filterPages(readTicketPages(read.db, which))
  const spooled = await spoolLines(read.dataDir, pages, most, line => totals.add(line))
  const lines = () => streamLines(context, spooled, read)
  const file = renderReportFile(context, read, {
    sheets: () => [
      { name: words.tables.ticket, rows: heads(context), more: lines() },
      { name: words.summary, rows: totalRows(context, totals, spooled.shownCount) },
    ],
    blocks: () => renderTicketBlocks(context, totals, spooled.shownCount, lines()),
  })
  return { rows: spooled.all, file, remove: spooled.remove }
}

function* heads({ words }: ReportContext): Generator<Cells> {
  yield [
    ...[words.number, words.protocol, words.contact, words.phone, words.queue, words.person],
    ...[words.connection, words.status, words.opened, words.accepted, words.closed],
    ...[words.wait, words.service, words.rating],
  ]
}

function* totalRows(context: ReportContext, totals: TicketTotals, shownCount: number): Generator<Cells> {
  const { words } = context
  const { waits, waitMs, services, serviceMs, stars, ratings } = totals
  const [tme, tma] = [computeMeanSeconds(waitMs, waits), computeMeanSeconds(serviceMs, services)]
  yield* renderSummaryHead(context, words.ticketNote)
  if (shownCount < totals.all) yield [formatCutNotice(context, shownCount, totals.all)]
  yield [words.total, totals.all]
  yield [words.meanWait, tme === null ? null : { seconds: tme }, waits]
  yield [words.meanService, tma === null ? null : { seconds: tma }, services]
  yield [words.meanRating, ratings === 0 ? null : stars / ratings, ratings]
  yield []
  yield [words.byStatus]
  for (const status of STATUS_ORDER) yield [words.statuses[status], totals.statuses.get(status) ?? 0]
  yield []
  yield [words.byQueue]
  for (const { name, n } of sortShares(totals.queues, words.noQueue)) yield [toSheetText(name), n]
  yield []
  yield [words.byPerson]
  for (const { name, n } of sortShares(totals.people, words.nobody)) yield [toSheetText(name), n]
}
