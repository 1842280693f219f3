import { createLongJob, type JobParts } from '../../desk/jobs/long.ts'
import { createSweep, type JobKind } from '../../platform/worker/kind.ts'
import { sweepDumps } from './dump-file.ts'
import { FILES_JOB } from './files.ts'
import { READ_JOB } from './read.ts'
import { UNDO_JOB } from './undo.ts'
import { WRITE_JOB } from './write.ts'

export function moveInJobs(parts: JobParts): JobKind[] {
  return [
    ...[
      createLongJob(parts, READ_JOB),
      createLongJob(parts, WRITE_JOB),
      createLongJob(parts, UNDO_JOB),
      createLongJob(parts, FILES_JOB),
    ],
    createSweep(parts, 'sweep-dumps', '40 * * * *', () => sweepDumps(parts)),
  ]
}
