// Contacts from everywhere: files as other programs write them, and who must come out of each (decisions-2 §14, §22, §24;
// docs/decisions/0209, 0280, 0303). Read in this process; what the server makes of such rows is in `foreign-sheets.long.test.ts`.
import { describe, expect, test } from 'bun:test'
import { listColumnContents } from '@balcao/formats/sheets/cells'
import { parseSheet } from '@balcao/formats/sheets/parse'
import * as XLSX from 'xlsx'
import { measureProcessorMs } from '../../contract/test/processor-time.ts'
import { CONTACT_SHEET, type ContactEntry, type SheetOptions } from '../src/desk/contact-sheets/contact-rows.ts'
import type { ContactFile } from './contact-cards.ts'
import { COLUMNS, FILES, ROWS } from './contact-files.ts'
import { countRounds } from './rounds.ts'

describe('contacts from everywhere', () => {
  test('there are at least sixty kinds of files, each called otherwise', () => {
    expect(new Set(FILES.map(({ file }) => file)).size).toBe(FILES.length)
    expect(FILES.length).toBeGreaterThanOrEqual(60)
  })

  test.each(FILES.map(one => [one.file, one] as const))('%s', async (_, one) => {
    const entries = await readEntries(one.bytes, { areaCode: one.areaCode, allNumbers: true })
    const right = entries.filter(({ faults }) => faults.length === 0)
    expect(right.map(({ name, number, otherNumbers }) => [name, number, ...otherNumbers].join(' '))).toEqual([
      ...one.people,
    ])
    expect(right.map(({ email }) => email)).toEqual([...(one.emails ?? right.map(() => ''))])
    const faults = entries.flatMap(entry => entry.faults.map(({ row, field, code }) => `${row} ${field} ${code}`))
    expect(faults).toEqual([...(one.faults ?? [])])
    expect(entries.flatMap(({ tags }) => tags)).toEqual([...(one.tags ?? [])])
  })

  test('without being asked for all numbers a contact has the first mobile one of its row', async () => {
    const google = getFile('google-new-en.csv')
    const entries = await readEntries(google.bytes, {})
    expect(entries.map(({ number, otherNumbers, hasSeveral }) => [number, otherNumbers, hasSeveral])).toEqual([
      ['5531988112201', [], false],
      ['5531988112202', [], true],
      ['553133332203', [], false],
    ])
  })

  test('a number is one contact’s: who has it further down is told so', async () => {
    const text =
      'Nome;Celular;Outro telefone\nAna;31 98811-2201;31 3333-2201\nBia;31 98811-2202;31 3333-2201\nCaio;31 3333-2201;'
    const entries = await readEntries(Buffer.from(text), { allNumbers: true })
    expect(entries.map(({ otherNumbers, faults }) => [otherNumbers, faults.map(({ code }) => code)])).toEqual([
      [['553133332201'], []],
      [[], []],
      [[], ['numberTwice']],
    ])
  })
})

describe('columns by what stands in them', () => {
  test.each([
    ['headings nobody knows', 'quem;onde se acha;obs\nAna Prado;31 98811-2201;vip', ['nome', 'numero', null]],
    ['below a title', 'Relatório\n\nquem;onde se acha\nAna Prado;31 98811-2201', ['nome', 'numero']],
    ['a contact that is a number', 'Nome;Contato\nAna;31 98811-2201', ['nome', 'numero']],
    ['a contact that is a name', 'Contato;Número\nAna;31 98811-2201', ['nome', 'numero']],
    ['the number of a house', 'Nome;Número;Contato\nAna;120;31 98811-2201', ['nome', null, 'numero']],
    ['whether there is WhatsApp', 'Nome;WhatsApp;Celular\nAna;Sim;31 98811-2201', ['nome', 'outro_numero', 'numero']],
    [
      'documents',
      'x;y;z\n123.456.789-09;Ana;31 98811-2201\n987.654.321-00;Bia;31 98811-2202',
      [null, 'nome', 'numero'],
    ],
    [
      'documents without a heading',
      '12345678909;Ana;31988112201\n98765432100;Bia;31988112202',
      [null, 'nome', 'numero'],
    ],
    ['a fax', 'Nome;Fax;Linha\nAna;31 3333-2201;31 98811-2201', ['nome', null, 'numero']],
    ['an address', 'quem;onde;como\nAna Prado;31 98811-2201;ana@example.com', ['nome', 'numero', 'email']],
    ['two texts: which is the name is asked', 'quem;de quem;onde\nAna;Bia;31 98811-2201', [null, null, 'numero']],
  ])('%s', (_, text, fields) => expect(readFields(Buffer.from(text)).fields.map(String)).toEqual(fields.map(String)))
})

describe('bad input', () => {
  test.each([
    [
      'scripts are texts',
      card('FN:<script>alert(1)</script>', 'TEL:31 98811-2201'),
      ['<script>alert(1)</script> 5531988112201'],
    ],
    [
      'a card within a card is not ours',
      `BEGIN:VCARD\nFN:Ana\nAGENT:\nBEGIN:VCARD\nFN:Bia\nTEL:31 98811-2202\nEND:VCARD\nTEL:31 98811-2201\nEND:VCARD`,
      ['Ana 5531988112201'],
    ],
    [
      'a card that is not ended',
      `BEGIN:VCARD\nFN:Ana\nTEL:31 98811-2201\n${card('FN:Bia', 'TEL:31 98811-2202')}BEGIN:VCARD\nFN:Caio\nTEL:31 98811-2203`,
      ['Ana 5531988112201', 'Bia 5531988112202', 'Caio 5531988112203'],
    ],
    [
      'a picture that ends as a broken line does',
      card('FN:Ana', 'PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRg==', 'TEL:31 98811-2201'),
      ['Ana 5531988112201'],
    ],
    [
      'an enormous line',
      card('FN:Ana', `PHOTO:${'A'.repeat(3_000_000)}`, `NOTE:${'"'.repeat(500_000)}`, 'TEL:31 98811-2201'),
      ['Ana 5531988112201'],
    ],
    [
      'thousands of numbers',
      card('FN:Ana', ...Array.from({ length: 5000 }, () => 'TEL:31 98811-2201')),
      ['Ana 5531988112201'],
    ],
  ])('%s', async (_, text, people) => {
    const entries = await readEntries(Buffer.from(text), { allNumbers: true })
    expect(entries.map(({ name, number }) => `${name} ${number}`)).toEqual(people)
  })

  test('one broken letter leaves all others as they are', () => {
    const bytes = Buffer.concat([
      Buffer.from('Nome;Telefone\nJosé;31988112201\nInê'),
      Buffer.from([0xc3]),
      Buffer.from(';31988112202'),
    ])
    expect(readFields(bytes).rows.map(({ cells }) => cells[0])).toEqual(['José', 'Inê\ufffd'])
  })

  test('no more cards are read than are wanted', () => {
    const rows = [...parseSheet(Buffer.from(card('FN:Ana', 'TEL:1').repeat(100_000)), { rows: 1000, headed: true })]
    expect(rows).toHaveLength(1001)
  })

  test('the time of a card grows with its length', async () => {
    const measure = (count: number) => {
      const bytes = Buffer.from(card('FN:Ana', `NOTE;ENCODING=QUOTED-PRINTABLE:${'=C3=A7=\n'.repeat(count)}`))
      return measureProcessorMs(() => [...parseSheet(bytes, { rows: 10, headed: true })])
    }
    await measure(1000)
    expect(await measure(200_000)).toBeLessThan(40 * (await measure(10_000)) + 500)
  })
})

test('of a hundred thousand rows only what tells two of them apart is held', async () => {
  const most = countRounds({ all: 100_000, few: 10_000 })
  async function* rows() {
    for (let row = 2; row < most + 2; row++)
      yield {
        row,
        cells: [`Pessoa número ${row} da lista`, `31 9${80_000_000 + row}`, `31 3${2_000_000 + row}`, 'x'.repeat(200)],
      }
  }
  const fields = CONTACT_SHEET.find(['Nome', 'Celular', 'Telefone', 'Obs'], ['name', 'phone', 'phone', null])
  Bun.gc(true)
  const before = process.memoryUsage().heapUsed
  let count = 0
  for await (const { faults } of CONTACT_SHEET.parse(rows(), fields, { allNumbers: true })) {
    if (faults.length === 0) count++
    if (count !== most * 0.9) continue
    Bun.gc(true)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(most * 600)
  }
  expect(count).toBe(most)
})

test('every kind of workbook holds the same people', async () => {
  for (const bookType of ['xlsx', 'xls', 'ods', 'xlml', 'html', 'fods', 'xlsb'] as const) {
    const book = XLSX.utils.book_new(XLSX.utils.aoa_to_sheet([[...COLUMNS], ...ROWS.map(row => [...row])]), 'A')
    const bytes: Uint8Array = XLSX.write(book, { type: 'buffer', bookType })
    expect((await readEntries(bytes, {})).map(({ name, number }) => [bookType, name, number])).toEqual([
      [bookType, 'Ana Maria Souza', '5531988112201'],
      [bookType, 'João Conceição', '5531988112202'],
      [bookType, 'Padaria Açaí', '553133332203'],
    ])
  }
})

function readFields(bytes: Uint8Array) {
  const [heading, ...rows] = parseSheet(bytes, { rows: 1000, headed: true })
  const contents = listColumnContents(rows.map(({ cells }) => cells))
  return { fields: CONTACT_SHEET.find(heading?.cells ?? [], contents), rows }
}

async function readEntries(bytes: Uint8Array, options: SheetOptions): Promise<ContactEntry[]> {
  const { fields, rows } = readFields(bytes)
  async function* all() {
    yield* rows
  }
  return Array.fromAsync(CONTACT_SHEET.parse(all(), fields, options))
}

function getFile(name: string): ContactFile {
  const found = FILES.find(({ file }) => file === name)
  if (!found) throw new Error(`no file ${name}`)
  return found
}

function card(...lines: readonly string[]): string {
  return ['BEGIN:VCARD', 'VERSION:3.0', ...lines, 'END:VCARD', ''].join('\n')
}
