// The two kinds of sheets that speak of contacts, and how one is read.
import { CONTACT_SHEET_ROWS } from '@balcao/contract'
import { AppError } from '../http/errors.ts'
import { chosenColumns, columnsIn, type Heads } from '../sheets/columns.ts'
import { readSheet, type SheetRow } from '../sheets/read.ts'
import { DELEGATION_SHEET } from './delegations.ts'
import { CONTACT_SHEET, type Wanted } from './people.ts'

export const SHEETS = { contacts: CONTACT_SHEET, delegation: DELEGATION_SHEET } as const
export type SheetName = keyof typeof SHEETS

export interface ReadSheet {
  readonly heading: SheetRow
  readonly rows: readonly SheetRow[]
  readonly columns: readonly (string | null)[]
  /** Columns it cannot do without, and has not. */
  readonly missing: readonly string[]
  readonly wanted: readonly Wanted[]
}

/** What a kind of sheet is to who reads it, whatever its columns are called. */
interface Kind<C extends string> {
  readonly columns: readonly C[]
  readonly heads: Heads<C>
  readonly needed: readonly C[]
  readonly parse: (rows: readonly SheetRow[], columns: readonly (C | null)[]) => Promise<Wanted[]>
}

/** Throws as `readSheet`, and `ERR_VALIDATION` for columns that were chosen wrongly (`columns`: JSON, as the form says it). */
export function readContacts(
  file: { readonly path: string; readonly name: string },
  sheet: SheetName,
  columns: string | null,
): Promise<ReadSheet> {
  return sheet === 'contacts' ? readAs(file, CONTACT_SHEET, columns) : readAs(file, DELEGATION_SHEET, columns)
}

async function readAs<C extends string>(
  file: { readonly path: string; readonly name: string },
  { columns: all, heads, needed, parse }: Kind<C>,
  chosen: string | null,
): Promise<ReadSheet> {
  const [heading, ...rows] = await readSheet(file, { rows: CONTACT_SHEET_ROWS })
  if (!heading) throw new AppError('ERR_SHEET_UNREADABLE')
  const columns = chosenColumns(chosen, heading.cells, all) ?? columnsIn(heading.cells, all, heads)
  const missing = needed.filter(name => !columns.includes(name))
  return { heading, rows, columns, missing, wanted: missing.length > 0 ? [] : await parse(rows, columns) }
}
