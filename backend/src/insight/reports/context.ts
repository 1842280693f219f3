// What stands around every report: whose it is, when and by whom it was made, and what was asked.
import { fillBraces, type ReportName } from '@balcao/contract'
import { toSheetText } from '@balcao/formats/sheets/write'
import type { Cells } from '@balcao/formats/sheets/xlsx'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { findRunningCount } from '../figures/zone.ts'
import { createFormatter, type ReportFormatter } from './formatter.ts'
import type { ReportQuery } from './query.ts'
import { getReportWords, type ReportWords } from './words.ts'

export interface ReportContext {
  readonly report: ReportName
  readonly which: ReportQuery
  readonly words: ReportWords
  readonly shown: ReportFormatter
  readonly timezone: string
  readonly company: string
  /** Who asked, when it was made, and whether figures are still by the former calendar, a line each. */
  readonly made: readonly string[]
  /** The period and every filter, also those that leave everything in. */
  readonly filters: readonly { readonly label: string; readonly value: string }[]
}

export async function loadReportContext(
  db: Db,
  report: ReportName,
  which: ReportQuery,
  { timezone, company, now }: { readonly timezone: string; readonly company: string; readonly now: Date },
): Promise<ReportContext> {
  const words = getReportWords(which.language)
  const shown = createFormatter(which.language, timezone)
  const { by, queue, person, contact } = await loadNames(db, which)
  const { first, last } = which.period
  const at = now.toISOString()
  const counting = report === 'message' ? null : await findRunningCount(db)
  const period = {
    label: words.period,
    value: fillBraces(words.to, { first: shown.day(first), last: shown.day(last) }),
  }
  const filters = [
    { label: words.queue, value: queue ?? words.allF },
    { label: words.person, value: person ?? words.allF },
    { label: words.contact, value: contact ?? words.allM },
    { label: words.status, value: which.status === '' ? words.allF : words.statuses[which.status] },
  ]
  return {
    ...{ report, which, words, shown, timezone, company },
    made: [
      fillBraces(words.made, { day: shown.day(shown.dayOf(at)), time: shown.time(at) }),
      fillBraces(words.by, { name: by }),
      ...(counting ? [words.counting[counting.what]] : []),
    ],
    filters: report === 'message' ? [period, { label: words.contact, value: contact ?? '' }] : [period, ...filters],
  }
}

interface Names {
  readonly by: string
  readonly queue: string | null
  readonly person: string | null
  readonly contact: string | null
}

/** Also of what is gone. */
async function loadNames(db: Db, { viewerId, queueId, userId, contactId }: ReportQuery): Promise<Names> {
  const [row] = await getSql(db)<Names[]>`
    select coalesce((select name from "user" where id = ${viewerId}), '') as by,
      coalesce((select name from queue where id = ${queueId}::int), (select name from past_queue where id = ${queueId}::int)) as queue,
      (select name from "user" where id = ${userId}::int) as person, (select name from contact where id = ${contactId}::int) as contact`
  if (!row) throw new Error('No names')
  return row
}

/** The file of a report: `atendimentos-2026-11-01-2026-11-24.pdf`. */
export function formatFileName({ report, which, words }: ReportContext, ending: string): string {
  const { first, last } = which.period
  return `${words.files[report]}-${first}-${last}.${ending}`
}

/** What is left out of a table, and that the totals are not; of messages, that there are more. */
export function formatCutNotice({ words, shown, report }: ReportContext, shownCount: number, all: number): string {
  return fillBraces(report === 'message' ? words.firstMessages : words.cut, {
    shown: shown.number(shownCount),
    all: shown.number(all),
  })
}

/** The beginning of the sheet that says what a report is of. */
export function* renderSummaryHead({ report, words, filters, made }: ReportContext, note: string): Generator<Cells> {
  yield [words.titles[report]]
  for (const { label, value } of filters) yield [label, toSheetText(value)]
  for (const line of made) yield [toSheetText(line)]
  yield [note]
  yield []
}
