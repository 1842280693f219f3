// How figures are shown: a table on the terminal, the same as JSON for a file.
import { computeRatio, type Figure, isMet } from './benchmark.ts'
import type { Machine } from './machine.ts'

export interface BenchReport {
  readonly machine: Machine
  readonly results: readonly { readonly name: string; readonly figures: readonly Figure[]; readonly error?: string }[]
}

const COLUMNS = ['figure', 'measured', 'reference in the same run', 'ratio', 'aim', 'met']

/** Figures as aligned lines, or as the rows of a Markdown table. */
export function renderTable(figures: readonly Figure[], markdown = false): string {
  const rows = [COLUMNS, ...figures.map(toCells)]
  const widths = COLUMNS.map((_, at) => Math.max(...rows.map(row => [...(row[at] ?? '')].length)))
  const lines = rows.map(row => {
    const padded = row.map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - [...cell].length))
    return markdown ? `| ${padded.join(' | ')} |` : `  ${padded.join('  ')}`.trimEnd()
  })
  const rule = widths.map(width => '-'.repeat(width))
  lines.splice(1, 0, markdown ? `| ${rule.join(' | ')} |` : `  ${rule.join('  ')}`)
  return lines.join('\n')
}

function toCells(figure: Figure): string[] {
  const { label, value, unit, reference, aim, atLeast, ratioAim } = figure
  const ratio = computeRatio(figure)
  const met = isMet(figure)
  const aims = [
    aim === undefined ? '' : `${atLeast ? '≥' : '≤'} ${formatValue(aim, unit)}`,
    ratioAim === undefined ? '' : `≤ ${ratioAim} ×`,
  ].filter(text => text !== '')
  return [
    label,
    formatValue(value, unit),
    reference ? `${reference.label}: ${formatValue(reference.value, reference.unit ?? unit)}` : '',
    ratio === null ? '' : `${roundFigures(ratio)} ×`,
    aims.join(', '),
    met === null ? '' : met ? 'yes' : 'NO',
  ]
}

function formatValue(value: number, unit: string): string {
  return `${roundFigures(value)} ${unit}`.trim()
}

/** Three figures that mean something, without exponents. */
function roundFigures(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  const digits = value === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))))
  return value.toLocaleString('en-US', { maximumFractionDigits: Math.min(digits, 4) })
}
