import { sheetText } from '../sheets/write.ts'
import type { Cells } from '../sheets/xlsx.ts'
import { fileOf, type MakeContent } from './content.ts'
import { type Context, summaryHead } from './context.ts'
import { meanSeconds } from './shown.ts'
import { type By, type SumLine, sumLines, sumOf } from './sums.ts'
import { STATUS_ORDER } from './words.ts'

export function sumReport(by: By): MakeContent {
  return async (context, read) => {
    const { which, words, timezone } = context
    const none = by === 'queue' ? words.noQueue : words.nobody
    const found = await sumLines(read.db, which, by, timezone, () => read.step(0, 0))
    const lines = found.map(line => (line.id === null ? { ...line, name: none } : line))
    const total = { ...sumOf(lines), name: words.total }
    const file = fileOf(context, () => [
      { name: words.tables[by], rows: sheetRows(context, by, lines, total) },
      { name: words.byHour, rows: hourRows(context, by, lines, total) },
      { name: words.summary, rows: summaryHead(context, words.sumNote) },
    ])
    await read.step(lines.length, lines.length)
    return { rows: lines.length, file, remove: async () => {} }
  }
}

function headOf({ words }: Context, by: By): string {
  return by === 'queue' ? words.queue : words.person
}

function* sheetRows(context: Context, by: By, lines: readonly SumLine[], total: SumLine): Generator<Cells> {
  const { words } = context
  yield [
    ...[headOf(context, by), words.tickets, ...STATUS_ORDER.map(status => words.statuses[status])],
    ...[words.tme, words.acceptances, words.tma, words.resolvings, words.rating, words.ratings],
  ]
  const mean = (ms: number, n: number) => {
    const seconds = meanSeconds(ms, n)
    return seconds === null ? null : { seconds }
  }
  for (const { name, opened, statuses, waits, waitMs, services, serviceMs, stars, ratings } of [...lines, total])
    yield [
      ...[sheetText(name), opened, ...STATUS_ORDER.map(status => statuses[status] ?? 0)],
      ...[
        mean(waitMs, waits),
        waits,
        mean(serviceMs, services),
        services,
        ratings === 0 ? null : stars / ratings,
        ratings,
      ],
    ]
}

function* hourRows(context: Context, by: By, lines: readonly SumLine[], total: SumLine): Generator<Cells> {
  yield [headOf(context, by), ...total.hours.map((_, hour) => hourText(hour))]
  for (const { name, hours } of [...lines, total]) yield [sheetText(name), ...hours]
}

function hourText(hour: number): string {
  return `${two(hour)}:00`
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
