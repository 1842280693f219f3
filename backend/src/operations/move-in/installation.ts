// A move that whoever runs the server's machine begins: there an address of a database may be any, and a dump lies in a folder.
import type { MoveIn } from '@balcao/contract'
import { and, desc, eq, isNull } from 'drizzle-orm'
import { jobs } from '../../desk/jobs/table.ts'
import type { Db } from '../../platform/database/client.ts'
import { runWithInstallation } from '../../platform/database/installation.ts'
import { AppError } from '../../platform/http/errors.ts'
import { users } from '../../policy/users/table.ts'
import { beginMove, bringFiles, goOn, type MoveInRequest, stopMove, undoMove } from './begin.ts'
import { loadMoveInState } from './state.ts'
import { moveIns } from './table.ts'

export interface MoveInDesk {
  begin(request: MoveInRequest): Promise<number>
  load(id: number): Promise<MoveIn>
  /** No server has taken it up yet. */
  isWaiting(id: number): Promise<boolean>
  /** The newest one; null: there was none. */
  findNewest(): Promise<number | null>
  goOn(id: number): Promise<MoveIn>
  /** From a folder of this machine, or an address. */
  bringFiles(id: number, from: string): Promise<MoveIn>
  stop(id: number): Promise<MoveIn>
  undo(id: number): Promise<MoveIn>
}

/** Opens the installation's desk for as long as `work` goes on; its running server does the work. Throws as `runWithInstallation`. */
export function openMoveDesk<T>(
  env: Readonly<Record<string, string | undefined>>,
  work: (desk: MoveInDesk) => Promise<T>,
): Promise<T> {
  return runWithInstallation(env, async here => {
    const { db } = here
    const asker = { viewer: { id: await findAdmin(db), profile: 'admin' as const, queueIds: [] } }
    return work({
      begin: request => beginMove(here, asker, request),
      load: id => loadMoveInState(here, id),
      async isWaiting(id) {
        const [row] = await db
          .select({ state: jobs.state })
          .from(moveIns)
          .innerJoin(jobs, eq(jobs.id, moveIns.jobId))
          .where(eq(moveIns.id, id))
        return row?.state === 'waiting'
      },
      async findNewest() {
        const [row] = await db.select({ id: moveIns.id }).from(moveIns).orderBy(desc(moveIns.id)).limit(1)
        return row?.id ?? null
      },
      goOn: id => goOn(here, asker, id),
      bringFiles: (id, from) => bringFiles(here, asker, id, from),
      stop: id => stopMove(here, id),
      undo: id => undoMove(here, asker, id),
    })
  })
}

/** In whose name it is done: of the administrator who has been here longest. */
async function findAdmin(db: Db): Promise<number> {
  const [admin] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.profile, 'admin'), eq(users.active, true), isNull(users.deletedAt)))
    .orderBy(users.id)
    .limit(1)
  if (!admin) throw new AppError('ERR_NO_USER_FOUND')
  return admin.id
}
