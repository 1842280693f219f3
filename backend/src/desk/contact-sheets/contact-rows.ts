// What a sheet of contacts says, row by row (decisions §3, decisions-2 §14, §22): pure, so that a look, an import and one that goes on
// after a crash find the same.
import {
  CONTACT_FIELDS,
  type ContactColumn,
  type ContactField,
  extractDigits,
  isAreaCode,
  LIMITS,
  REPEATED_FIELDS,
  type SheetProblem,
  toCanonicalNumber,
  validateContact,
} from '@balcao/contract'
import { readNumbers } from '@balcao/contract/contacts/read-number'
import type { ColumnContent } from '@balcao/formats/sheets/cells'
import { parseNames, parseYesNo } from '@balcao/formats/sheets/columns'
import { type HeadingMeaning, isGoogleExport, isOtherHeading, readHeading } from '@balcao/formats/sheets/headings'
import type { SheetRow } from '@balcao/formats/sheets/read'
import { yieldBetweenRows } from '@balcao/formats/sheets/yield-rows'
import { cleanName } from '../contacts/identity.ts'

/** One thing that is wrong with a row. */
export interface RowFault {
  readonly row: number
  readonly field: string
  readonly code: SheetProblem
  /** Whether it is no fault in somebody who is known. */
  readonly isForNew?: boolean
}

/** Whom to call for a queue, as a row of a delegation says. */
export interface DelegationRow {
  readonly row: number
  readonly queue: string
  readonly user: string
}

/** A contact as one row, or several of a delegation, want it to be. What they do not say stays as it is. */
export interface ContactEntry {
  readonly rows: readonly SheetRow[]
  /** In digits, with the country's code; empty where it is wrong. */
  readonly number: string
  /** What it is to be known by besides. */
  readonly otherNumbers: readonly string[]
  /** The row has more than one number. */
  readonly hasSeveral?: boolean
  readonly name: string
  readonly email: string
  readonly tags: readonly string[]
  readonly answers: boolean | null
  /** Null: nothing is said of redirects. */
  readonly delegated: readonly DelegationRow[] | null
  /** The very same stood above in the sheet: it is left out. */
  readonly isRepeated?: boolean
  /** The sheet has no names: people are called what they call themselves. */
  readonly isNameless?: boolean
  /** What is wrong whoever it is; what depends on whether the contact is known comes later. */
  readonly faults: readonly RowFault[]
}

/** How a sheet is read, beside its columns. */
export interface SheetOptions {
  /** Of numbers that stand there without one. */
  readonly areaCode?: string | undefined
  /** Whether a contact gets all numbers of its row, and not the first mobile one alone. */
  readonly allNumbers?: boolean | undefined
}

/**
 * Which field each heading is: sheets of ours, and what address books, desks and advertisements give out. What stands in the columns
 * decides where a heading may mean several things, and where nobody knows it.
 */
export function findContactFields(
  heads: readonly string[],
  contents: readonly (ColumnContent | null)[],
): (ContactField | null)[] {
  const read = heads.map(readHeading)
  const places = (...meanings: HeadingMeaning[]) =>
    meanings.flatMap(meaning => read.flatMap((one, at) => (one === meaning ? at : [])))
  const first = (...meanings: HeadingMeaning[]) => places(...meanings)[0]
  const unknown = (content: ColumnContent) =>
    heads.flatMap((head, at) => (read[at] === null && contents[at] === content && !isOtherHeading(head) ? at : []))
  const fields: (ContactField | null)[] = heads.map(() => null)
  const put = (at: number | undefined, field: ContactField) => {
    if (at !== undefined && !fields[at]) fields[at] = field
  }
  const proven = places('whatsapp', 'phone', 'number', 'contact').find(at => contents[at] === 'phone')
  const phone = proven ?? first('whatsapp', 'phone') ?? unknown('phone')[0] ?? first('number')
  const isName = (at: number) => at !== phone
  const name = places('name', 'givenName', ...(phone === undefined ? [] : ['contact' as const])).find(isName)
  put(phone ?? (name === undefined ? undefined : first('contact')), 'numero')
  const [onlyText, ...moreTexts] = unknown('name')
  const guessed = moreTexts.length === 0 ? onlyText : undefined
  put(name ?? places('contact', 'otherName').find(isName) ?? guessed, 'nome')
  put(first('email') ?? unknown('email')[0], 'email')
  // Google sorts the phone by what it calls labels; who wants them as tags chooses them.
  if (!isGoogleExport(heads)) put(first('tags'), 'tags')
  put(first('answers'), 'resposta_automatica')
  put(first('areaCode'), 'ddd')
  put(first('countryCode'), 'pais')
  // Beside a whole name its parts say nothing new.
  const isWhole = read.includes('name') && read.includes('givenName')
  for (const [at, meaning] of read.entries()) {
    if (meaning === 'whatsapp' || meaning === 'phone') put(at, 'outro_numero')
    // Of a house, unless it can be called.
    if (meaning === 'number' && contents[at] === 'phone') put(at, 'outro_numero')
    if (meaning === 'otherName') put(at, 'outro_nome')
    if (meaning === 'surname' && !isWhole) put(at, 'sobrenome')
  }
  return fields
}

/** The contacts of a sheet, in its order and as they are asked for. */
export async function* parseContactRows(
  rows: AsyncIterable<SheetRow>,
  columns: readonly (ContactField | null)[],
  options: SheetOptions,
): AsyncGenerator<ContactEntry> {
  // Of fifty thousand only what tells two rows apart is held; null where somebody is known by the number besides.
  const seen = new Map<string, bigint | number | null>()
  for await (const one of yieldBetweenRows(rows)) {
    const wanted = parseContactRow(one, columns, options)
    const key = wanted.number === '' ? null : toCanonicalNumber(wanted.number)
    const contentHash = Bun.hash(JSON.stringify(pickContents(wanted)))
    const before = key === null ? undefined : seen.get(key)
    if (key !== null && before === undefined) seen.set(key, contentHash)
    if (before === undefined) yield { ...wanted, otherNumbers: claimOtherNumbers(wanted, seen) }
    // The very same once more says nothing new.
    else if (before === contentHash && wanted.faults.length === 0) yield { ...wanted, isRepeated: true }
    else yield { ...wanted, faults: [...wanted.faults, { row: one.row, field: 'numero', code: 'numberTwice' }] }
  }
}

/** Those that stand nowhere above: a number is one contact's. */
function claimOtherNumbers(
  { otherNumbers, faults }: ContactEntry,
  seen: Map<string, bigint | number | null>,
): string[] {
  const free = faults.length > 0 ? [] : otherNumbers.filter(number => !seen.has(toCanonicalNumber(number)))
  for (const number of free) seen.set(toCanonicalNumber(number), null)
  return free
}

function parseContactRow(
  row: SheetRow,
  columns: readonly (ContactField | null)[],
  options: SheetOptions,
): ContactEntry {
  const textOf = createCellReader(row, columns)
  const faults: RowFault[] = []
  const fault = (field: ContactColumn, code: SheetProblem) => faults.push({ row: row.row, field, code })
  const { number, others } = readRowNumbers(row, columns, options, faults)
  const email = textOf('email')
  if (validateContact({ email }).length > 0) fault('email', 'email')
  const answer = textOf('resposta_automatica')
  const answers = answer === '' ? null : parseYesNo(answer)
  if (answer !== '' && answers === null) fault('resposta_automatica', 'answer')
  const tags = parseNames(textOf('tags'))
  const [least, most] = LIMITS.tagName
  if (tags.some(name => name.length < least || name.length > most)) fault('tags', 'tagName')
  const [name, isNameless] = [joinName(row, columns), !columns.includes('nome')]
  const otherNumbers = options.allNumbers ? others.slice(0, MOST_OTHERS) : []
  const numbers = { number, otherNumbers, hasSeveral: others.length > 0 }
  return { rows: [row], ...numbers, name, isNameless, email, tags, answers, delegated: null, faults }
}

/** Nobody has more; a row may say thousands. */
const MOST_OTHERS = 9

/** First name and what follows it, else what else somebody is called. */
function joinName(row: SheetRow, columns: readonly (ContactField | null)[]): string {
  const parts = [createCellReader(row, columns)('nome'), ...listCells(row, columns, 'sobrenome')].map(cleanName)
  const whole = parts.reduce((name, part) => (` ${name} `.includes(` ${part} `) ? name : `${name} ${part}`.trim()))
  return (
    whole ||
    (listCells(row, columns, 'outro_nome')
      .map(cleanName)
      .find(name => name !== '') ??
      '')
  )
}

/** The texts of a column that a sheet may have several of. */
function listCells<C extends string>({ cells }: SheetRow, columns: readonly (C | null)[], column: C): string[] {
  return columns.flatMap((one, at) => (one === column ? (cells[at]?.trim() ?? '') : []))
}

/** The text of each column of a row; nothing where the sheet has no such column. */
export function createCellReader<C extends string>({ cells }: SheetRow, columns: readonly (C | null)[]) {
  return (column: C): string => cells[columns.indexOf(column)]?.trim() ?? ''
}

/**
 * The digits of a row's numbers as they are kept; empty, and told, where they are wrong. What is written with its country and is no number
 * may still be how somebody is known: it is wrong for who is new.
 */
export function readRowNumbers(
  row: SheetRow,
  columns: readonly (ContactField | null)[],
  { areaCode }: SheetOptions,
  faults: RowFault[],
): { readonly number: string; readonly others: readonly string[] } {
  const textOf = createCellReader(row, columns)
  const [country, area] = [extractDigits(textOf('pais')), extractDigits(textOf('ddd')).replace(/^0/, '')]
  const texts = [textOf('numero'), ...listCells(row, columns, 'outro_numero')]
  const reading = readNumbers(
    texts.map(text => withCountry(text, country)),
    { areaCode: isAreaCode(area) ? area : areaCode },
  )
  const [number, ...others] = reading.numbers
  if (number !== undefined) return { number, others }
  const [only = ''] = texts.filter(text => text !== '')
  const isKnownPerhaps = /^\+\d{8,15}$/.test(only)
  faults.push({ row: row.row, field: 'numero', code: reading.fault, ...(isKnownPerhaps && { isForNew: true }) })
  return { number: isKnownPerhaps ? only.slice(1) : '', others: [] }
}

/** Where the country stands in a column of its own. */
function withCountry(text: string, country: string): string {
  const isBare = text !== '' && !/^\D*(?:\+|00)/.test(text) && !extractDigits(text).startsWith(country)
  return isBare && country !== '' && country !== '55' ? `+${country} ${text}` : text
}

/** What a person has to have: a name of the length that forms ask for. */
export function findNameFault(name: string): SheetProblem | null {
  return validateContact({ name })[0]?.code ?? null
}

/** Everything a row says but where it stands. */
function pickContents({ name, otherNumbers, email, tags, answers }: ContactEntry) {
  return { name, otherNumbers, email, tags, answers }
}

/** How its columns are found, for who reads a sheet of contacts. */
export const CONTACT_SHEET = {
  ...{ columns: CONTACT_FIELDS, repeatable: REPEATED_FIELDS, find: findContactFields },
  ...{ parse: parseContactRows, file: 'contatos', source: 'sheet' as const },
  needed: ['nome', 'numero'],
} as const
