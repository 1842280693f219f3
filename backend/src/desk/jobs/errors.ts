// Rows of a sheet that a job left out: kept with its batches, had as a sheet by who may (decisions-2 §14).

import type { ResponseBody } from '@balcao/contract'
import { writeSheet } from '@balcao/formats/sheets/write'
import { and, eq, gt } from 'drizzle-orm'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { toCorrectionRows } from '../media/sheet-form.ts'
import { isOwnJobSql } from './present.ts'
import { isStillAllowed } from './rights.ts'
import { jobErrors, jobs } from './table.ts'

/** A row as it stood, with what is wrong in one cell. */
export interface JobErrorRow {
  readonly row: number
  readonly cells: readonly string[]
  readonly problem: string
}

/** Before every row of a sheet. */
const HEADING = 0
const PAGE = 1000

/** Keeps wrong rows; once more the same changes nothing. */
export async function addJobErrors(tx: Tx, jobId: number, heads: readonly string[], wrong: readonly JobErrorRow[]) {
  if (wrong.length === 0) return
  const rows = [{ row: HEADING, cells: heads, problem: '' }, ...wrong]
  await getSql(tx)`
    insert into job_error (job_id, row, cells, faults)
    select ${jobId}, e.row, e.cells::jsonb, e.problem
    from unnest(${rows.map(one => one.row)}::int[], ${rows.map(one => JSON.stringify(one.cells))}::text[], ${rows.map(one => one.problem)}::text[])
      as e(row, cells, problem)
    on conflict do nothing`
}

/** Throws `ERR_NO_JOB_FOUND`, `ERR_NO_PERMISSION` for who may not do such work any more, `ERR_NO_FILE_FOUND` where no row was wrong. */
export async function renderErrorSheet(
  { db }: Parts,
  session: Session,
  id: number,
): Promise<ResponseBody<'GET /jobs/:id/errors'>> {
  const own = and(eq(jobs.id, id), isOwnJobSql(session))
  const [job] = await db.select({ kind: jobs.kind, params: jobs.params }).from(jobs).where(own)
  if (!job) throw new AppError('ERR_NO_JOB_FOUND')
  if (!(await isStillAllowed(db, job, session.viewer.id))) throw new AppError('ERR_NO_PERMISSION')
  const [head] = await db.select().from(jobErrors).where(eq(jobErrors.jobId, id)).orderBy(jobErrors.row).limit(1)
  if (!head) throw new AppError('ERR_NO_FILE_FOUND')
  return writeSheet('linhas-com-erro', lines(db, id, head))
}

async function* lines(
  db: Db,
  id: number,
  { row: heading, cells: heads }: Pick<JobErrorRow, 'row' | 'cells'>,
): AsyncGenerator<string[]> {
  yield* toCorrectionRows(heads, [])
  for (let after = heading; ; ) {
    const behind = and(eq(jobErrors.jobId, id), gt(jobErrors.row, after))
    const page = await db.select().from(jobErrors).where(behind).orderBy(jobErrors.row).limit(PAGE)
    yield* toCorrectionRows(
      heads,
      page.map(({ faults, ...one }) => ({ ...one, problem: faults })),
    ).slice(1)
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    after = last.row
  }
}
