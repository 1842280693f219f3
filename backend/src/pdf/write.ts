// Documents as PDF, drawn by a process of its own: two hundred pages are seconds of work (docs/decisions/0222).
import { join } from 'node:path'
import { type ApartLimits, writtenBy } from '../apart/written.ts'
import { AppError } from '../http/errors.ts'
import type { PdfDocument } from './document.ts'
import { sentOf } from './wire.ts'

/** The bytes of a document as they are drawn. Throws `ERR_PDF` and as `writtenBy` does. */
export function pdfOf(document: PdfDocument, limits: ApartLimits = {}): AsyncGenerator<Uint8Array> {
  return writtenBy(join(import.meta.dir, 'child.ts'), sentOf(document), limits, () => new AppError('ERR_PDF'))
}
