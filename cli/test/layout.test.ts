// How rows and words are laid out on a terminal, and that nobody else's words steer it.
import { describe, expect, test } from 'bun:test'
import { makeStepTest } from '../src/kit/jobs.ts'
import { type LayoutColumn, renderTable } from '../src/kit/layout.ts'
import { toSafeJson } from '../src/kit/out.ts'
import { cut, measureWidth, padText, toSafeLine, wrapText } from '../src/kit/text.ts'

const plain = (text: string) => text
const marked = (text: string, tone?: string) => (tone ? `<${tone}>${text}</>` : text)

interface Row {
  readonly name: string
  readonly queue: string | null
  readonly waiting: number
}
const COLUMNS: readonly LayoutColumn<Row>[] = [
  { title: 'CONTATO', of: row => row.name, gives: true },
  { title: 'FILA', of: row => row.queue, gives: true },
  { title: 'ESPERA', of: row => row.waiting, right: true },
]
const ROWS: readonly Row[] = [
  { name: 'Dona Lúcia', queue: 'Financeiro', waiting: 12 },
  { name: 'Padaria Estrela do Sul', queue: null, waiting: 3 },
]

describe('a table', () => {
  test('has a heading, and figures at the right', () => {
    expect(renderTable(ROWS, COLUMNS, 80, plain)).toEqual([
      'CONTATO                 FILA        ESPERA',
      'Dona Lúcia              Financeiro      12',
      'Padaria Estrela do Sul  —                3',
    ])
  })

  test('gives way where it may: names are cut, figures never', () => {
    const lines = renderTable(ROWS, COLUMNS, 34, plain)
    expect(lines.map(measureWidth).every(width => width <= 34)).toBe(true)
    expect(lines[2]).toBe('Padaria Estre…  —                3')
  })

  test('is one below the other where it fits no more, without what is empty', () => {
    expect(renderTable(ROWS, COLUMNS, 24, plain)).toEqual([
      'Dona Lúcia',
      '  fila: Financeiro',
      '  espera: 12',
      'Padaria Estrela do Sul',
      '  espera: 3',
    ])
  })

  test('colours take no room', () => {
    const [, line = ''] = renderTable(
      ROWS,
      [{ title: 'N', of: row => row.name, tone: () => 'good' }, ...COLUMNS],
      80,
      marked,
    )
    expect(line).toStartWith('<good>Dona Lúcia            </>')
  })

  test('wide letters and emojis count as they are drawn', () => {
    const rows = [{ name: '東京 🍰', queue: 'a', waiting: 1 }]
    expect(renderTable(rows, COLUMNS, 80, plain)).toEqual(['CONTATO  FILA  ESPERA', '東京 🍰  a          1'])
  })
})

describe('words from outside', () => {
  test('steer no terminal: no escapes, no bells, no turning around, no second line', () => {
    expect(toSafeLine('a\u001b]0;novo\u0007b\u009b31mc\r\nd\u202ee')).toBe('a]0;novob31mc de')
  })

  test('steer none as JSON either, and are the same once read', () => {
    const data = { name: 'x\u001b\u009b\u202e\u200f\u061cy' }
    expect(toSafeJson(data)).toBe('{"name":"x\\u001b\\u009b\\u202e\\u200f\\u061cy"}')
    expect(JSON.parse(toSafeJson(data))).toEqual(data)
  })

  test('are cut between letters that belong together', () => {
    expect(cut('família 👨‍👩‍👧 Souza', 12)).toBe('família 👨‍👩‍👧…')
    expect(cut('curto', 12)).toBe('curto')
    expect(padText('é', 3)).toBe('é  ')
  })

  test('are broken between words, and inside one that is too long', () => {
    expect(wrapText('o terminal fecha sozinho', 12)).toEqual(['o terminal', 'fecha', 'sozinho'])
    expect(wrapText('https://desk.example.com/x', 10)).toEqual(['https://de', 'sk.example', '.com/x'])
  })
})

test('without a terminal progress is a line now and then, and the whole is told once', () => {
  const isStep = makeStepTest()
  expect([0, 0.05, 0.1, 0.15, 0.95, 0.99, 1, 1, 1].map(isStep)).toEqual([
    ...[false, false, true, false, true, false, true, false, false],
  ])
})
