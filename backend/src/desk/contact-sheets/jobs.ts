import type { JobKind } from '../../platform/worker/kind.ts'
import { createLongJob, type JobParts } from '../jobs/long.ts'
import { BULK_KINDS } from './bulk.ts'
import { CLEAR_JOB } from './clear.ts'
import { EXPORT_JOBS } from './export.ts'
import { PHONE_JOB } from './phone.ts'
import { SHEET_JOBS } from './sheet-jobs.ts'
import { touchContactsJob } from './touch.ts'

export function contactSheetJobs(parts: JobParts): JobKind[] {
  return [
    createLongJob(parts, SHEET_JOBS.contacts),
    createLongJob(parts, SHEET_JOBS.delegation),
    createLongJob(parts, PHONE_JOB),
    createLongJob(parts, EXPORT_JOBS.contacts),
    createLongJob(parts, EXPORT_JOBS.delegation),
    createLongJob(parts, CLEAR_JOB),
    touchContactsJob(parts),
    ...BULK_KINDS.map(kind => createLongJob(parts, kind)),
  ]
}
