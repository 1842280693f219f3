// The report of tickets: what they add up to, and every one of them.
import { REPORT_ROWS } from '@balcao/contract'
import { sheetText } from '@balcao/formats/sheets/write'
import type { Cells } from '@balcao/formats/sheets/xlsx'
import { meanSeconds } from '../figures/read.ts'
import { type Content, fileOf, linesTo, type Read } from './content.ts'
import { type Context, cutText, summaryHead } from './context.ts'
import { keepLines } from './kept-lines.ts'
import { ticketBlocks } from './ticket-blocks.ts'
import { sharesOf, TicketTotals } from './ticket-totals.ts'
import { ticketPages } from './tickets.ts'
import { STATUS_ORDER } from './words.ts'

/** `most`: rows of its table. */
export async function ticketReport(
  context: Context,
  read: Read,
  most: number = REPORT_ROWS[context.which.format],
): Promise<Content> {
  const { which, words, shown } = context
  const totals = new TicketTotals(line => shown.dayOf(line.opened))
  const pages = read.asked(ticketPages(read.db, which))
  const kept = await keepLines(read.dataDir, pages, most, line => totals.add(line))
  const lines = () => linesTo(context, kept, read)
  const file = fileOf(context, read, {
    sheets: () => [
      { name: words.tables.ticket, rows: heads(context), more: lines() },
      { name: words.summary, rows: totalRows(context, totals, kept.kept) },
    ],
    blocks: () => ticketBlocks(context, totals, kept.kept, lines()),
  })
  return { rows: kept.all, file, remove: kept.remove }
}

function* heads({ words }: Context): Generator<Cells> {
  yield [
    ...[words.number, words.protocol, words.contact, words.phone, words.queue, words.person],
    ...[words.connection, words.status, words.opened, words.accepted, words.closed],
    ...[words.wait, words.service, words.rating],
  ]
}

function* totalRows(context: Context, totals: TicketTotals, kept: number): Generator<Cells> {
  const { words } = context
  const { waits, waitMs, services, serviceMs, stars, ratings } = totals
  const [tme, tma] = [meanSeconds(waitMs, waits), meanSeconds(serviceMs, services)]
  yield* summaryHead(context, words.ticketNote)
  if (kept < totals.all) yield [cutText(context, kept, totals.all)]
  yield [words.total, totals.all]
  yield [words.meanWait, tme === null ? null : { seconds: tme }, waits]
  yield [words.meanService, tma === null ? null : { seconds: tma }, services]
  yield [words.meanRating, ratings === 0 ? null : stars / ratings, ratings]
  yield []
  yield [words.byStatus]
  for (const status of STATUS_ORDER) yield [words.statuses[status], totals.statuses.get(status) ?? 0]
  yield []
  yield [words.byQueue]
  for (const { name, n } of sharesOf(totals.queues, words.noQueue)) yield [sheetText(name), n]
  yield []
  yield [words.byPerson]
  for (const { name, n } of sharesOf(totals.people, words.nobody)) yield [sheetText(name), n]
}
