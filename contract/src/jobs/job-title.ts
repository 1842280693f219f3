// What long work is called, on the page and at the terminal.

import { reformatIsoDay } from '../calendar/zoned-time.ts'
import type { JobSubject } from './job.ts'

/**
 * The name of a kind of work, with its period and the kind of its file where they are known. `say` knows the texts `job.…` of the screens.
 * @example composeJobTitle('Relatório de filas', { from: '2026-11-01', to: '2026-11-24', format: 'pdf' }, say)
 * // 'Relatório de filas · 01/11/2026 a 24/11/2026 · PDF'
 */
export function composeJobTitle(
  name: string,
  about: JobSubject | null,
  say: (key: JobTitleKey, values?: Readonly<Record<string, string>>) => string,
): string {
  if (!about) return name
  const { format } = about
  const [from, to] = [about.from && reformatIsoDay(about.from), about.to && reformatIsoDay(about.to)]
  const period =
    from && to
      ? from === to
        ? from
        : say('job.period', { from, to })
      : from
        ? say('job.since', { when: from })
        : to && say('job.until', { when: to })
  return [name, period, format && say(`job.format.${format}`)].filter(Boolean).join(' · ')
}

export type JobTitleKey = 'job.period' | 'job.since' | 'job.until' | `job.format.${NonNullable<JobSubject['format']>}`
