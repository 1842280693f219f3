// What a report is made of, and the file it becomes.
import type { ApartLimits } from '../apart/written.ts'
import type { MediaPlace } from '../media/place.ts'
import type { Block, DocumentHead } from '../pdf/document.ts'
import { pdfOf } from '../pdf/write.ts'
import { type Sheet, workbookOf } from '../sheets/workbook.ts'
import type { Context } from './context.ts'

/** What a report is read with. */
export interface Read extends MediaPlace {
  readonly limits: ApartLimits
  /** Passes pages on, and asks between them whether it is still wanted and allowed. */
  readonly asked: <Line>(pages: AsyncIterable<readonly Line[]>) => AsyncGenerator<readonly Line[]>
  /** Says that so many of all rows are written, and asks the same. */
  readonly step: (done: number, total: number) => Promise<void>
}

export interface Content {
  /** Rows of its table, also those that are not written. */
  readonly rows: number
  readonly file: ReportFile
  /** Whatever lies on the disk for it goes. */
  readonly remove: () => Promise<void>
}

export interface ReportFile {
  readonly ending: 'pdf' | 'xlsx' | 'zip'
  readonly bytes: AsyncIterable<Uint8Array>
}

export type MakeContent = (context: Context, read: Read) => Promise<Content>

/** A report in the form it was asked for. */
export function fileOf(
  context: Context,
  { limits }: Read,
  made: { readonly sheets: () => readonly Sheet[]; readonly blocks: () => Iterable<Block> },
): ReportFile {
  if (context.which.format === 'xlsx') return { ending: 'xlsx', bytes: workbookOf(made.sheets(), limits) }
  return { ending: 'pdf', bytes: pdfOf({ head: headOf(context), blocks: made.blocks() }, limits) }
}

/** What stands above and below every page. */
export function headOf({ report, which, words, company, made, filters }: Context): DocumentHead {
  const title = words.titles[report]
  const left = `${title} · ${filters[0]?.value ?? ''}`
  const middle = report === 'message' || report === 'contact' ? {} : { middle: words.workingTime }
  return { language: which.language, title, company: { name: company }, made, filters, foot: { left, ...middle } }
}

const ROWS_A_STEP = 500

/** The rows of a table on their way into the file: now and then it is told how far they are. */
export async function* stepped<Line>(lines: AsyncIterable<Line>, total: number, { step }: Read): AsyncGenerator<Line> {
  let done = 0
  for await (const line of lines) {
    yield line
    if (++done % ROWS_A_STEP === 0) await step(done, total)
  }
  await step(done, total)
}
