// Tables: heads on every page, rows that are not parted, second lines in grey.
import type { Cell, DocumentColumn, Row } from './document.ts'
import { cleanText, type TextLine, type TextStyle } from './lines.ts'
import { COLORS, PAGE, STYLES, WIDTH } from './looks.ts'
import type { Paper } from './paper.ts'
import type { Element } from './tags.ts'
import type { TableFrame } from './wire.ts'

const GAP = 9
const PAD = 3.2
const DOT = 9
/** Of a cell more is cut: a row stands on one page. */
const MOST = { letters: 600, lines: 12, under: 3 } as const

/** Where a column stands. */
interface ColumnPosition {
  readonly column: DocumentColumn
  readonly x: number
  readonly right: number
}

/** A cell in lines. */
interface Laid {
  readonly place: ColumnPosition
  readonly main: readonly TextLine[]
  readonly under: readonly TextLine[]
  readonly style: TextStyle
  readonly color: string | undefined
  readonly height: number
}

export class TableOnPaper {
  private readonly places: readonly ColumnPosition[]
  private readonly right: number
  private readonly element: Element
  private rows = 0

  constructor(
    private readonly paper: Paper,
    private readonly table: TableFrame,
  ) {
    // A name and its number stand close enough to be read together.
    const width = table.columns.length <= 2 ? WIDTH / 2 : WIDTH
    this.places = layOutColumns(table.columns, width)
    this.right = PAGE.left + width
    this.element = paper.tags.open('Table')
    // The heads do not stand alone at the foot of a page.
    paper.need(this.headHeight() + 60)
    this.drawHeads(true)
    paper.onNewPage = () => this.drawHeads(false)
  }

  add(rows: readonly Row[]): void {
    for (const row of rows) this.draw(row)
  }

  end(): void {
    const { paper, table } = this
    if (this.rows === 0 && table.empty !== undefined) this.drawEmpty(table.empty)
    if (table.totals && this.rows > 0) this.draw(table.totals.map(strong))
    paper.onNewPage = null
    this.element.end()
    paper.y += 14
  }

  private draw(row: Row): void {
    const { paper } = this
    const cells = this.places.map((place, at) => this.laid(place, row[at] ?? ''))
    const height = Math.max(...cells.map(cell => cell.height)) + PAD * 2
    paper.need(height)
    const isLow = cells.every(cell => cell.main.length + cell.under.length <= 2)
    const line = paper.tags.open('TR', { inside: this.element })
    for (const cell of cells) {
      const top = paper.y + PAD + (isLow ? (height - PAD * 2 - cell.height) / 2 : 0)
      paper.tags.leaf('TD', () => this.drawCell(cell, top), { inside: line })
    }
    line.end()
    paper.y += height
    paper.tags.furniture(() => paper.rule(paper.y, this.right, COLORS.line, 0.6))
    this.rows++
  }

  private laid(place: ColumnPosition, cell: Cell): Laid {
    const { text, under = '', color = undefined, strong = false } = typeof cell === 'string' ? { text: cell } : cell
    const style = strong ? STYLES.strong : STYLES.cell
    const width = place.right - place.x - (color === undefined ? 0 : DOT)
    const main = this.paper.lines(cleanText(text, MOST.letters), style, width, MOST.lines)
    const below = under === '' ? [] : this.paper.lines(cleanText(under, MOST.letters), STYLES.under, width, MOST.under)
    const height = main.length * style.leading + below.length * STYLES.under.leading
    return { place, main, under: below, style, color, height }
  }

  private drawCell({ place: { x, right, column }, main, under, style, color }: Laid, top: number): void {
    const { paper } = this
    if (color !== undefined) paper.dot(x, top + style.leading / 2, color)
    const left = x + (color === undefined ? 0 : DOT)
    const to = column.align === 'right' ? right : undefined
    const below = paper.write(main, style, left, top, to)
    paper.write(under, STYLES.under, left, below, to)
  }

  private headHeight(): number {
    return (this.table.columns.some(column => column.under !== undefined) ? 2 : 1) * STYLES.head.leading + PAD * 2
  }

  /** Said once to who listens; on the pages that follow they are furniture. */
  private drawHeads(isFirst: boolean): void {
    const { paper, places } = this
    const height = this.headHeight()
    const bottom = paper.y + height - PAD
    const drawn = ({ column: { head, under, align }, x, right }: ColumnPosition) => {
      const to = align === 'right' ? right : undefined
      const top = bottom - STYLES.head.leading * (under === undefined ? 1 : 2)
      const width = right - x + GAP / 2
      const below = paper.write(paper.lines(head, STYLES.head, width, 1), STYLES.head, x, top, to)
      if (under !== undefined) paper.write(paper.lines(under, STYLES.under, width, 1), STYLES.under, x, below, to)
    }
    if (!isFirst) paper.tags.furniture(() => places.forEach(drawn), 'Pagination')
    else {
      const row = paper.tags.open('TR', { inside: this.element })
      for (const place of places)
        paper.tags.leaf('TH', () => drawn(place), { inside: row, attributes: { O: 'Table', Scope: 'Column' } })
      row.end()
    }
    paper.y += height + 1
    paper.tags.furniture(() => paper.rule(paper.y - 1, this.right, COLORS.ink, 0.9))
  }

  private drawEmpty(text: string): void {
    const { paper } = this
    const row = paper.tags.open('TR', { inside: this.element })
    const attributes = { O: 'Table', ColSpan: this.places.length }
    const draw = () => paper.writeText(text, STYLES.quiet, PAGE.left, paper.y + PAD * 2)
    paper.tags.leaf('TD', draw, { inside: row, attributes })
    row.end()
    paper.y += STYLES.quiet.leading + PAD * 4
    paper.tags.furniture(() => paper.rule(paper.y, this.right, COLORS.line, 0.6))
  }
}

/** The width as the weights part it. */
function layOutColumns(columns: readonly DocumentColumn[], width: number): ColumnPosition[] {
  const whole = columns.reduce((sum, { weight }) => sum + weight, 0) || 1
  const free = width - GAP * (columns.length - 1)
  let x: number = PAGE.left
  return columns.map(column => {
    const right = x + (free * column.weight) / whole
    const place = { column, x, right }
    x = right + GAP
    return place
  })
}

function strong(cell: Cell): Cell {
  return typeof cell === 'string' ? { text: cell, strong: true } : { ...cell, strong: true }
}
