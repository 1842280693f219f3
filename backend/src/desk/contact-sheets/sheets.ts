// The two kinds of sheets that speak of contacts, and how one is read.
import { CONTACT_SHEET_ROWS, MB } from '@balcao/contract'
import { type ColumnContent, listColumnContents } from '@balcao/formats/sheets/cells'
import { parseChosenColumns } from '@balcao/formats/sheets/columns'
import { readBeginning, type SheetBeginning, type SheetRow, spoolSheet } from '@balcao/formats/sheets/read'
import { AppError } from '../../platform/http/errors.ts'
import { receiveFile } from '../media/folder.ts'
import { CONTACT_SHEET, type ContactEntry, type SheetOptions } from './contact-rows.ts'
import { DELEGATION_SHEET } from './delegations.ts'

export const SHEETS = { contacts: CONTACT_SHEET, delegation: DELEGATION_SHEET } as const
export type SheetName = keyof typeof SHEETS

/** What a sheet says of itself. */
export interface SheetHead {
  readonly heading: SheetRow
  readonly columns: readonly (string | null)[]
  /** Columns it cannot do without, and has not. */
  readonly missing: readonly string[]
}

/** A sheet whose rows lie on the disk, to be taken in as they are needed. */
export interface SpooledContacts extends SheetHead {
  /** Rows below the heading. */
  readonly total: number
  readonly rows: () => AsyncGenerator<SheetRow>
  /** What its rows want; nothing where a column is missing. */
  readonly wanted: () => AsyncGenerator<ContactEntry>
  readonly remove: () => Promise<void>
}

interface GivenFile {
  readonly path: string
  readonly name: string
}

/** What a kind of sheet is to who reads it, whatever its columns are called. */
interface Kind<C extends string> {
  readonly columns: readonly C[]
  /** Which of them a sheet may have several of. */
  readonly repeatable: readonly C[]
  readonly find: (heads: readonly string[], contents: readonly (ColumnContent | null)[]) => (C | null)[]
  readonly needed: readonly C[]
  readonly parse: (
    rows: AsyncIterable<SheetRow>,
    columns: readonly (C | null)[],
    options: SheetOptions,
  ) => AsyncGenerator<ContactEntry>
}

const LIMITS = { rows: CONTACT_SHEET_ROWS, headed: true }
/** More than the texts of a sheet take as JSON. */
const MOST_LAID = 256 * MB

/** Throws as `readSheet`, and `ERR_VALIDATION` for columns that were chosen wrongly (`columns`: JSON, as the form says it). */
export async function readContactHead(file: GivenFile, sheet: SheetName, columns: string | null): Promise<SheetHead> {
  const begin = await readBeginning(file, LIMITS)
  return sheet === 'contacts' ? headAs(begin, CONTACT_SHEET, columns) : headAs(begin, DELEGATION_SHEET, columns)
}

/** Throws as `readContactHead`, and `ERR_NO_SPACE`. Whoever asked removes it. */
export function spoolContacts(
  dataDir: string,
  file: GivenFile,
  sheet: SheetName,
  columns: string | null,
  options: SheetOptions,
): Promise<SpooledContacts> {
  return sheet === 'contacts'
    ? layAs(dataDir, file, CONTACT_SHEET, columns, options)
    : layAs(dataDir, file, DELEGATION_SHEET, columns, options)
}

async function layAs<C extends string>(
  dataDir: string,
  file: GivenFile,
  kind: Kind<C>,
  chosen: string | null,
  options: SheetOptions,
): Promise<SpooledContacts> {
  const laid = await spoolSheet(file, LIMITS, bytes => receiveFile(dataDir, bytes, MOST_LAID))
  try {
    const head = headAs(laid, kind, chosen)
    async function* wanted() {
      if (head.missing.length === 0) yield* kind.parse(laid.rows(), head.columns, options)
    }
    return { ...laid, ...head, wanted }
  } catch (error) {
    await laid.remove()
    throw error
  }
}

function headAs<C extends string>(
  { heading, sample }: SheetBeginning,
  { columns: all, repeatable, find, needed }: Omit<Kind<C>, 'parse'>,
  chosen: string | null,
) {
  if (!heading) throw new AppError('ERR_SHEET_UNREADABLE')
  const contents = listColumnContents(sample.map(({ cells }) => cells))
  const columns = parseChosenColumns(chosen, heading.cells, all, repeatable) ?? find(heading.cells, contents)
  const lacking = needed.filter(name => !columns.includes(name))
  // A list of numbers and of nothing else names nobody: they are called what they call themselves.
  return { heading, columns, missing: isNumbersAlone(heading, columns) ? [] : lacking }
}

function isNumbersAlone({ cells }: SheetRow, columns: readonly (string | null)[]): boolean {
  return cells.length === 1 && columns[0] === 'numero'
}
