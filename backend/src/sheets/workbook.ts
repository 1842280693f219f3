// Large workbooks, written by a process of its own (docs/decisions/0225).
import { join } from 'node:path'
import { packs } from '../apart/lines.ts'
import { type ApartLimits, writtenBy } from '../apart/written.ts'
import type { Cells } from './xlsx.ts'

export interface Sheet {
  readonly name: string
  /** Taken as they are written, the heading first. */
  readonly rows: AsyncIterable<Cells> | Iterable<Cells>
}

/** What goes to the process: the names of all sheets, rows in packs, `null` after each sheet. */
export type Sent = { readonly sheets: readonly string[] } | readonly Cells[] | null

/** The bytes of a workbook as they are made. Throws as `writtenBy` does. */
export function workbookOf(sheets: readonly Sheet[], limits: ApartLimits = {}): AsyncGenerator<Uint8Array> {
  const script = join(import.meta.dir, 'workbook-child.ts')
  return writtenBy(script, told(sheets), limits, () => new Error('The workbook was not finished'))
}

async function* told(sheets: readonly Sheet[]): AsyncGenerator<Sent> {
  yield { sheets: sheets.map(({ name }) => name) }
  for (const { rows } of sheets) {
    yield* packs(rows)
    yield null
  }
}
