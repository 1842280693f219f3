// Rows laid out for so many columns: a table where it fits, one below the other where it does not. Pure; colours come afterwards.
import { cut, measureWidth, padText, toSafeLine, wrapText } from './text.ts'

export type Tone = 'strong' | 'muted' | 'good' | 'warn' | 'bad' | 'link'
export type Paint = (text: string, tone?: Tone) => string

/** A column of a table. The first one names the row. */
export interface LayoutColumn<R> {
  readonly title: string
  readonly of: (row: R) => string | number | null | undefined
  /** Figures stand at the right. */
  readonly right?: boolean
  /** May be cut where there is no room: names and words, never figures. */
  readonly gives?: boolean
  readonly tone?: (row: R) => Tone | undefined
}

const GAP = 2
/** A column that gives way is not narrower than this. */
const LEAST = 10

/** The lines of a table in `room` columns of the terminal. */
export function renderTable<R>(
  rows: readonly R[],
  columns: readonly LayoutColumn<R>[],
  room: number,
  paint: Paint,
): readonly string[] {
  const cells = rows.map(row => columns.map(({ of }) => formatCell(of(row))))
  const natural = columns.map(({ title }, n) =>
    Math.max(measureWidth(title), ...cells.map(row => measureWidth(row[n] ?? ''))),
  )
  const widths = fitWidths(natural, columns, room)
  if (!widths) return rows.flatMap((row, n) => renderStacked(row, cells[n] ?? [], columns, room, paint))
  const last = columns.length - 1
  const line = (texts: readonly string[], toneOf: (n: number) => Tone | undefined) =>
    texts
      .map((text, n) => {
        const short = cut(text, widths[n] ?? 0)
        const whole = n === last && !columns[n]?.right ? short : padText(short, widths[n] ?? 0, columns[n]?.right)
        return paint(whole, toneOf(n))
      })
      .join(' '.repeat(GAP))
      .trimEnd()
  const head = line(
    columns.map(({ title }) => title),
    () => 'muted',
  )
  return [head, ...rows.map((row, n) => line(cells[n] ?? [], column => columns[column]?.tone?.(row)))]
}

/** Widths that fit, the widest of those that give way made narrower first; null where there is no way. */
function fitWidths<R>(
  natural: readonly number[],
  columns: readonly LayoutColumn<R>[],
  room: number,
): readonly number[] | null {
  const widths = [...natural]
  const total = () => widths.reduce((sum, width) => sum + width, GAP * (widths.length - 1))
  while (total() > room) {
    const giving = widths.flatMap((width, n) => (columns[n]?.gives && width > LEAST ? [n] : []))
    if (giving.length === 0) return null
    const widest = giving.reduce((one, other) => ((widths[other] ?? 0) > (widths[one] ?? 0) ? other : one))
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}

/** A row as a small card: what names it, then the others with their titles; empty ones are left out. */
function renderStacked<R>(
  row: R,
  cells: readonly string[],
  columns: readonly LayoutColumn<R>[],
  room: number,
  paint: Paint,
): readonly string[] {
  const [name = '', ...others] = cells
  const tone = columns[0]?.tone?.(row) ?? 'strong'
  return [
    ...wrapText(name, room).map(line => paint(line, tone)),
    ...others.flatMap((text, n) => {
      const column = columns[n + 1]
      if (!column || text === '' || text === NOTHING) return []
      const title = column.title === '' ? '' : `${column.title.toLowerCase()}: `
      const lines = wrapText(title + text, Math.max(LEAST, room - 2))
      return lines.map((line, at) =>
        at === 0
          ? `  ${paint(line.slice(0, title.length), 'muted')}${paint(line.slice(title.length), column.tone?.(row))}`
          : `  ${paint(line, column.tone?.(row))}`,
      )
    }),
  ]
}

const NOTHING = '—'

function formatCell(value: string | number | null | undefined): string {
  if (value === null || value === undefined || value === '') return NOTHING
  return toSafeLine(String(value))
}

/** A bar of so many columns, filled by a share from 0 to 1. */
export function renderBar(share: number, columns: number, paint: Paint): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * columns)
  return paint('━'.repeat(filled), 'link') + paint('─'.repeat(columns - filled), 'muted')
}
