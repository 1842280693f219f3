// What a report is made of, and the file it becomes.
import { join } from 'node:path'
import type { DocumentBlock, DocumentHead } from '@balcao/formats/pdf/document'
import { renderPdf } from '@balcao/formats/pdf/write'
import { renderWorkbook, type Sheet } from '@balcao/formats/sheets/workbook'
import type { DeferredRows } from '@balcao/formats/subprocess/lines'
import type { SubprocessLimits } from '@balcao/formats/subprocess/subprocess-writer'
import type { MediaStorage } from '../../desk/media/storage.ts'
import type { ReportContext } from './context.ts'
import type { RowRendererOptions } from './row-renderer.ts'
import type { SpooledLines } from './spooled-lines.ts'

/** What a report is read with. */
export interface ReportReader extends MediaStorage {
  readonly limits: SubprocessLimits
  /** Passes pages on, and asks between them whether it is still wanted and allowed. */
  readonly filterPages: <Line>(pages: AsyncIterable<readonly Line[]>) => AsyncGenerator<readonly Line[]>
  /** Says that so many of all rows are written, and asks the same. */
  readonly step: (done: number, total: number) => Promise<void>
}

export interface ReportContent {
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

/** They make the rows of long tables themselves. */
const PDF_CHILD = join(import.meta.dir, 'pdf-child.ts')
const SHEET_CHILD = join(import.meta.dir, 'workbook-child.ts')

export type ReportBuilder = (context: ReportContext, read: ReportReader) => Promise<ReportContent>

/** A report in the form it was asked for. */
export function renderReportFile(
  context: ReportContext,
  { limits }: ReportReader,
  made: { readonly sheets: () => readonly Sheet[]; readonly blocks: () => Iterable<DocumentBlock> },
): ReportFile {
  if (context.which.format === 'xlsx')
    return { ending: 'xlsx', bytes: renderWorkbook(made.sheets(), limits, SHEET_CHILD) }
  return { ending: 'pdf', bytes: renderPdf({ head: buildHead(context), blocks: made.blocks() }, limits, PDF_CHILD) }
}

/** What stands above and below every page. */
export function buildHead({ report, which, words, company, made, filters }: ReportContext): DocumentHead {
  const title = words.titles[report]
  const left = `${title} · ${filters[0]?.value ?? ''}`
  const middle = report === 'message' || report === 'contact' ? {} : { middle: words.workingTime }
  return { language: which.language, title, company: { name: company }, made, filters, foot: { left, ...middle } }
}

/** The lines of a table on their way into the file: it is told how far they are. */
export function streamLines(
  { report, which, timezone }: ReportContext,
  lines: SpooledLines,
  { step }: ReportReader,
): DeferredRows {
  const { first, last } = which.period
  const of: RowRendererOptions = {
    ...{ report, language: which.language, timezone },
    withYear: first.slice(0, 4) !== last.slice(0, 4),
  }
  async function* packs() {
    for await (const { pack, done } of lines.packs()) {
      yield pack
      await step(done, lines.shownCount)
    }
    if (lines.shownCount === 0) await step(0, 0)
  }
  return { of, packs: packs() }
}
