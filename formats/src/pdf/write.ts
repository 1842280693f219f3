// Documents as PDF, drawn by a process of its own: two hundred pages are seconds of work (docs/decisions/0222).
import { join } from 'node:path'
import { AppError } from '@balcao/contract'
import { type SubprocessLimits, writeInSubprocess } from '../subprocess/subprocess-writer.ts'
import type { PdfDocument } from './document.ts'
import { serializeDocument } from './wire.ts'

const CHILD = join(import.meta.dir, 'child.ts')

/** The bytes of a document as they are drawn, by a script that calls `drawAll`. Throws `ERR_PDF` and as `writeInSubprocess` does. */
export function renderPdf(
  document: PdfDocument,
  limits: SubprocessLimits = {},
  script = CHILD,
): AsyncGenerator<Uint8Array> {
  return writeInSubprocess(script, serializeDocument(document), limits, () => new AppError('ERR_PDF'))
}
