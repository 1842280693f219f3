// Sheets as they are written: row by row into a stream, so that a million of them take no more memory than a thousand.
import { truncateText } from '@balcao/contract/follow-up/answers'
import { strToU8, Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import { batchRows } from '../subprocess/lines.ts'

export type SheetRows = AsyncIterable<readonly string[]> | Iterable<readonly string[]>
/** A text, a number, a span of time, an instant as the clocks showed it (`2026-11-24T14:26:00`), or nothing. */
export type SheetCell = string | number | { readonly seconds: number } | { readonly clock: string } | null
export type Cells = readonly SheetCell[]
type Bytes = AsyncIterable<Uint8Array>

/** Characters that are packed at once: rows may be long, and between two packs others have their turn. */
const PACK = 65_536

/** A workbook of one sheet, whose cells are all texts. */
export function renderXlsx(rows: SheetRows): Bytes {
  return renderXlsxSheets([{ name: 'Planilha', rows }])
}

/** A workbook of several sheets, one after the other. */
export function renderXlsxSheets(
  sheets: readonly { readonly name: string; readonly rows: AsyncIterable<Cells> | Iterable<Cells> }[],
): Bytes {
  return zipped(async function* (zip) {
    for (const [path, text] of Object.entries(buildParts(sheets.map(({ name }) => name)))) {
      const part = new ZipDeflate(path)
      zip.add(part)
      part.push(strToU8(text), true)
    }
    for (const [at, { rows }] of sheets.entries()) {
      const sheet = new ZipDeflate(`xl/worksheets/sheet${at + 1}.xml`, { level: 3 })
      zip.add(sheet)
      sheet.push(strToU8(SHEET_HEAD))
      let text = ''
      for await (const row of rows) {
        text += rowXml(row)
        if (text.length < PACK) continue
        sheet.push(strToU8(text))
        text = ''
        yield
      }
      sheet.push(strToU8(`${text}</sheetData></worksheet>`), true)
    }
  })
}

/** Text with `;` between its columns, as Portuguese Excel reads it. */
export async function* renderCsv(rows: SheetRows): Bytes {
  yield strToU8('\ufeff')
  for await (const some of batchRows(rows)) {
    const lines = some.map(cells => cells.map(cell => `"${cell.replaceAll('"', '""')}"`).join(';'))
    yield strToU8(`${lines.join('\r\n')}\r\n`)
  }
}

/** Several files as one. */
export function renderZip(files: AsyncIterable<{ readonly name: string; readonly bytes: Bytes }>): Bytes {
  return zipped(async function* (zip) {
    for await (const { name, bytes } of files) {
      const file = new ZipPassThrough(name)
      zip.add(file)
      for await (const chunk of bytes) {
        file.push(chunk)
        yield
      }
      file.push(new Uint8Array(), true)
    }
  })
}

/** What is pushed into a zip comes out as it goes; `work` yields where it may be taken. */
async function* zipped(work: (zip: Zip) => AsyncGenerator<void>): Bytes {
  let ready: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    ready.push(chunk)
  })
  for await (const _ of work(zip)) {
    yield* ready
    ready = []
  }
  zip.end()
  yield* ready
}

function rowXml(cells: Cells): string {
  return `<row>${cells.map(cellXml).join('')}</row>`
}

const DAY_SECONDS = 86_400
/** The first of January 1970, counted as sheets count days. */
const DAYS_BEFORE_1970 = 25_569

function cellXml(cell: SheetCell): string {
  if (cell === null || cell === '') return '<c/>'
  if (typeof cell === 'string') return `<c t="inlineStr"><is><t xml:space="preserve">${xmlText(cell)}</t></is></c>`
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`
  if ('seconds' in cell) return `<c s="1"><v>${cell.seconds / DAY_SECONDS}</v></c>`
  return `<c s="2"><v>${Date.parse(`${cell.clock}Z`) / 1000 / DAY_SECONDS + DAYS_BEFORE_1970}</v></c>`
}

/** What XML cannot hold is left out; what Excel would take for an escape is escaped. */
function xmlText(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML has no place for
      .replace(/[\0-\x08\x0b\x0c\r\x0e-\x1f\ufffe\uffff]/g, '')
      .replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
  )
}

const OPENXML = 'http://schemas.openxmlformats.org'
const OFFICE = `${OPENXML}/officeDocument/2006/relationships`
const MAIN = `${OPENXML}/spreadsheetml/2006/main`
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const KIND = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
/** The heading stays in sight. */
const SHEET_HEAD = `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols><col min="1" max="50" width="24" customWidth="1"/></cols><sheetData>`
/** By their place: as it is, a span of time, an instant. */
const STYLES = `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="[h]:mm:ss"/><numFmt numFmtId="165" formatCode="dd/mm/yyyy\\ hh:mm"/></numFmts><fonts count="1"><font/></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/></cellXfs></styleSheet>`

function buildParts(names: readonly string[]): Record<string, string> {
  const each = (text: (name: string, nth: number) => string) => names.map((name, at) => text(name, at + 1)).join('')
  const sheets = each((name, nth) => `<sheet name="${sheetName(name)}" sheetId="${nth}" r:id="rId${nth}"/>`)
  const relations = each(
    (_, nth) => `<Relationship Id="rId${nth}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${nth}.xml"/>`,
  )
  const types = each(
    (_, nth) => `<Override PartName="/xl/worksheets/sheet${nth}.xml" ContentType="${KIND}.worksheet+xml"/>`,
  )
  return {
    '[Content_Types].xml': `${XML}<Types xmlns="${OPENXML}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${KIND}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${KIND}.styles+xml"/>${types}</Types>`,
    '_rels/.rels': `${XML}<Relationships xmlns="${OPENXML}/package/2006/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheets}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="${OPENXML}/package/2006/relationships">${relations}<Relationship Id="rId${names.length + 1}" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': STYLES,
  }
}

/** No sheet may be called anything else. */
function sheetName(name: string): string {
  return xmlText(truncateText(name.replace(/[\\/?*[\]:"]/g, ' '), 31))
}
