import type { Endpoint } from '../kit/endpoint.ts'
import { Id, Nullable, Type } from '../kit/schema.ts'
import { SheetFile } from '../users/endpoints.ts'
import { Job } from './job.ts'

/** Long work (decisions §13). Everybody sees the own jobs alone. */
export const jobEndpoints = {
  'GET /jobs': {
    scope: 'reports',
    summary: 'The own jobs of the last seven days, newest first, without links to files',
    query: Type.Object({ cursor: Type.Optional(Id) }),
    answer: Type.Object({ jobs: Type.Array(Job), hasMore: Type.Boolean(), nextCursor: Nullable(Id) }),
  },
  'GET /jobs/:id': {
    scope: 'reports',
    summary: 'One own job; where it left a file, with a link to it that is good for 15 minutes',
    errors: ['ERR_NO_JOB_FOUND'],
    answer: Job,
  },
  'GET /jobs/:id/errors': {
    summary: 'The rows of an own import that were wrong so far, each with what is wrong, as .xlsx; for 24 hours',
    errors: ['ERR_NO_JOB_FOUND', 'ERR_NO_FILE_FOUND'],
    answer: SheetFile,
  },
  'DELETE /jobs/:id': {
    scope: 'reports',
    summary: 'Cancel an own job; what it has done so far stays done, and one that has ended stays as it ended',
    errors: ['ERR_NO_JOB_FOUND'],
    answer: Job,
  },
} as const satisfies Record<string, Endpoint>
