// A dump of another desk's database, as `pg_dump` and `mysqldump` write it. Nothing of it is ever run: the blocks of `copy` and the
// statements of `insert` are read as text, the rest is passed over. Those of tables that nobody wants are read to their end, too: what a
// customer wrote stands in them, and could look like a statement.
import { AppError } from '../../../platform/http/errors.ts'
import type { Source, SourceRow } from '../records.ts'
import { readCopyRow } from './copy-row.ts'
import { readLines } from './lines.ts'
import { createTupleReader, type TupleReader } from './tuples.ts'

export interface SourceRows {
  readonly table: string
  readonly rows: readonly SourceRow[]
}

const NAME = '[`"]?([\\w$]+)[`"]?'
const WHERE = `(?:[\`"]?[\\w$]+[\`"]?\\.)?${NAME}`
const COPY = new RegExp(`^COPY ${WHERE} \\((.*)\\) FROM stdin;`, 'i')
const CREATE = new RegExp(`^CREATE TABLE (?:IF NOT EXISTS )?${WHERE} \\(`, 'i')
const INSERT = new RegExp(
  `^(?:INSERT|REPLACE) (?:IGNORE )?INTO ${WHERE}\\s*(?:\\(([^)]*)\\)\\s*)?(?:OVERRIDING \\w+ VALUE )?VALUES`,
  'i',
)
const COLUMN = new RegExp(`^\\s+${NAME}\\s`)
const NO_COLUMN = /^\s+(?:PRIMARY|UNIQUE|KEY|CONSTRAINT|FULLTEXT|FOREIGN|CHECK|INDEX|SPATIAL)\b/i
/** How the packed form of pg_dump begins, which only its own program reads, and how archives do. */
const PACKED = ['PGDMP', 'PK\x03\x04', 'Rar!', '7z\xbc\xaf']
const BEGIN = /^-- (?:PostgreSQL database dump|MySQL dump|MariaDB dump)\b/
const END = /^-- (?:PostgreSQL database dump complete|Dump completed)/

type Columns = readonly (string | null)[]
type Mode =
  | { readonly kind: 'between' }
  | { readonly kind: 'create'; readonly columns: string[] }
  | { readonly kind: 'copy'; readonly table: string; readonly columns: Columns | null }
  | { readonly kind: 'insert'; readonly table: string; readonly columns: Columns | null; readonly tuples: TupleReader }

/** Whether a file begins as one that is no text. */
export function isPacked(head: string): boolean {
  return PACKED.some(sign => head.startsWith(sign))
}

/** The rows of the tables that are wanted, in the order of the dump. Throws `ERR_MOVE_IN_UNREADABLE`, `ERR_MOVE_IN_CUT`. */
export async function* readDump(bytes: AsyncIterable<Uint8Array>, source: Source): AsyncGenerator<SourceRows> {
  const reading: Reading = { source, known: new Map(), found: new Map(), isOpen: false }
  let mode: Mode = BETWEEN
  let isFirst = true
  for await (const lines of readLines(bytes)) {
    if (isFirst && isPacked(lines[0] ?? '')) throw new AppError('ERR_MOVE_IN_UNREADABLE')
    isFirst = false
    for (const line of lines) mode = readLine(line, mode, reading)
    for (const [table, rows] of reading.found) yield { table, rows }
    reading.found.clear()
  }
  if (mode.kind !== 'between' || reading.isOpen) throw new AppError('ERR_MOVE_IN_CUT')
}

interface Reading {
  readonly source: Source
  /** The columns of the tables that were made. */
  readonly known: Map<string, readonly string[]>
  readonly found: Map<string, SourceRow[]>
  /** Its first words were read, and its last ones not yet. */
  isOpen: boolean
}

const BETWEEN: Mode = { kind: 'between' }

function readLine(line: string, mode: Mode, reading: Reading): Mode {
  if (mode.kind === 'copy') {
    if (line === '\\.') return BETWEEN
    if (mode.columns) addRow(reading, mode.table, readCopyRow(line, mode.columns))
    return mode
  }
  if (mode.kind === 'insert') return readInsert(`${line}\n`, mode, reading)
  if (mode.kind === 'create') {
    if (line.startsWith(')')) return BETWEEN
    const column = NO_COLUMN.test(line) ? undefined : COLUMN.exec(line)?.[1]
    if (column !== undefined) mode.columns.push(column)
    return mode
  }
  return beginStatement(line, reading)
}

function beginStatement(line: string, reading: Reading): Mode {
  if (line.startsWith('--')) {
    reading.isOpen = !END.test(line) && (reading.isOpen || BEGIN.test(line))
    return BETWEEN
  }
  const [, copied = '', copiedColumns = ''] = COPY.exec(line) ?? []
  if (copied)
    return { kind: 'copy', table: copied, columns: chooseColumns(reading.source, copied, splitNames(copiedColumns)) }
  const made = CREATE.exec(line)?.[1]
  if (made !== undefined) {
    const columns: string[] = []
    reading.known.set(made, columns)
    return { kind: 'create', columns }
  }
  const insert = INSERT.exec(line)
  if (!insert) return BETWEEN
  const [head, table = '', names] = insert
  const columns = names === undefined ? (reading.known.get(table) ?? []) : splitNames(names)
  const tuples = createTupleReader(head.includes('`'))
  const begun = { kind: 'insert', table, columns: chooseColumns(reading.source, table, columns), tuples } as const
  return readInsert(`${line.slice(head.length)}\n`, begun, reading)
}

function readInsert(text: string, mode: Extract<Mode, { kind: 'insert' }>, reading: Reading): Mode {
  const { rows, isOver } = mode.tuples.read(text)
  for (const cells of mode.columns ? rows : [])
    addRow(
      reading,
      mode.table,
      Object.fromEntries(
        (mode.columns ?? []).flatMap((column, at) => (column === null ? [] : [[column, cells[at] ?? null]])),
      ),
    )
  return isOver ? BETWEEN : mode
}

function addRow({ found }: Reading, table: string, row: SourceRow): void {
  const rows = found.get(table)
  if (rows) rows.push(row)
  else found.set(table, [row])
}

function splitNames(names: string): string[] {
  return names.split(',').map(name => name.trim().replace(/^[`"]|[`"]$/g, ''))
}

/** The columns by their places, those that nobody wants as null; null for a table that nobody wants. */
function chooseColumns(source: Source, table: string, columns: readonly string[]): Columns | null {
  const wanted = Object.hasOwn(source.tables, table) ? source.tables[table] : undefined
  if (!wanted) return null
  return columns.map(column => (wanted.columns.includes(column) || column === source.companyColumn ? column : null))
}
