// Sheets as text. By hand: SheetJS takes a file that begins with `ID;` for another format, and zeros at the front for nothing.

/** Characters that a cell of a sheet holds. */
export const SHEET_CELL = 32_767

/** The rows of a text with `;`, `,` or tabs between its columns, whatever it is encoded in. Throws for what is no text. */
export function* csvRows(bytes: Uint8Array, mostColumns: number): Generator<string[]> {
  const text = decoded(bytes)
  if (/^\s*(<|%PDF|\{\\rtf)/.test(text) || text.includes('\0')) throw new Error('no sheet')
  for (const row of parsed(text, separatorOf(text), mostColumns)) yield row.map(cell => cell.trim())
}

/** UTF-16 says so at its beginning; what is no UTF-8 is what Excel writes in Portuguese. */
function decoded(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The one of which the heading has most; Portuguese Excel writes `;`. */
function separatorOf(text: string): string {
  const [first = ''] = text.split(/\r?\n|\r/, 1)
  const count = (mark: string) => first.split(mark).length
  return [';', ',', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best))
}

/** What lies behind the last column, or in a cell behind what one holds, is passed over: nobody keeps twenty million of them. */
function* parsed(text: string, separator: string, mostColumns: number): Generator<string[]> {
  let row: string[] = []
  let cell = ''
  let quoted = false
  const add = (mark: string) => {
    if (cell.length < SHEET_CELL) cell += mark
  }
  const end = () => {
    if (row.length < mostColumns) row.push(cell)
    cell = ''
  }
  for (let at = 0; at < text.length; at++) {
    const mark = text[at] ?? ''
    if (quoted) {
      if (mark !== '"') add(mark)
      else if (text[at + 1] === '"') {
        add('"')
        at++
      } else quoted = false
    } else if (mark === '"' && cell.trim() === '') {
      quoted = true
      cell = ''
    } else if (mark === separator) end()
    else if (mark === '\n' || mark === '\r') {
      if (mark === '\r' && text[at + 1] === '\n') at++
      end()
      yield row
      row = []
    } else add(mark)
  }
  if (cell === '' && row.length === 0) return
  end()
  yield row
}

/** A row without the empty cells behind its last text. */
export function withoutEnd(row: readonly string[]): readonly string[] {
  return row.slice(0, row.findLastIndex(text => text !== '') + 1)
}
