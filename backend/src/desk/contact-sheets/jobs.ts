import type { JobKind } from '../../platform/worker/kind.ts'
import { type JobParts, longJob } from '../jobs/long.ts'
import { BULK_KINDS } from './bulk.ts'
import { CLEAR_JOB } from './clear.ts'
import { EXPORT_JOBS } from './export.ts'
import { PHONE_JOB } from './phone.ts'
import { SHEET_JOBS } from './sheet-jobs.ts'

export function contactSheetJobs(parts: JobParts): JobKind[] {
  return [
    longJob(parts, SHEET_JOBS.contacts),
    longJob(parts, SHEET_JOBS.delegation),
    longJob(parts, PHONE_JOB),
    longJob(parts, EXPORT_JOBS.contacts),
    longJob(parts, EXPORT_JOBS.delegation),
    longJob(parts, CLEAR_JOB),
    ...BULK_KINDS.map(kind => longJob(parts, kind)),
  ]
}
