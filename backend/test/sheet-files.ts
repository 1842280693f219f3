// Sheets for tests: made of rows, and read back.
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSheet } from '@balcao/formats/sheets/read'
import * as XLSX from 'xlsx'

export type Cells = readonly (string | number | boolean)[]

/** An .xlsx of these rows, the heading first. */
export function makeSheetFile(rows: readonly Cells[], name = 'contatos.xlsx'): File {
  const sheet = XLSX.utils.aoa_to_sheet(rows.map(row => [...row]))
  const bytes: Uint8Array<ArrayBuffer> = XLSX.write(XLSX.utils.book_new(sheet, 'A'), {
    type: 'buffer',
    bookType: 'xlsx',
  })
  return new File([bytes], name)
}

/** The rows of a sheet that was had in an answer, as a spreadsheet shows them. */
export function readBase64Cells(file: { readonly base64: string } | null | undefined): string[][] {
  const book = XLSX.read(file?.base64 ?? '', { type: 'base64' })
  return XLSX.utils.sheet_to_json<string[]>(book.Sheets.Planilha ?? {}, { header: 1, defval: '' })
}

/** The rows of a file on the disk, as an import reads them. */
export async function readSheetRows(path: string, name: string): Promise<(readonly string[])[]> {
  return (await readSheet({ path, name }, { rows: 50_000 })).map(({ cells }) => cells)
}

/** The same of what was downloaded; nothing of it stays on the disk. */
export async function parseSheetRows(bytes: Uint8Array | ArrayBuffer, name: string): Promise<(readonly string[])[]> {
  const path = join(tmpdir(), `${crypto.randomUUID()}.sheet`)
  try {
    await Bun.write(path, bytes)
    return await readSheetRows(path, name)
  } finally {
    await rm(path, { force: true })
  }
}

/** As Windows writes a text. */
export function encode1252(text: string): Uint8Array {
  const special: Readonly<Record<string, number>> = { '“': 0x93, '”': 0x94, '–': 0x96 }
  return Uint8Array.from(text, sign => special[sign] ?? sign.charCodeAt(0))
}

/** As old programs write it for DOS. */
export function encodeDos(text: string): Uint8Array {
  const letters: Readonly<Record<string, number>> = { é: 0x82, ç: 0x87, ã: 0xc6, í: 0xa1 }
  return Uint8Array.from(text, sign => letters[sign] ?? sign.charCodeAt(0))
}

/** UTF-16 with the mark at its beginning. */
export function encode16(text: string, order: 'le' | 'be'): Uint8Array {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
  return order === 'le' ? bytes : bytes.swap16()
}
