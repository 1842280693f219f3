// Sheets of people that nobody filled in: broken, foreign, huge.
import { describe, expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSheet } from '@balcao/formats/sheets/read'
import { strToU8, unzipSync, zipSync } from 'fflate'
import * as XLSX from 'xlsx'
import { takeRounds } from './rounds.ts'
import { HEADS, makeWorksheet, send, sendAs, sheet, startUsersSheetDesk } from './users-sheet-desk.ts'

const { marina } = await startUsersSheetDesk()

describe('a sheet nobody filled in', () => {
  test('a file is required, exactly one, .xlsx, .xls or .csv', async () => {
    const code = async (...files: File[]) => {
      const data = new FormData()
      for (const file of files) data.append('medias', file)
      const { body } = await marina.call('POST', '/users/import/1', data)
      return body.error === 'ERR_VALIDATION' ? body.details : body.error
    }
    expect(await code()).toEqual([{ path: 'medias', message: 'Insira um arquivo para importar' }])
    expect(await code(sheet([HEADS]), sheet([HEADS]))).toEqual([{ path: 'medias', message: 'Envie um arquivo só' }])
    expect(await code(new File(['nome'], 'a.docx'))).toBe('ERR_FILE_TYPE')
  })

  test.each([
    ['a PDF called .xlsx', 'a.xlsx', '%PDF-1.7 …'],
    ['a page called .xls without a table', 'a.xls', '<html><p>nome</p></html>'],
    ['a page called .csv', 'a.csv', '<html></html>'],
    ['an empty zip', 'a.xlsx', zipSync({})],
    ['a zip that is no sheet', 'a.xlsx', zipSync({ 'a.txt': strToU8('a') })],
    [
      'half a sheet',
      'a.xlsx',
      XLSX.write(XLSX.utils.book_new(makeWorksheet([['nome']]), 'A'), { type: 'buffer' }).slice(0, 3000),
    ],
    ['zeros', 'a.xls', new Uint8Array(8000)],
    ['nothing but blanks', 'a.csv', ' \n \n'],
    ['bytes of a programme', 'a.csv', new Uint8Array([77, 90, 0, 0, 1, 2, 0])],
  ])('%s is refused in words', async (_, name, bytes) => {
    const { status, body } = await sendAs<{ error: string }>(
      marina,
      new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name),
    )
    expect([status, body.error]).toEqual([422, 'ERR_SHEET_UNREADABLE'])
  })

  test('one with a password says so', async () => {
    // The beginning of an encrypted workbook: a compound file with its two streams.
    const book = XLSX.CFB.utils.cfb_new()
    XLSX.CFB.utils.cfb_add(book, '/EncryptionInfo', Buffer.from('0400040040000000', 'hex'))
    XLSX.CFB.utils.cfb_add(book, '/EncryptedPackage', Buffer.alloc(64))
    const bytes = XLSX.CFB.write(book, { type: 'buffer' })
    const { body } = await sendAs<{ error: string }>(marina, new File([Buffer.from(bytes as Uint8Array)], 'a.xlsx'))
    expect(body.error).toBe('ERR_SHEET_PASSWORD')
  })

  test('501 people are too many, and the answer says how many there may be', async () => {
    const rows = (count: number) =>
      sheet([['nome', 'email'], ...Array.from({ length: count }, (_, n) => [`N ${n}`, `n${n}@y.example`])])
    const { status, body } = await sendAs<{ error: string; details: object }>(marina, rows(501))
    expect([status, body.error, body.details]).toEqual([413, 'ERR_SHEET_TOO_LARGE', { most: 500 }])
    expect((await send(marina, rows(500), '?preview=true')).body.imported).toBe(500)
  })

  test('formulas are what they came to, numbers keep their digits, times and days are read as typed', async () => {
    const book = makeWorksheet([['a'], ['b'], ['c'], ['d'], ['e']])
    Object.assign(book, {
      A1: { t: 'n', v: 3, f: '1+2' },
      A2: { t: 'n', v: 5531987770001 },
      A3: { t: 'n', v: 8.5 / 24, z: 'hh:mm' },
      A4: { t: 'n', v: 46348, z: 'dd/mm/yyyy' },
      A5: { t: 's', v: '00123' },
    })
    const bytes = XLSX.write(XLSX.utils.book_new(book, 'A'), { type: 'buffer', bookType: 'xlsx' })
    const rows = await read(bytes, 'a.xlsx')
    expect(rows.flatMap(({ cells }) => cells)).toEqual(['3', '5531987770001', '08:30', '2026-11-22', '00123'])
  })

  test('text sheets: any separator, any encoding, quotes, zeros at the front, and `ID;` is a heading', async () => {
    const expected = [
      ['ID', 'Nome'],
      ['007', 'São; "João"'],
    ]
    const text = 'ID;Nome\r\n007;"São; ""João"""\r\n'
    const latin = Buffer.from(text, 'latin1')
    for (const bytes of [
      Buffer.from(text),
      Buffer.from(`\ufeff${text}`),
      latin,
      Buffer.from(`\ufeff${text}`, 'utf16le'),
    ])
      expect((await read(bytes, 'a.csv')).map(({ cells }) => cells)).toEqual(expected)
    for (const text of ['a,b\n1,2', 'a\tb\n1\t2', 'a; "b"\n 1 ;"2"', 'a;b\r1;2'])
      expect((await read(Buffer.from(text), 'a.csv')).map(({ cells }) => cells)).toEqual([
        ['a', 'b'],
        ['1', '2'],
      ])
  })

  test('an .xls of the nineties is read like any other', async () => {
    const book = makeWorksheet([['nome', 'número'], ['São João', '00123'], [], ['Ana', 5531987770001]])
    Object.assign(book, { '!ref': 'A1:C4', C4: { t: 'n', v: 46348, z: 'dd/mm/yyyy' } })
    const bytes = XLSX.write(XLSX.utils.book_new(book, 'A'), { type: 'buffer', bookType: 'biff8' })
    expect(await read(bytes, 'a.xls')).toEqual([
      { row: 1, cells: ['nome', 'número'] },
      { row: 2, cells: ['São João', '00123'] },
      { row: 4, cells: ['Ana', '5531987770001', '2026-11-22'] },
    ])
  })

  test('rows with empty ones between them are all read, however far down they stand', async () => {
    const lines = Array.from({ length: 1500 }, (_, n) => (n % 3 === 0 ? [`N ${n}`] : []))
    const book = XLSX.utils.book_new(makeWorksheet(lines), 'A')
    const files = {
      'a.xlsx': XLSX.write(book, { type: 'buffer', bookType: 'xlsx' }),
      'a.xls': XLSX.write(book, { type: 'buffer', bookType: 'biff8' }),
      'a.csv': Buffer.from(lines.map(([text = '']) => text).join('\n')),
    }
    for (const [name, bytes] of Object.entries(files)) {
      const rows = await read(bytes, name)
      expect([name, rows.length, rows.at(-1)]).toEqual([name, 500, { row: 1498, cells: ['N 1497'] }])
    }
  })

  test('a bomb is refused by the size it tells, and one that lies by the time and the memory it takes', async () => {
    const bomb = zipSync({ 'xl/worksheets/sheet1.xml': new Uint8Array(101 * 1024 * 1024) }, { level: 1 })
    expect(await refusal(read(bomb, 'a.xlsx'))).toBe('ERR_SHEET_TOO_LARGE')
    // Enough rows to be at work still when its memory is looked at.
    const rows = Array.from({ length: 30_000 }, (_, n) => [`Nome ${n}`, `n${n}@balcao.test`])
    const fine = new Uint8Array(await sheet([HEADS, ...rows]).arrayBuffer())
    const enough = { rows: rows.length }
    expect(await refusal(read(fine, 'a.xlsx', enough))).toBeNull()
    expect(await refusal(read(fine, 'a.xlsx', { ...enough, seconds: 0.001 }))).toBe('ERR_SHEET_TOO_LARGE')
    expect(await refusal(read(fine, 'a.xlsx', { ...enough, memoryMb: 1 }))).toBe('ERR_SHEET_TOO_LARGE')
  })

  test('a zip that lies about its sizes is ended by the memory it takes, without a word of it', async () => {
    const rows = '<row><c><v>1</v></c></row>'.repeat(2_000_000)
    const fine = unzipSync(new Uint8Array(await sheet([HEADS]).arrayBuffer()))
    const data = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`
    const bytes = zipSync({ ...fine, 'xl/worksheets/sheet1.xml': strToU8(data) }, { level: 1 })
    // Each of the two places that tell the size says a kilobyte.
    const view = new DataView(bytes.buffer, bytes.byteOffset)
    for (let at = 0; at + 4 <= bytes.length; at++)
      if (view.getUint32(at, true) === data.length) view.setUint32(at, 1024, true)
    expect(bytes.length).toBeLessThan(2_000_000)
    const limits = { rows: 3_000_000, memoryMb: 300 }
    expect(String(await refusal(read(bytes, 'a.xlsx', limits)))).toMatch(/^ERR_SHEET_(TOO_LARGE|UNREADABLE)$/)
  })

  test('fifty thousand rows of contacts take no more than two hundred and twenty megabytes', async () => {
    const rows = Array.from({ length: 50_000 }, (_, n) => [
      ...[
        `Pessoa de nome comprido ${n}`,
        `55319${80_000_000 + n}`,
        `pessoa${n}@exemplo.example`,
        'VIP; Cliente',
        'sim',
      ],
    ])
    const book = XLSX.utils.book_new(makeWorksheet([['nome', 'numero', 'email', 'tags', 'responde'], ...rows]), 'A')
    const limits = { rows: 50_000, memoryMb: 220, headed: true }
    for (const bookSST of takeRounds([true, false], 1)) {
      const bytes = XLSX.write(book, { type: 'buffer', bookType: 'xlsx', bookSST, compression: true })
      expect(await read(bytes, 'a.xlsx', limits)).toHaveLength(50_001)
    }
    const text = Buffer.from(rows.map(row => row.join(';')).join('\n'))
    expect(await read(text, 'a.csv', { ...limits, headed: false })).toHaveLength(50_000)
  })

  test('cells of every kind are what a person would type, also where days are counted from 1904', async () => {
    const book = makeWorksheet([['a']])
    Object.assign(book, {
      '!ref': 'A1:D2',
      ...{ A1: { t: 's', v: ' linha\ndois ' }, B1: { t: 'b', v: true }, C1: { t: 'e', v: 42 }, D1: { t: 'n', v: 0.5 } },
      ...{ A2: { t: 'n', v: 46348.354166666664, z: 'dd/mm/yyyy hh:mm' }, B2: { t: 'n', v: 3, z: '0.0 "dias"' } },
    })
    const file = XLSX.utils.book_new(book, 'A')
    const rows = await read(XLSX.write(file, { type: 'buffer', bookType: 'xlsx' }), 'a.xlsx')
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['linha\ndois', 'true', '', '0.5'],
      ['2026-11-22 08:30', '3'],
    ])
    const day = makeWorksheet([['']])
    Object.assign(day, { A1: { t: 'n', v: 46348 - 1462, z: 'dd/mm/yyyy' } })
    const old = XLSX.utils.book_new(day, 'A')
    old.Workbook = { WBProps: { date1904: true } }
    const [first] = await read(XLSX.write(old, { type: 'buffer', bookType: 'xlsx' }), 'a.xlsx')
    expect(first?.cells).toEqual(['2026-11-22'])
  })

  test('one long text that thousands of cells share is refused by what they say together', async () => {
    const rows = Array.from({ length: 1200 }, () => ['x'.repeat(32_000)])
    const book = XLSX.utils.book_new(makeWorksheet(rows), 'A')
    const bytes = XLSX.write(book, { type: 'buffer', bookType: 'xlsx', bookSST: true, compression: true })
    expect(bytes.length).toBeLessThan(100_000)
    expect(await refusal(read(bytes, 'a.xlsx', { rows: 1200 }))).toBe('ERR_SHEET_TOO_LARGE')
  })

  test('a range to the last column there is gives a hundred and twenty', async () => {
    const wide = makeWorksheet([['a']])
    Object.assign(wide, {
      '!ref': 'A1:XFD1',
      XFD1: { t: 's', v: 'z' },
      DP1: { t: 's', v: 'fim' },
      DQ1: { t: 's', v: 'fora' },
    })
    const rows = await read(XLSX.write(XLSX.utils.book_new(wide, 'A'), { type: 'buffer', bookType: 'xlsx' }), 'a.xlsx')
    expect([rows[0]?.cells.length, rows[0]?.cells.at(-1)]).toEqual([120, 'fim'])
  })
})

async function read(bytes: Uint8Array, name: string, limits: Partial<Parameters<typeof readSheet>[1]> = {}) {
  const path = join(tmpdir(), `${crypto.randomUUID()}.sheet`)
  await Bun.write(path, bytes)
  try {
    return await readSheet({ path, name }, { rows: 500, ...limits })
  } finally {
    await Bun.file(path).delete()
  }
}

async function refusal(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: Error) => error.message,
  )
}
