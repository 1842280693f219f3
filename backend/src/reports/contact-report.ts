// The report by contact: who was served, how often, and what was written.
import { REPORT_ROWS } from '@balcao/contract'
import { sheetText } from '../sheets/write.ts'
import type { Cells } from '../sheets/xlsx.ts'
import { type ContactLine, contactPages } from './contacts.ts'
import { type Content, fileOf, type Read, stepped } from './content.ts'
import { type Context, summaryHead } from './context.ts'
import { keepLines } from './kept-lines.ts'

const NOTHING = { contacts: 0, tickets: 0, received: 0, sent: 0, stars: 0, ratings: 0 }
type Totals = typeof NOTHING

export async function contactReport(context: Context, read: Read): Promise<Content> {
  const { which, words } = context
  const totals = { ...NOTHING }
  const pages = read.asked(contactPages(read.db, which))
  const kept = await keepLines(read.dataDir, pages, REPORT_ROWS[which.format], line => {
    totals.contacts++
    for (const name of ['tickets', 'received', 'sent', 'stars', 'ratings'] as const) totals[name] += line[name]
  })
  const lines = () => stepped(kept.lines(), kept.kept, read)
  const file = fileOf(context, () => [
    { name: words.tables.contact, rows: sheetRows(context, lines()) },
    { name: words.summary, rows: totalRows(context, totals) },
  ])
  return { rows: kept.all, file, remove: kept.remove }
}

async function* sheetRows({ words, shown }: Context, lines: AsyncIterable<ContactLine>): AsyncGenerator<Cells> {
  yield [
    ...[words.contact, words.phone, words.tickets, words.received, words.sent],
    ...[words.first, words.last, words.rating, words.ratings],
  ]
  for await (const { name, number, tickets, received, sent, first, last, stars, ratings } of lines)
    yield [
      ...[sheetText(name), number, tickets, received, sent],
      ...[shown.clock(first), shown.clock(last), ratings === 0 ? null : stars / ratings, ratings],
    ]
}

function* totalRows(context: Context, { contacts, tickets, received, sent, stars, ratings }: Totals): Generator<Cells> {
  const { words } = context
  yield* summaryHead(context, words.contactNote)
  yield [words.contacts, contacts]
  yield [words.tickets, tickets]
  yield [words.received, received]
  yield [words.sent, sent]
  yield [words.meanRating, ratings === 0 ? null : stars / ratings, ratings]
}
