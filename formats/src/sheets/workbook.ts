// Large workbooks, written by a process of its own (docs/decisions/0225).
import { join } from 'node:path'
import { batchRows, type DeferredRows } from '../subprocess/lines.ts'
import { type SubprocessLimits, writeInSubprocess } from '../subprocess/subprocess-writer.ts'
import type { Cells } from './xlsx.ts'

export interface Sheet {
  readonly name: string
  /** Taken as they are written, the heading first. */
  readonly rows: AsyncIterable<Cells> | Iterable<Cells>
  /** Rows that follow and are made where they are written. */
  readonly more?: DeferredRows
}

/** What goes to the process: the names of all sheets, rows in packs, what further ones are made of, `null` after each sheet. */
export type WorkbookFrame =
  | { readonly sheets: readonly string[] }
  | readonly Cells[]
  | { readonly of: unknown }
  | { readonly lines: readonly unknown[] }
  | null

const CHILD = join(import.meta.dir, 'workbook-child.ts')

/** The bytes of a workbook as they are made, by a script that calls `writeAll`. Throws as `writeInSubprocess` does. */
export function renderWorkbook(
  sheets: readonly Sheet[],
  limits: SubprocessLimits = {},
  script = CHILD,
): AsyncGenerator<Uint8Array> {
  return writeInSubprocess(script, encodeFrames(sheets), limits, () => new Error('The workbook was not finished'))
}

async function* encodeFrames(sheets: readonly Sheet[]): AsyncGenerator<string> {
  const encode = (sent: WorkbookFrame) => JSON.stringify(sent)
  yield encode({ sheets: sheets.map(({ name }) => name) })
  for (const { rows, more } of sheets) {
    for await (const some of batchRows(rows)) yield encode(some)
    if (more) {
      yield encode({ of: more.of })
      for await (const pack of more.packs) yield `{"lines":${pack}}`
    }
    yield encode(null)
  }
}
