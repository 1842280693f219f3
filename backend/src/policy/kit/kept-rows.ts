// Rows that people keep in a list of their own, such as quick answers: a change is one transaction with the row, its entry in the
// activity log and its live event for everybody, or for those who see the row.
import type { ErrorCode, LiveEvent, PlainLogAction, Viewer } from '@balcao/contract'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSqlState } from '../../platform/database/faults.ts'
import { AppError } from '../../platform/http/errors.ts'
import { appendEvent } from '../../platform/live/append.ts'
import type { Audience } from '../../platform/live/table.ts'
import { type LogRecord, writeLog } from '../log/write.ts'
import type { Session } from '../sessions/authenticate.ts'
import { createOnce, type FormSubmission } from './made-once.ts'
import { change, type Parts } from './parts.ts'

/** Events that bring a row under their own name, where the log has the actions of that name. */
export type RowEventName = {
  [N in LiveEvent['event']]: `${N}.${'create' | 'update' | 'delete'}` extends PlainLogAction ? N : never
}[LiveEvent['event']]

interface Row {
  readonly id: number
  readonly version: number
}

interface RowStoreOptions<Stored extends Row, Shown extends Stored> {
  readonly name: RowEventName
  /** The refusal where there is no such row. */
  readonly missing: ErrorCode
  /** The refusal where another one is called the same; unless given many may be. */
  readonly taken?: ErrorCode
  /** Rows in the form of the contract, in the order of the ids. */
  readonly load: (db: Db | Tx, ids: readonly number[]) => Promise<Shown[]>
  /** Where the log names the row, if it has a column of its own there. */
  readonly logged?: (id: number) => Pick<LogRecord, 'queueId' | 'entityId'>
  /** Where not everybody sees each row: who does, one by one and all of them. */
  readonly seen?: {
    readonly canSee: (viewer: Viewer, row: Stored) => boolean
    readonly toAudience: (row: Stored) => Audience
  }
}

type Work = (tx: Tx) => Promise<{ readonly id: number } | undefined>

/** Throws `ERR_CHANGED_MEANWHILE` with the row where a change began from an older one; without a version the last one wins (decisions §22). */
export function rejectStale(row: Row, version: number | undefined): void {
  if (version !== undefined && version < row.version) throw new AppError('ERR_CHANGED_MEANWHILE', row)
}

/**
 * How rows of a kind are read and changed. `work` writes and gives the row it has written, or nothing where there is none.
 *
 * @example
 * const tags = createRowStore({ name: 'tag', missing: 'ERR_NO_TAG_FOUND', taken: 'ERR_TAG_ALREADY_EXISTS', load: loadTags })
 * tags.add(parts, session, { clientId, content: values }, async tx => (await tx.insert(table).values(values).returning()).at(0), change)
 */
export function createRowStore<Stored extends Row, Shown extends Stored>({
  name,
  missing,
  taken,
  load,
  logged,
  seen,
}: RowStoreOptions<Stored, Shown>) {
  const named = logged ?? (entityId => ({ entityId }))

  async function get(db: Db | Tx, id: number | undefined): Promise<Shown> {
    const [row] = id === undefined ? [] : await load(db, [id])
    if (!row) throw new AppError(missing)
    return row
  }

  /** The row, where this person sees it. */
  async function find(db: Db | Tx, { viewer }: Pick<Session, 'viewer'>, id: number): Promise<Shown> {
    const row = await get(db, id)
    if (seen && !seen.canSee(viewer, row)) throw new AppError(missing)
    return row
  }

  async function tell(
    tx: Tx,
    { viewer }: Pick<Session, 'viewer'>,
    action: 'create' | 'update' | 'delete',
    row: Stored,
    part: object,
  ) {
    await writeLog(tx, { action: `${name}.${action}`, userId: viewer.id, ...named(row.id) })
    // `RowEventName` has only events of this form; TypeScript takes a computed name for any.
    const event = { event: name, action, version: row.version, ...part } as LiveEvent
    await appendEvent(tx, seen?.toAudience(row) ?? { to: 'everyone' }, event)
  }

  function saved(session: Session, action: 'create' | 'update', work: Work) {
    return async (tx: Tx) => {
      const row = await get(tx, (await work(tx))?.id)
      await tell(tx, session, action, row, { [name]: row })
      return row
    }
  }

  async function unlessTaken(saving: Promise<Shown>): Promise<Shown> {
    try {
      return await saving
    } catch (error) {
      throw taken && getSqlState(error) === '23505' ? new AppError(taken) : error
    }
  }

  return {
    get,
    find,
    /** Adds a row, or where this form made it before gives it; `edit` changes it to what the form says by now. */
    add(
      parts: Parts,
      session: Session,
      form: FormSubmission,
      work: Work,
      edit: (id: number) => Promise<Shown>,
    ): Promise<Shown> {
      const again = (id: number, isSame: boolean) => (isSame ? find(parts.db, session, id) : edit(id))
      return unlessTaken(createOnce(parts, session, name, form, saved(session, 'create', work), again))
    },
    /** Changes a row. */
    save: (parts: Parts, session: Session, work: Work) => unlessTaken(change(parts, saved(session, 'update', work))),
    remove: (parts: Parts, session: Pick<Session, 'viewer'>, work: (tx: Tx) => Promise<Stored | undefined>) =>
      change(parts, async tx => {
        const row = await work(tx)
        if (!row) throw new AppError(missing)
        await tell(tx, session, 'delete', { ...row, version: row.version + 1 }, { [`${name}Id`]: row.id })
      }),
  }
}
