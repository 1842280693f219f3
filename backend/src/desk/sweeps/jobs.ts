// What the clock does to tickets, every minute; several processes take turns and a killed one leaves nothing half done.
import type { JobKind } from '../../platform/worker/kind.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { assignIdle } from './assign-idle.ts'
import { closeBot } from './close-bot.ts'
import { closeIdle } from './close-idle.ts'
import { closeUnrated } from './close-unrated.ts'
import type { SweepContext } from './process-due.ts'
import { wakePaused } from './wake-paused.ts'

export function sweepJobs(parts: Parts): JobKind[] {
  return [
    everyMinute('give-idle', assignIdle),
    everyMinute('close-bot', closeBot),
    everyMinute('close-idle', closeIdle),
    everyMinute('close-unrated', closeUnrated),
    everyMinute('wake-paused', wakePaused),
  ]

  function everyMinute(kind: string, sweepOf: (sweeping: SweepContext) => Promise<number>): JobKind {
    return {
      kind,
      crew: 'patient',
      cron: '* * * * *',
      alone: true,
      async work(_, { abortSignal: signal }) {
        const done = await sweepOf({ ...parts, signal })
        if (done > 0) parts.log.info({ kind, done }, 'swept')
      },
    }
  }
}
