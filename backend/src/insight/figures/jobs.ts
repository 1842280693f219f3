import type { JobKind } from '../../platform/worker/kind.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { KEEP_CALENDAR, refreshCalendar } from './calendar.ts'
import { foldFigures } from './days.ts'
import { countMessages } from './messages.ts'

export function figureJobs({ db }: Parts): JobKind[] {
  return [
    {
      kind: 'fold-figures',
      crew: 'patient',
      cron: '* * * * *',
      alone: true,
      work: (_, { abortSignal }) => foldFigures(db, abortSignal),
    },
    {
      kind: KEEP_CALENDAR,
      crew: 'patient',
      cron: '* * * * *',
      alone: true,
      work: (_, { abortSignal }) => refreshCalendar(db, new Date(), abortSignal),
    },
    {
      kind: 'count-messages',
      crew: 'patient',
      cron: '*/15 * * * *',
      alone: true,
      work: (_, { abortSignal }) => countMessages(db, new Date(), abortSignal),
    },
  ]
}
