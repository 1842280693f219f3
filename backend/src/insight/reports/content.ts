// What a report is made of, and the file it becomes.
import { join } from 'node:path'
import type { Block, DocumentHead } from '@balcao/formats/pdf/document'
import { pdfOf } from '@balcao/formats/pdf/write'
import { type Sheet, workbookOf } from '@balcao/formats/sheets/workbook'
import type { Unread } from '@balcao/formats/subprocess/lines'
import type { ApartLimits } from '@balcao/formats/subprocess/written'
import type { MediaPlace } from '../../desk/media/place.ts'
import type { Context } from './context.ts'
import type { KeptLines } from './kept-lines.ts'
import type { RowsLike } from './rows.ts'

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

/** They make the rows of long tables themselves. */
const PDF_CHILD = join(import.meta.dir, 'pdf-child.ts')
const SHEET_CHILD = join(import.meta.dir, 'workbook-child.ts')

export type MakeContent = (context: Context, read: Read) => Promise<Content>

/** A report in the form it was asked for. */
export function fileOf(
  context: Context,
  { limits }: Read,
  made: { readonly sheets: () => readonly Sheet[]; readonly blocks: () => Iterable<Block> },
): ReportFile {
  if (context.which.format === 'xlsx') return { ending: 'xlsx', bytes: workbookOf(made.sheets(), limits, SHEET_CHILD) }
  return { ending: 'pdf', bytes: pdfOf({ head: headOf(context), blocks: made.blocks() }, limits, PDF_CHILD) }
}

/** What stands above and below every page. */
export function headOf({ report, which, words, company, made, filters }: Context): DocumentHead {
  const title = words.titles[report]
  const left = `${title} · ${filters[0]?.value ?? ''}`
  const middle = report === 'message' || report === 'contact' ? {} : { middle: words.workingTime }
  return { language: which.language, title, company: { name: company }, made, filters, foot: { left, ...middle } }
}

/** The lines of a table on their way into the file: it is told how far they are. */
export function linesTo({ report, which, timezone }: Context, kept: KeptLines, { step }: Read): Unread {
  const { first, last } = which.period
  const of: RowsLike = {
    ...{ report, language: which.language, timezone },
    withYear: first.slice(0, 4) !== last.slice(0, 4),
  }
  async function* packs() {
    for await (const { pack, done } of kept.packs()) {
      yield pack
      await step(done, kept.kept)
    }
    if (kept.kept === 0) await step(0, 0)
  }
  return { of, packs: packs() }
}
