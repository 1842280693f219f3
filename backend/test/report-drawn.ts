// What the PDF of a report shows, told by the rows of its sheet: a text for each column, without blanks.
import type { ReadSheets } from './report-files.ts'
import { parseSeconds, parseWallClock } from './slow-reports.ts'

type Rows = NonNullable<ReadSheets[string]>
type Row = Rows[number]

const NONE = '—'
const whole = new Intl.NumberFormat('pt-BR')
const tenths = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 })

/** Of who still waits the time is `waits`: it goes on. All of it is of one year, which only contacts are told. */
export function toDrawnRows(report: 'ticket' | 'contact' | 'queue' | 'user', [heads = [], ...rows]: Rows): string[][] {
  const total = rows.at(-1) ?? []
  const draw =
    report === 'ticket' ? ticket : report === 'contact' ? contact : (row: Row) => sums(row, countsOf(heads, total))
  const all = report === 'contact' ? [...rows.map(draw), contactTotals(rows)] : rows.map(draw)
  return all.map(texts => texts.map(text => text.replace(/\s/g, '')))
}

function ticket(row: Row): string[] {
  const opened = parseWallClock(row[8])
  const after = (cell: unknown) => {
    const at = parseWallClock(cell)
    return at?.slice(0, 10) === opened?.slice(0, 10) ? (at ?? NONE).slice(11) : dayOf(at, false)
  }
  return [
    `${row[0]}${row[1] ?? NONE}`,
    `${row[2]}${phone(row[3])}`,
    `${row[4]}${row[5] === 'Sem atendente' ? NONE : row[5]}`,
    `${row[7]}${row[6]}`,
    ...[dayOf(opened, false), after(row[9]), after(row[10])],
    ...[row[7] === 'Aguardando' ? 'waits' : span(row[11]), span(row[12]), mean(row[13])],
  ]
}

function contact(row: Row): string[] {
  const counts = row.slice(2, 5).map(count)
  return [
    `${row[0]}${phone(row[1])}`,
    ...counts,
    dayOf(parseWallClock(row[5]), true),
    dayOf(parseWallClock(row[6]), true),
    mean(row[7]),
  ]
}

function contactTotals(rows: Rows): string[] {
  const sum = (of: (row: Row) => number) => rows.reduce((all, row) => all + of(row), 0)
  const [ratings, stars] = [sum(row => Number(row[8])), sum(row => Number(row[7] ?? 0) * Number(row[8]))]
  const counts = [2, 3, 4].map(at => count(sum(row => Number(row[at]))))
  return ['Total', ...counts, '', '', mean(ratings > 0 ? stars / ratings : null)]
}

function sums(row: Row, counts: readonly number[]): string[] {
  return [String(row[0]), ...counts.map(at => count(row[at])), span(row[8]), span(row[10]), mean(row[12])]
}

/** All tickets, and each status; the bot and the survey only where there is one. */
function countsOf(heads: Row, total: Row): number[] {
  return [1, 2, 3, 4, 5, 6, 7].filter(
    at => !['Com o robô', 'Na pesquisa'].includes(String(heads[at])) || Number(total[at]) > 0,
  )
}

function count(cell: unknown): string {
  return whole.format(Number(cell ?? 0))
}

function mean(cell: unknown): string {
  return typeof cell === 'number' ? tenths.format(cell) : NONE
}

function span(cell: unknown): string {
  const all = parseSeconds(cell)
  if (all === null) return NONE
  return [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60].map(n => String(n).padStart(2, '0')).join(':')
}

function dayOf(wall: string | null, withYear: boolean): string {
  const [, year = '', month = '', day = '', time = ''] = /^\d\d(\d\d)-(\d\d)-(\d\d) (.*)$/.exec(wall ?? '') ?? []
  return wall === null ? NONE : `${day}/${month}${withYear ? `/${year}` : ''} ${time}`
}

function phone(cell: unknown): string {
  return cell === null ? NONE : String(cell).replace(/^55(\d\d)(\d+)(\d{4})$/, '+55 $1 $2-$3')
}
