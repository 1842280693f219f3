// The figures of a version, in the page that tells of them.
import { formatMachine } from './machine.ts'
import { type BenchReport, renderTable } from './report.ts'

const [BEGIN, END] = ['<!-- figures of the release: begin -->', '<!-- figures of the release: end -->']

/** What was measured for a version, as a section in Markdown; `left` names what was not run. */
export function renderReleaseSection(
  version: string,
  { machine, results }: BenchReport,
  left: readonly string[],
): string {
  const parts = results.map(({ name, figures, error }) =>
    error === undefined ? `#### ${name}\n\n${renderTable(figures, true)}` : `#### ${name}\n\nIt failed: ${error}`,
  )
  const rest = left.length > 0 ? `\n\nNot run: ${left.join(', ')}.` : ''
  return `### Version ${version}\n\n\`npm run bench -- --release\` on ${formatMachine(machine)}.${rest}\n\n${parts.join('\n\n')}`
}

/** The page with this section in the place of the last release's. */
export function replaceSection(page: string, section: string): string {
  const begin = page.indexOf(BEGIN)
  const end = page.indexOf(END)
  if (begin < 0 || end < begin) throw new Error('The page has no place for the figures of a release')
  return `${page.slice(0, begin + BEGIN.length)}\n${section}\n${page.slice(end)}`
}
