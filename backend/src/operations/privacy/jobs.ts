import { createLongJob, type JobParts } from '../../desk/jobs/long.ts'
import type { JobKind } from '../../platform/worker/kind.ts'
import { ERASE } from './ask.ts'
import { eraseDue } from './erase.ts'
import { EXPORT_JOB } from './export.ts'

export function privacyJobs(parts: JobParts): JobKind[] {
  return [
    createLongJob(parts, EXPORT_JOB),
    {
      ...{ kind: ERASE, crew: 'patient', cron: '*/5 * * * *', alone: true },
      work: async (_, { abortSignal }) => {
        const erased = await eraseDue(parts, abortSignal)
        if (erased > 0) parts.log.info({ erased }, 'people were erased')
      },
    },
  ]
}
