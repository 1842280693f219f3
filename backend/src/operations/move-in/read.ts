// The rows of the other desk are laid aside first, as they come: what would come is looked at in them, and whoever writes them is not held
// up by another database, nor by the order of a dump (docs/decisions/0319).
import { createReadStream, existsSync } from 'node:fs'
import type { ErrorCode } from '@balcao/contract'
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { NOBODY } from '../../desk/contacts/table.ts'
import type { JobParts, LongJob, RunningJob } from '../../desk/jobs/long.ts'
import { ensureDiskSpace } from '../../desk/media/disk-space.ts'
import type { Tx } from '../../platform/database/client.ts'
import { findFullDisk } from '../../platform/database/faults.ts'
import { getSql } from '../../platform/database/raw.ts'
import { toJsonbText } from '../../platform/database/storable.ts'
import { AppError } from '../../platform/http/errors.ts'
import { unseal } from '../../platform/seal.ts'
import { getDumpPath, removeDump } from './dump-file.ts'
import { describeMove } from './preview.ts'
import { readDump, type SourceRows } from './read/dump.ts'
import { readMysql } from './read/mysql.ts'
import { readPostgres } from './read/postgres.ts'
import type { Source, SourceRow, StagedRecord } from './records.ts'
import { chatwoot } from './sources/chatwoot.ts'
import { whaticket } from './sources/whaticket.ts'
import { noteState } from './state.ts'
import { moveIns } from './table.ts'

export const Params = Type.Object({ moveInId: Type.Integer() })
/** Where it goes on stands with the move itself. */
export const Mark = Type.Object({ done: Type.Integer() })
type Running = RunningJob<{ moveInId: number }, { done: number }>
type StoredMoveIn = typeof moveIns.$inferSelect

const SOURCES: Readonly<Record<StoredMoveIn['source'], Source>> = { whaticket, ticketz: whaticket, chatwoot }
const BATCH = 1000
/** So often a job asks at least whether it is still wanted. */
const CANCEL_CHECK_MS = 1000
/** So many rows of before are taken away in one transaction. */
const REMOVED = 5000

/** Lays all rows aside; one that is begun again begins with none. */
export const READ_JOB: LongJob<typeof Params, typeof Mark> = {
  ...{ kind: 'moveIn.read', params: Params, mark: Mark },
  async work(parts, job) {
    const moveIn = await loadMove(parts, job.params.moveInId)
    if (moveIn.jobId !== job.id) return {}
    // How it came out is noted before all is cleared away and the job ends: a process that is ended meanwhile leaves that, and no second reading.
    const error = moveIn.state === 'reading' ? await readAll(parts, job, moveIn) : moveIn.error
    // Once it is said which company is meant it is read again.
    if (error === 'ERR_MOVE_IN_COMPANY') return { error }
    await removeDump(parts.config.dataDir, moveIn.id)
    if (error === null) return {}
    await removeRows(job, moveIn.id).catch(passFullDisk)
    return { error }
  },
}

/** Notes that it is ready, or why it failed; gives that reason. */
async function readAll(parts: JobParts, job: Running, moveIn: StoredMoveIn): Promise<ErrorCode | null> {
  const { id } = moveIn
  try {
    await removeRows(job, id)
    await stageDump(parts, job, moveIn)
    await removeStrangers(job, id)
    await completeNumbers(job, id)
    // Of rows that nobody has counted Postgres expects one, and looks through all of them for each.
    await getSql(parts.db)`analyze move_in_row`
    // Before its origin is known: whoever is asked which company is meant sees which there are.
    let total = await notePreview(parts, job, moveIn)
    if (await leaveErased(job, moveIn)) total = await notePreview(parts, job, moveIn)
    await job.batch(async tx => {
      await tx.update(moveIns).set({ state: 'ready' }).where(eq(moveIns.id, id))
      return { mark: { done: total }, done: total, total }
    })
    return null
  } catch (caught) {
    const error = findFullDisk(caught) === null ? caught : new AppError('ERR_NO_SPACE')
    if (!(error instanceof AppError)) throw error
    // One that was stopped meanwhile is no longer this job's: it stands as it does, and keeps its dump.
    await job.batch(async tx => {
      await noteState(tx, id, 'failed', error.code)
      return { mark: { done: 0 }, done: 0 }
    })
    return error.code
  }
}

/** What would come; gives how much that is. */
async function notePreview(parts: JobParts, job: Running, moveIn: StoredMoveIn): Promise<number> {
  const preview = await describeMove(parts.db, moveIn)
  const total = preview.kinds.reduce((sum, { count }) => sum + count, 0)
  await job.batch(async tx => {
    await tx.update(moveIns).set({ preview, total, address: null }).where(eq(moveIns.id, moveIn.id))
    return { mark: { done: total }, done: total, total }
  })
  return total
}

/** Notes where the rows come from, and whom of those that came before somebody has erased here since: whether there are any. */
async function leaveErased(job: Running, moveIn: StoredMoveIn): Promise<boolean> {
  let isAny = false
  await job.batch(async tx => {
    const origin = await findOrigin(tx, moveIn)
    await tx.update(moveIns).set({ origin }).where(eq(moveIns.id, moveIn.id))
    const erased = await getSql(tx)`
      update move_in_row r set fault = 'contactErased' from move_in_link l join contact c on c.id = l.own_id
      where r.move_in_id = ${moveIn.id} and r.kind = 'contact' and l.origin = ${origin} and l.kind = 'contact' and l.key = r.key
        and c.merged_into = ${NOBODY} returning 1`
    isAny = erased.length > 0
    return { mark: { done: 0 }, done: 0 }
  })
  return isAny
}

export async function loadMove({ db }: Pick<JobParts, 'db'>, id: number): Promise<StoredMoveIn> {
  const [moveIn] = await db.select().from(moveIns).where(eq(moveIns.id, id))
  if (!moveIn) throw new AppError('ERR_NOT_FOUND')
  return moveIn
}

/** The rows that lie aside, so many at a time; those of a move that could not be read as well. */
export async function removeRows(job: Pick<Running, 'batch'>, moveInId: number): Promise<void> {
  for (let isOver = false; !isOver; )
    await job.batch(async tx => {
      const gone = await getSql(tx)`
        delete from move_in_row where (move_in_id, kind, key) in (
          select move_in_id, kind, key from move_in_row
          where move_in_id = any(array(select id from move_in where id = ${moveInId} or state = 'failed')) limit ${REMOVED})
        returning 1`
      isOver = gone.length < REMOVED
      return { mark: { done: 0 }, done: 0 }
    })
}

/** What a disk is too full to take away goes with the next reading. */
function passFullDisk(error: unknown): void {
  if (findFullDisk(error) === null) throw error
}

async function stageDump(parts: JobParts, job: Running, moveIn: StoredMoveIn): Promise<void> {
  const source = SOURCES[moveIn.source]
  let waiting: StagedRecord[] = []
  let done = 0
  let storedAt = performance.now()

  async function stageRows({ table, rows }: SourceRows): Promise<void> {
    for (const row of rows) {
      const record = isOthers(source, row, moveIn.company) ? null : source.tables[table]?.toRecord(row)
      if (record) waiting.push(record)
      if (waiting.length >= BATCH) await store()
    }
  }

  /** Where nothing of it is wanted for long it can be stopped all the same. */
  async function* stopWhenCancelled(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of bytes) {
      if (performance.now() - storedAt > CANCEL_CHECK_MS) await store()
      yield piece
    }
  }

  async function store(): Promise<void> {
    // The rows go where messages go: what is kept free of that disk is theirs.
    await ensureDiskSpace(parts.config.dataDir)
    const records = waiting
    waiting = []
    done += records.length
    await job.batch(async tx => {
      if (records.length > 0) await storeRows(tx, moveIn.id, records)
      return { mark: { done }, done }
    })
    storedAt = performance.now()
  }

  if (moveIn.address !== null)
    await readDatabase(parts, unseal(parts.config.dataKey, moveIn.address), source, job.signal, stageRows)
  else for await (const found of readDump(stopWhenCancelled(openDump(parts, moveIn)), source)) await stageRows(found)
  if (waiting.length > 0) await store()
  if (done === 0) throw new AppError('ERR_MOVE_IN_UNREADABLE')
}

/** Whatever ends it at the other side throws `ERR_MOVE_IN_UNREACHABLE`; what ends it here is thrown as it is. */
export async function readDatabase(
  { log }: Pick<JobParts, 'log'>,
  address: string,
  source: Source,
  signal: AbortSignal,
  take: (rows: SourceRows) => Promise<void>,
): Promise<void> {
  let ours: unknown
  const read = /^postgres/i.test(address) ? readPostgres : readMysql
  try {
    await read(address, source, signal, rows =>
      take(rows).catch(error => {
        ours = error
        throw error
      }),
    )
  } catch (error) {
    signal.throwIfAborted()
    if (ours !== undefined || error instanceof AppError) throw ours ?? error
    log.warn({ err: error }, 'the database of the other desk could not be read')
    throw new AppError('ERR_MOVE_IN_UNREACHABLE')
  }
}

/** Its file, where somebody of this machine named it or as it was sent. Throws `ERR_MOVE_IN_ELSEWHERE` where another machine has it. */
function openDump({ config }: Pick<JobParts, 'config'>, { id, dump }: StoredMoveIn): AsyncIterable<Uint8Array> {
  const path = dump ?? getDumpPath(config.dataDir, id)
  if (!existsSync(path)) throw new AppError('ERR_MOVE_IN_ELSEWHERE')
  return createReadStream(path)
}

/** Whether a row is of a company that was not chosen. */
function isOthers({ companyColumn }: Source, row: SourceRow, company: string | null): boolean {
  const of = row[companyColumn]
  return company !== null && of != null && of !== company
}

/** Where several companies share their people, those of the others do not come. */
async function removeStrangers(job: Running, moveInId: number): Promise<void> {
  await job.batch(async tx => {
    await getSql(tx)`
      delete from move_in_row u where u.move_in_id = ${moveInId} and u.kind = 'user'
        and exists (select 1 from move_in_row m where m.move_in_id = ${moveInId} and m.kind = 'member')
        and not exists (select 1 from move_in_row m where m.move_in_id = ${moveInId} and m.kind = 'member' and m.key = u.key)`
    return { mark: { done: 0 }, done: 0 }
  })
}

/** Where most of the others are Brazilian, a number that is one without the country's code is that, and nobody's abroad. */
async function completeNumbers(job: Running, moveInId: number): Promise<void> {
  await job.batch(async tx => {
    await getSql(tx)`
      update move_in_row set record = jsonb_set(record, '{number}', record->'local')
      where move_in_id = ${moveInId} and kind = 'contact' and record->>'local' is not null and (
        select count(*) filter (where o.record->>'number' like '55%') * 2 > count(*) from move_in_row o
        where o.move_in_id = ${moveInId} and o.kind = 'contact' and o.record->>'number' is not null and o.record->>'local' is null)`
    return { mark: { done: 0 }, done: 0 }
  })
}

/** One key stands once in a statement; what comes later counts. */
async function storeRows(tx: Tx, moveInId: number, records: readonly StagedRecord[]): Promise<void> {
  const rows = new Map(records.map(record => [`${record.kind} ${record.key}`, record]))
  await getSql(tx)`
    insert into move_in_row (move_in_id, kind, key, record, fault)
    select ${moveInId}, x.kind, x.key, x.record, x.fault
    from jsonb_to_recordset(${toJsonbText([...rows.values()])}::jsonb) as x(kind text, key text, record jsonb, fault text)
    on conflict (move_in_id, kind, key) do update set record = excluded.record, fault = excluded.fault`
}

/**
 * The installation and the company of it: by when the company was made there, else its first member. Throws `ERR_MOVE_IN_COMPANY` where one
 * of several is to be chosen, or the one that was is not there.
 */
async function findOrigin(tx: Tx, { id, source, company }: StoredMoveIn): Promise<string> {
  const sql = getSql(tx)
  const companies = await sql<{ key: string; at: string }[]>`
    select key, coalesce(record->>'createdAt', '') as at from move_in_row where move_in_id = ${id} and kind = 'company' order by key`
  const candidates = companies.filter(({ key }) => company === null || Number(key) === Number(company))
  const [only, ...others] = candidates
  const isUnknown = company !== null && !only && companies.length > 0
  if (others.length > 0 || isUnknown) throw new AppError('ERR_MOVE_IN_COMPANY')
  if (only) return `${source}:${only.key}:${only.at}`
  const [first] = await sql<{ key: string; at: string }[]>`
    select key, coalesce(record->>'createdAt', '') as at from move_in_row where move_in_id = ${id} and kind = 'user' order by key limit 1`
  return `${source}:${first?.key ?? ''}:${first?.at ?? ''}`
}
