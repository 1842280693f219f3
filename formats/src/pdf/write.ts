// Documents as PDF, drawn by a process of its own: two hundred pages are seconds of work (docs/decisions/0222).
import { join } from 'node:path'
import { AppError } from '@balcao/contract'
import { type ApartLimits, writtenBy } from '../subprocess/written.ts'
import type { PdfDocument } from './document.ts'
import { sentOf } from './wire.ts'

const CHILD = join(import.meta.dir, 'child.ts')

/** The bytes of a document as they are drawn, by a script that calls `drawAll`. Throws `ERR_PDF` and as `writtenBy` does. */
export function pdfOf(document: PdfDocument, limits: ApartLimits = {}, script = CHILD): AsyncGenerator<Uint8Array> {
  return writtenBy(script, sentOf(document), limits, () => new AppError('ERR_PDF'))
}
