// Workbooks as Excel writes them since 2007, read while they are unpacked (decisions-2 §14, docs/decisions/0237).
import { describe, expect, test } from 'bun:test'
import { strToU8, zipSync } from 'fflate'
import * as XLSX from 'xlsx'
import { dateText, isDateFormat } from '../src/sheets/dates.ts'
import { openXmlRows } from '../src/sheets/open-xml.ts'
import { attributesOf, tagsIn, unescaped } from '../src/sheets/xml.ts'
import { TooLarge, unzipped } from '../src/sheets/zip.ts'

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const COLUMNS = 50

describe('§14: a workbook', () => {
  test('says what SheetJS finds in it, over many random ones', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const bytes = randomBook(seed)
      expect({ seed, rows: rowsIn(bytes) }).toEqual({ seed, rows: rowsOfSheetJs(bytes) })
    }
  })

  test('cells of every kind are what a person would type; of a formula what it came to', () => {
    const styles =
      '<numFmts><numFmt numFmtId="164" formatCode="[&gt;9]dd/mm/yyyy"/><numFmt numFmtId="165" formatCode="0.0 &quot;days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="20"/><xf numFmtId="165"/></cellXfs>'
    const strings =
      '<si><t>Ana &amp; Bia</t></si><si><r><t>Jo</t></r><r><t xml:space="preserve">ão </t></r><rPh sb="0" eb="1"><t>ジョ</t></rPh></si>'
    const cells = [
      '<c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="inlineStr"><is><t> linha_x000A_dois </t></is></c>',
      '<c><v>5531987770001</v></c><c s="1"><v>46348</v></c><c s="2"><v>0.354166666666667</v></c><c s="3"><v>3</v></c>',
      '<c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c><c t="str"><f>A1&amp;"x"</f><v>Ana&lt;x</v></c><c t="d"><v>2026-11-22T08:30:00</v></c>',
      '<c t="n"/><c s="1"/><c t="s"><v></v></c><c t="inlineStr"><is><t><![CDATA[<b> & co]]></t></is></c>',
    ]
    const rows = rowsIn(book({ data: cells.map(row => `<row>${row}</row>`).join('<!-- <row> -->'), styles, strings }))
    expect(rows).toEqual([
      [1, 'Ana & Bia', 'João', 'linha\ndois'],
      [2, '5531987770001', '2026-11-22', '08:30', '3'],
      [3, 'true', '', 'Ana<x', '2026-11-22 08:30'],
      [4, '', '', '', '<b> & co'],
    ])
  })

  test('rows and cells stand where they say; what lies behind the last column is passed over', () => {
    const data =
      '<row r="2"><c r="C2"><v>1</v></c><c><v>2</v></c></row><row/><row r="900000" spans="1:2"><c r="AX900000"><v>3</v></c><c r="AY900000"><v>4</v></c><c r="A900000"><v>5</v></c></row>'
    const [second, third, last] = rowsIn(book({ data }))
    expect([second, third]).toEqual([
      [2, '', '', '1', '2'],
      [900_000, '5', ...Array<string>(48).fill(''), '3'],
    ])
    expect(last).toBeUndefined()
  })

  test('days may be counted from 1904', () => {
    const styles = '<cellXfs><xf numFmtId="14"/></cellXfs>'
    const given = { data: '<row><c s="0"><v>44886</v></c></row>', styles }
    expect(rowsIn(book({ ...given, properties: '<workbookPr date1904="1"/>' }))).toEqual([[1, '2026-11-22']])
    expect(rowsIn(book(given))).toEqual([[1, '2022-11-21']])
  })

  test('prefixes, other names of its parts and other encodings change nothing', () => {
    const data = '<row><c t="inlineStr"><is><t>São João</t></is></c></row>'
    const plain = book({ data })
    const prefixed = book({ data: data.replaceAll(/<(\/?)(\w)/g, '<$1x:$2'), prefix: 'x:' })
    const wide = book({ data, encode: text => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le')) })
    const absolute = book({ data, sheetTarget: '/xl/Worksheets/Sheet1.XML' })
    for (const bytes of [plain, prefixed, wide, absolute]) expect(rowsIn(bytes)).toEqual([[1, 'São João']])
  })

  test('one that ends too early, misses a text or has its rows in disorder is broken, not half read', () => {
    const row = '<row r="2"><c><v>1</v></c></row>'
    expect(() => rowsIn(book({ data: row, cutBy: 40 }))).toThrow('no end')
    expect(() => rowsIn(book({ data: '<row><c t="s"><v>3</v></c></row>' }))).toThrow('missing')
    expect(() => rowsIn(book({ data: `${row}<row r="1"/>` }))).toThrow('order')
    expect(() => rowsIn(book({ data: `${row}<row r="x"/>` }))).toThrow('order')
  })

  test('what is none is left to others: a zip of something else, a sealed one, a sheet that is a chart', () => {
    const data = '<row/>'
    expect(openXmlRows(zipSync({ 'a.txt': strToU8('a') }), COLUMNS)).toBeNull()
    expect(openXmlRows(book({ data, kind: 'chartsheet' }), COLUMNS)).toBeNull()
    expect(openXmlRows(strToU8('PK\u0003\u0004'), COLUMNS)).toBeNull()
    const sealed = book({ data })
    const list = Buffer.from(sealed.buffer).lastIndexOf(Buffer.from('PK\u0001\u0002'))
    sealed[list + 8] = 1
    expect(unzipped(sealed)).toBeNull()
    const ods = XLSX.write(XLSX.utils.book_new(XLSX.utils.aoa_to_sheet([['a']]), 'A'), {
      type: 'array',
      bookType: 'ods',
    })
    expect(openXmlRows(new Uint8Array(ods), COLUMNS)).toBeNull()
  })
})

describe('§14: a bomb is an error, not an outage', () => {
  test('a zip that lies about its sizes is counted while it is unpacked', () => {
    const [MB, limit] = [1024 * 1024, 20 * 1024 * 1024]
    const bytes = zipSync({ 'a.xml': new Uint8Array(limit + MB) }, { level: 1 })
    const list = Buffer.from(bytes.buffer).lastIndexOf(Buffer.from('PK\u0001\u0002'))
    new DataView(bytes.buffer).setUint32(list + 24, 1000, true)
    let [most, taken] = [0, 0]
    const unpack = () => {
      for (const { byteLength } of unzipped(bytes, limit)?.part('a.xml') ?? []) {
        most = Math.max(most, byteLength)
        taken += byteLength
      }
    }
    expect(unpack).toThrow(TooLarge)
    // Never all of it at once.
    expect(most).toBeLessThan(17 * MB)
    expect(taken).toBeLessThanOrEqual(limit)
  })

  test('entities of a text’s own stay as they are written', () => {
    const own = '<!DOCTYPE a [<!ENTITY lol "haha">]><a>&lol;</a>'
    const [, end] = [...tagsIn([own])].filter(({ name }) => name === 'a')
    expect(unescaped(end?.text ?? '')).toContain('&lol;')
  })
})

describe('§14: tags', () => {
  test('are the same wherever the text is cut', () => {
    const text =
      '<?xml version="1.0"?><x:a b="1>2" c=\'"\'>t&#233;xt<!-- <no> --><d/><![CDATA[<e>]]> &lt;</x:a><f g:h = "i"></f>'
    const whole = [...tagsIn([text])]
    expect(whole.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      '?xml begin',
      'a begin',
      'd empty',
      'a end',
      'f begin',
      'f end',
    ])
    for (let at = 1; at < text.length; at++) expect([...tagsIn([text.slice(0, at), text.slice(at)])]).toEqual(whole)
    expect([...tagsIn(text)]).toEqual(whole)
    const [, a, , end, f] = whole
    expect([a, f].map(tag => tag && attributesOf(tag))).toEqual([{ b: '1>2', c: '"' }, { h: 'i' }])
    expect([a?.text, end?.text].map(said => unescaped(said ?? ''))).toEqual(['', '<e> <'])
  })

  test.each([
    ['&amp;lt; &#233; &#xE9; &apos;&quot;', '&lt; é é \'"'],
    ['&#x110000; &#99999999; &nbsp; & ;', '&#x110000; &#99999999; &nbsp; & ;'],
  ])('%s is %s', (written, meant) => expect(unescaped(written)).toBe(meant))
})

describe('§14: days and times', () => {
  test.each([
    ...['dd/mm/yyyy', 'hh:mm', '[h]:mm:ss', '[$-416]d" de "mmmm', 'AM/PM h', '[Red]yy'].map(
      code => [code, true] as const,
    ),
    ...['0.00', '#,##0.00', '0.00E+00', '"dia "0', 'General', '\\d0', '_d0', '[Red]0', '[<=5]0', '@'].map(
      code => [code, false] as const,
    ),
  ])('a format %s tells them: %p', (code, isOne) => {
    expect([isDateFormat(164, code), XLSX.SSF.is_date(code)]).toEqual([isOne, isOne])
  })

  test('a moment that is none is nothing', () => expect(dateText(new Date(Number.NaN))).toBe(''))
})

type Read = (string | number)[]

/** Each row with its number, without the empty cells at its end. */
function rowsIn(bytes: Uint8Array): Read[] {
  const rows = openXmlRows(bytes, COLUMNS)
  if (!rows) throw new Error('no workbook')
  return Array.from(rows, ({ row, cells }) => shown(row, cells)).filter(row => row.length > 1)
}

function shown(row: number, cells: readonly string[]): Read {
  return [row, ...cells.slice(0, cells.findLastIndex(text => text !== '') + 1)]
}

function rowsOfSheetJs(bytes: Uint8Array): Read[] {
  const options = {
    type: 'array',
    dense: true,
    cellDates: true,
    cellFormula: false,
    cellText: false,
    UTC: true,
  } as const
  const found = XLSX.read(bytes, options)
  const data: (XLSX.CellObject[] | undefined)[] = found.Sheets[found.SheetNames[0] ?? '']?.['!data'] ?? []
  const text = (cell?: XLSX.CellObject) => {
    if (cell?.v === undefined || cell.t === 'e') return ''
    return cell.v instanceof Date ? dateText(cell.v) : String(cell.v).trim()
  }
  return Array.from(data, (cells, at) => shown(at + 1, Array.from(cells ?? [], text))).filter(row => row.length > 1)
}

/** Texts, numbers, days, times, answers and gaps, with shared texts or without. */
function randomBook(seed: number): Uint8Array {
  let state = seed * 2654435761
  const chance = (most: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
  const TEXTS = [
    'Ana',
    ' São João ',
    '<b> & co',
    '00123',
    '"a"; \'b\'',
    '👩‍👩‍👧 é',
    'linha\ndois',
    '=1+1',
    '',
    '_x0041_',
    'x'.repeat(300),
  ]
  const FORMATS = [
    'dd/mm/yyyy',
    'hh:mm',
    '0.00',
    '[h]:mm:ss',
    'm/d/yy h:mm',
    '0.00E+00',
    '[$-416]d" de "mmmm',
    'General',
  ]
  const sheet: XLSX.WorkSheet = {}
  const [rows, columns] = [1 + chance(40), 1 + chance(9)]
  for (let r = 0; r < rows; r++) {
    if (chance(6) === 0) continue
    for (let c = 0; c < columns; c++) {
      const place = XLSX.utils.encode_cell({ r, c })
      const kind = chance(7)
      if (kind < 2) sheet[place] = { t: 's', v: TEXTS[chance(TEXTS.length)] ?? '' }
      else if (kind === 2) sheet[place] = { t: 'n', v: 5_531_900_000_000 + chance(1_000_000) }
      else if (kind === 3)
        sheet[place] = { t: 'n', v: chance(60_000) + chance(1440) / 1440, z: FORMATS[chance(FORMATS.length)] ?? '' }
      else if (kind === 4) sheet[place] = { t: 'b', v: chance(2) === 0 }
      else if (kind === 5) sheet[place] = { t: 'n', v: chance(1000) / 7, f: 'A1+1' }
    }
  }
  sheet['!ref'] = XLSX.utils.encode_range({ s: { r: 0, c: 0 }, e: { r: rows - 1, c: columns - 1 } })
  const file = XLSX.utils.book_new(sheet, 'A')
  const made = XLSX.write(file, {
    type: 'array',
    bookType: 'xlsx',
    bookSST: seed % 2 === 0,
    compression: seed % 3 !== 0,
  })
  return new Uint8Array(made)
}

interface Given {
  readonly data: string
  readonly styles?: string
  readonly strings?: string
  readonly properties?: string
  readonly prefix?: string
  readonly sheetTarget?: string
  readonly kind?: string
  readonly encode?: (text: string) => Uint8Array
  /** So many characters are missing at the end of the sheet. */
  readonly cutBy?: number
}

/** A workbook by hand: what no program of ours would write. */
function book({
  data,
  styles = '',
  strings = '',
  properties = '',
  prefix: x = '',
  encode = strToU8,
  ...given
}: Given): Uint8Array {
  const { sheetTarget = 'worksheets/sheet1.xml', kind = 'worksheet', cutBy = 0 } = given
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`
  const sheet = `<?xml version="1.0"?><${x}worksheet xmlns:x="y"><${x}cols><${x}col min="1"/></${x}cols><${x}sheetData>${data}</${x}sheetData><row r="1"/></${x}worksheet>`
  const texts = {
    '_rels/.rels': `<Relationships>${relation('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<${x}workbook>${properties}<${x}sheets><${x}sheet name="A" sheetId="7" r:id="rId1"/><${x}sheet name="B" r:id="rId2"/></${x}sheets></${x}workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${relation('rId3', 'styles', 'styles.xml')}${relation('rId4', 'sharedStrings', './sharedStrings.xml')}${relation('rId1', kind, sheetTarget)}</Relationships>`,
    'xl/styles.xml': `<styleSheet>${styles}</styleSheet>`,
    'xl/sharedStrings.xml': `<sst>${strings}</sst>`,
    'xl/worksheets/sheet1.xml': sheet.slice(0, sheet.length - cutBy),
  }
  return zipSync(Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, encode(text)])))
}
