// The report by contact: who was served, how often, and what was written.
import { REPORT_ROWS } from '@balcao/contract'
import type { DocumentBlock } from '@balcao/formats/pdf/document'
import type { Cells } from '@balcao/formats/sheets/xlsx'
import type { DeferredRows } from '@balcao/formats/subprocess/lines'
import { readContactPages } from './contacts.ts'
import { type ReportContent, type ReportReader, renderReportFile, streamLines } from './content.ts'
import { formatCutNotice, type ReportContext, renderSummaryHead } from './context.ts'
import { NONE } from './formatter.ts'
import { spoolLines } from './spooled-lines.ts'

const NOTHING = { contacts: 0, tickets: 0, received: 0, sent: 0, stars: 0, ratings: 0 }
type Totals = typeof NOTHING

/** `most`: rows of its table. */
export async function buildContactReport(
  context: ReportContext,
  read: ReportReader,
  most: number = REPORT_ROWS[context.which.format],
): Promise<ReportContent> {
  const { which, words } = context
  const totals = { ...NOTHING }
  const pages = read.filterPages(readContactPages(read.db, which))
  const spooled = await spoolLines(read.dataDir, pages, most, line => {
    totals.contacts++
    for (const name of ['tickets', 'received', 'sent', 'stars', 'ratings'] as const) totals[name] += line[name]
  })
  const lines = () => streamLines(context, spooled, read)
  const file = renderReportFile(context, read, {
    sheets: () => [
      { name: words.tables.contact, rows: heads(context), more: lines() },
      { name: words.summary, rows: totalRows(context, totals, spooled.shownCount) },
    ],
    blocks: () => buildBlocks(context, totals, spooled.shownCount, lines()),
  })
  return { rows: spooled.all, file, remove: spooled.remove }
}

function* heads({ words }: ReportContext): Generator<Cells> {
  yield [
    ...[words.contact, words.phone, words.tickets, words.received, words.sent],
    ...[words.first, words.last, words.rating, words.ratings],
  ]
}

function* totalRows(
  context: ReportContext,
  { contacts, tickets, received, sent, stars, ratings }: Totals,
  shownCount: number,
): Generator<Cells> {
  const { words } = context
  yield* renderSummaryHead(context, words.contactNote)
  if (shownCount < contacts) yield [formatCutNotice(context, shownCount, contacts)]
  yield [words.contacts, contacts]
  yield [words.tickets, tickets]
  yield [words.received, received]
  yield [words.sent, sent]
  yield [words.meanRating, ratings === 0 ? null : stars / ratings, ratings]
}

function* buildBlocks(
  context: ReportContext,
  totals: Totals,
  shownCount: number,
  lines: DeferredRows,
): Generator<DocumentBlock> {
  const { words, shown } = context
  const { contacts, tickets, received, sent, stars, ratings } = totals
  yield {
    kind: 'figures',
    figures: [
      { label: words.contacts, value: shown.number(contacts) },
      { label: words.tickets, value: shown.number(tickets) },
      { label: words.received, value: shown.number(received) },
      { label: words.sent, value: shown.number(sent) },
      { label: words.meanRating, value: shown.mean(stars, ratings) ?? NONE },
    ],
  }
  yield { kind: 'heading', text: words.tables.contact, aside: words.orders.contact }
  if (shownCount < contacts)
    yield { kind: 'paragraph', text: formatCutNotice(context, shownCount, contacts), quiet: true }
  const right = (head: string, weight: number) => ({ head, weight, align: 'right' as const })
  yield {
    kind: 'table',
    columns: [
      { head: words.contact, under: words.phone, weight: 26 },
      ...[right(words.tickets, 12), right(words.received, 11), right(words.sent, 11)],
      ...[right(words.first, 15), right(words.last, 15), right(words.rating, 8)],
    ],
    rows: lines,
    empty: words.empty,
    ...(contacts > 0 && {
      totals: [
        ...[words.total, shown.number(tickets), shown.number(received), shown.number(sent), '', ''],
        shown.mean(stars, ratings) ?? NONE,
      ],
    }),
  }
  yield { kind: 'paragraph', text: words.contactNote, quiet: true }
}
