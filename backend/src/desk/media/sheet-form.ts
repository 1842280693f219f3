// The one sheet in a form, and the sheet of its wrong rows.
import { MB, SHEET_BYTES } from '@balcao/contract'
import type { SheetRow } from '@balcao/formats/sheets/read'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import type { UploadForm } from './form.ts'
import type { ReceivedFile } from './store.ts'

/** The most bytes of a form that holds a sheet. */
export const SHEET_FORM_BYTES = SHEET_BYTES + MB

/** The file a sheet was sent as; null without one. Throws `ERR_VALIDATION` for several, `ERR_FILE_TOO_LARGE`, `ERR_SHEET_UNREADABLE` for an empty one. */
export function findSheetFile(form: UploadForm): ReceivedFile | null {
  // Where nothing is chosen browsers send a file without a name.
  const [file, another] = form.files('medias').filter(({ name, size }) => size > 0 || name !== '')
  if (!file) return null
  if (another) throw createFieldError('medias', 'call.oneFile')
  if (file.size === 0) throw new AppError('ERR_SHEET_UNREADABLE')
  if (file.size > SHEET_BYTES) throw new AppError('ERR_FILE_TOO_LARGE')
  return file
}

/** The same, where there must be one (spec 3 §5). */
export function requireSheetFile(form: UploadForm): ReceivedFile {
  const file = findSheetFile(form)
  if (!file) throw createFieldError('medias', 'call.importFile')
  return file
}

/** Rows that are wrong as they were, with what is wrong behind them: to be mended and imported again. */
export function toCorrectionRows(
  heads: readonly string[],
  wrong: readonly (SheetRow & { readonly problem: string })[],
): string[][] {
  return [[...heads, 'erro'], ...wrong.map(({ cells, problem }) => [...heads.map((_, at) => cells[at] ?? ''), problem])]
}
