// The first sheet of a workbook as Excel writes it since 2007, row by row while it is unpacked: of fifty thousand rows nobody holds more
// than their shared texts (docs/decisions/0237).
import { dateOf, dateText, isDateFormat } from './dates.ts'
import { attributesOf, type Tag, tagsIn, unescaped } from './xml.ts'
import { type Unzipped, unzipped } from './zip.ts'

/** As it stands in the sheet: the heading is row 1, and there may be none between two. */
export interface ReadRow {
  readonly row: number
  readonly cells: readonly string[]
}

interface Book {
  readonly sheet: Generator<Uint8Array>
  readonly strings: readonly string[]
  /** Of each style, whether its numbers are days or times. */
  readonly dates: readonly boolean[]
  readonly is1904: boolean
}

interface Relation {
  readonly id: string
  readonly type: string
  readonly path: string
}

/** Null for what is no such workbook. Throws `TooLarge`, and for one that is broken. */
export function openXmlRows(bytes: Uint8Array, mostColumns: number): Generator<ReadRow> | null {
  const zip = unzipped(bytes)
  const book = zip && bookIn(zip)
  return book ? rowsIn(book, mostColumns) : null
}

function bookIn(zip: Unzipped): Book | null {
  const path = relationsOf(zip, '').find(({ type }) => type.endsWith('/officeDocument'))?.path
  if (!path?.endsWith('.xml')) return null
  let [first, is1904]: [string | undefined, boolean] = [undefined, false]
  for (const tag of tagsOf(zip, path)) {
    if (tag.kind === 'end') continue
    if (tag.name === 'workbookPr') is1904 = isTrue(attributesOf(tag).date1904)
    if (tag.name === 'sheet') first ??= attributesOf(tag).id
  }
  const relations = relationsOf(zip, path)
  const partOf = (kind: string) => relations.find(({ type }) => type.endsWith(`/${kind}`))?.path
  const sheetPath = relations.find(({ id, type }) => id === first && type.endsWith('/worksheet'))?.path
  const sheet = sheetPath === undefined ? null : zip.part(sheetPath)
  if (!sheet) return null
  return { sheet, strings: stringsIn(zip, partOf('sharedStrings')), dates: datesIn(zip, partOf('styles')), is1904 }
}

/** What a part is bound to; of the zip itself where there is no part. */
function relationsOf(zip: Unzipped, part: string): Relation[] {
  const folder = part.slice(0, part.lastIndexOf('/') + 1)
  const relations: Relation[] = []
  for (const tag of tagsOf(zip, `${folder}_rels/${part.slice(folder.length)}.rels`)) {
    if (tag.name !== 'Relationship' || tag.kind === 'end') continue
    const { Id: id = '', Type: type = '', Target: target = '' } = attributesOf(tag)
    relations.push({ id, type, path: pathFrom(folder, target) })
  }
  return relations
}

function pathFrom(folder: string, target: string): string {
  const steps: string[] = []
  for (const step of (target.startsWith('/') ? target : `${folder}${target}`).split('/'))
    if (step === '..') steps.pop()
    else if (step !== '' && step !== '.') steps.push(step)
  return steps.join('/')
}

/** The tags of a part; none where it is not there. */
function tagsOf(zip: Unzipped, path: string): Iterable<Tag> {
  const part = zip.part(path)
  return part ? tagsIn(textsOf(part)) : []
}

function* textsOf(part: Iterable<Uint8Array>): Generator<string> {
  let decoder: TextDecoder | undefined
  for (const bytes of part) {
    decoder ??= new TextDecoder(encodingOf(bytes))
    yield decoder.decode(bytes, { stream: true })
  }
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

function stringsIn(zip: Unzipped, path: string | undefined): string[] {
  const strings: string[] = []
  if (path === undefined) return strings
  const text = textTaker()
  for (const tag of tagsOf(zip, path)) {
    const isItem = tag.name === 'si'
    if (isItem && tag.kind === 'begin') text.begin()
    else if (isItem) strings.push(text.end())
    else text.take(tag)
  }
  return strings
}

/** Puts the pieces of a text together: how it is to be read aloud is none of it. */
function textTaker() {
  let [said, isAloud] = ['', false]
  return {
    begin() {
      said = ''
    },
    take({ name, kind, text }: Tag) {
      if (name === 'rPh') isAloud = kind === 'begin'
      else if (name === 't' && kind === 'end' && !isAloud) said += text
    },
    end() {
      const text = meant(said)
      said = ''
      return text
    },
  }
}

/** As it was typed: what XML cannot hold is written `_x000D_`. */
function meant(text: string): string {
  return unescaped(text).replace(/_x([\da-f]{4})_/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
}

function datesIn(zip: Unzipped, path: string | undefined): boolean[] {
  const formats = new Map<number, string>()
  const dates: boolean[] = []
  let isWithin = false
  if (path === undefined) return dates
  for (const tag of tagsOf(zip, path)) {
    if (tag.name === 'cellXfs') isWithin = tag.kind === 'begin'
    if (tag.kind === 'end') continue
    const { numFmtId, formatCode = '' } = attributesOf(tag)
    if (tag.name === 'numFmt') formats.set(Number(numFmtId), formatCode)
    if (tag.name === 'xf' && isWithin) dates.push(isDateFormat(Number(numFmtId ?? 0), formats.get(Number(numFmtId))))
  }
  return dates
}

interface Cell {
  readonly column: number
  readonly type: string
  readonly style: number
}

/** Rows in their order, each of no more than so many columns. */
function* rowsIn(book: Book, mostColumns: number): Generator<ReadRow> {
  let [row, column] = [0, -1]
  let [cell, value, cells]: [Cell | null, string, string[]] = [null, '', []]
  const text = textTaker()
  for (const tag of tagsIn(textsOf(book.sheet))) {
    const { name, kind } = tag
    if (name === 'sheetData' && kind !== 'begin') return
    if (name === 'row' && kind !== 'end') {
      const { r } = attributesOf(tag)
      const next = r === undefined ? row + 1 : Number(r)
      // Excel opens no such sheet either.
      if (!(next > row)) throw new Error('rows out of order')
      ;[row, column, cells] = [next, -1, []]
    } else if (name === 'row') yield { row, cells: cells.slice(0, mostColumns) }
    else if (name === 'c' && kind === 'end') {
      if (cell && cell.column < mostColumns) putIn(cells, cell.column, textOf(cell, value || text.end(), book).trim())
      cell = null
    } else if (name === 'c') {
      const { r, t = 'n', s = '0' } = attributesOf(tag)
      column = columnOf(r) ?? column + 1
      ;[cell, value] = [kind === 'begin' ? { column, type: t, style: Number(s) } : null, '']
      text.begin()
    } else if (name === 'v' && kind === 'end') value = meant(tag.text)
    else text.take(tag)
  }
  throw new Error('the sheet has no end')
}

/** Sheets leave out what is empty. */
function putIn(cells: string[], column: number, text: string): void {
  while (cells.length < column) cells.push('')
  cells[column] = text
}

/** Counted from 0, by the letters of a place. */
function columnOf(place: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}/i.exec(place ?? '')?.[0]
  if (letters === undefined) return null
  return [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** As a person would type it: whole numbers with all their digits. Of a formula what it came to. */
function textOf({ type, style }: Cell, value: string, { strings, dates, is1904 }: Book): string {
  if (value === '' || type === 'e') return ''
  if (type === 'str' || type === 'inlineStr') return value
  if (type === 'b') return String(isTrue(value))
  if (type === 'd') return dateText(new Date(/Z$|[+-]\d\d:\d\d$/.test(value) ? value : `${value}Z`))
  if (type === 's') {
    const text = strings[Number(value)]
    if (text === undefined) throw new Error('a text is missing')
    return text
  }
  const number = Number.parseFloat(value)
  if (Number.isNaN(number)) return ''
  const date = dates[style] === true ? dateOf(is1904 ? number + 1462 : number) : null
  return date ? dateText(date) : String(number)
}

function isTrue(text: string | undefined): boolean {
  return text === '1' || text === 'true'
}
