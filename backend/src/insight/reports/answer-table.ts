// How many answers came until they were due (docs/decisions/0317), line by line, in a document and on a sheet; nothing where none was due.
import type { DocumentBlock, Row } from '@balcao/formats/pdf/document'
import { toSheetText } from '@balcao/formats/sheets/write'
import type { Cells } from '@balcao/formats/sheets/xlsx'
import type { ReportContext } from './context.ts'
import { NONE } from './formatter.ts'
import type { SumLine } from './sums.ts'

interface AnswerTable {
  /** What the lines are. */
  readonly head: string
  readonly lines: readonly SumLine[]
  readonly total: SumLine
}

export function hasAnswers({ first, later }: SumLine): boolean {
  return first + later > 0
}

export function* answerRows({ words }: ReportContext, { head, lines, total }: AnswerTable): Generator<Cells> {
  const { first, later, inTime, missed } = words.answers
  yield [head, first, inTime, missed, later, inTime, missed]
  for (const line of [...lines.filter(hasAnswers), total]) yield [toSheetText(line.name), ...countAnswers(line)]
}

export function* answerBlocks(context: ReportContext, { head, lines, total }: AnswerTable): Generator<DocumentBlock> {
  if (!hasAnswers(total)) return
  const { first, later, inTime, missed, title } = context.words.answers
  yield { kind: 'heading', text: title }
  yield {
    kind: 'table',
    columns: [
      { head, weight: 22 },
      ...[first, inTime, missed, '%', later, inTime, missed, '%'].map(text => ({
        ...{ head: text, align: 'right' as const },
        weight: Math.max(7, text.length),
      })),
    ],
    rows: lines.filter(hasAnswers).map(line => toDrawnRow(context, line)),
    totals: toDrawnRow(context, total),
  }
}

function toDrawnRow({ shown }: ReportContext, line: SumLine): Row {
  const [first = 0, firstInTime = 0, firstMissed = 0, later = 0, laterInTime = 0, laterMissed = 0] = countAnswers(line)
  return [
    line.color === '' ? line.name : { text: line.name, color: line.color },
    ...[first, firstInTime, firstMissed].map(shown.number),
    formatShare(firstInTime, first),
    ...[later, laterInTime, laterMissed].map(shown.number),
    formatShare(laterInTime, later),
  ]
}

function countAnswers({ first, firstInTime, later, laterInTime }: SumLine): number[] {
  return [first, firstInTime, first - firstInTime, later, laterInTime, later - laterInTime]
}

/** Never rounded up to all. */
function formatShare(inTime: number, total: number): string {
  return total === 0 ? NONE : `${Math.floor((inTime / total) * 100)}%`
}
