// Erasing a person (decisions-2 §19, docs/decisions/0231): what is the person's goes at once, then every table is gone through for what is
// left of its numbers. Batch by batch, each committed with how far it came: killed anywhere, it goes on behind the last one.
import type { Erasure, ErasureCounts } from '@balcao/contract'
import { and, asc, eq, inArray, ne, notInArray, sql } from 'drizzle-orm'
import { publishJob } from '../../desk/jobs/present.ts'
import { jobs } from '../../desk/jobs/table.ts'
import { releaseFiles } from '../../desk/media/claim.ts'
import { sweepFiles } from '../../desk/media/jobs.ts'
import { createMediaStorage } from '../../desk/media/storage.ts'
import type { Tx } from '../../platform/database/client.ts'
import { crashAtFailPoint } from '../../platform/fail-point.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import { startErasure } from './begin.ts'
import { cancelContactExports } from './export.ts'
import { deleteMessages } from './messages.ts'
import { eraseFromPages } from './pages.ts'
import type { ErasureBatch, RunningErasure } from './running.ts'
import { type ErasureMark, erasures, type PersonTraces } from './table.ts'
import { redactText } from './traces.ts'

export type ErasingParts = Pick<Parts, 'config' | 'db' | 'log' | 'ring'>

/** Erases who is due, one after the other. One that fails keeps the others from nothing, and is tried again the next time. */
export async function eraseDue(parts: ErasingParts, signal?: AbortSignal): Promise<number> {
  const failed: number[] = []
  for (let erased = 0; ; ) {
    const [due] = await parts.db
      .select({ id: erasures.id })
      .from(erasures)
      .where(
        and(
          inArray(erasures.state, ['waiting', 'running']),
          sql`${erasures.dueAt} <= clock_timestamp()`,
          notInArray(erasures.id, [0, ...failed]),
        ),
      )
      .orderBy(asc(erasures.dueAt))
      .limit(1)
    if (!due || signal?.aborted) return erased
    try {
      if (await eraseOne(parts, due.id, signal)) erased++
    } catch (error) {
      parts.log.error({ err: error, erasureId: due.id }, 'an erasure did not come to its end')
      failed.push(due.id)
    }
  }
}

/** Whether it came to its end. Its files are gone from the disk then, too. */
async function eraseOne(parts: ErasingParts, id: number, signal: AbortSignal | undefined): Promise<boolean> {
  for (let isOver = false; !isOver; ) {
    if (signal?.aborted) return false
    isOver = await change(parts, async tx => {
      const wasLast = await step(tx, id)
      crashAtFailPoint('erase:before-commit')
      return wasLast
    })
    crashAtFailPoint('erase:after-commit')
  }
  await sweepFiles(createMediaStorage(parts))
  return true
}

/** One batch, with the row locked: two processes never do the same. Gives whether nothing is left to do. */
async function step(tx: Tx, id: number): Promise<boolean> {
  const [row] = await tx.select().from(erasures).where(eq(erasures.id, id)).for('update')
  if (row?.state === 'waiting') {
    const outcome = await startErasure(tx, row)
    if (typeof outcome === 'string') return hold(tx, row, outcome)
    const { tickets, ...begun } = outcome
    await cancelContactExports(tx, begun.traces.contactIds)
    const counts = { ...row.counts, tickets }
    await tx
      .update(erasures)
      .set({ ...begun, counts, state: 'running', startedAt: sql`clock_timestamp()`, mark: { step: 'messages' } })
      .where(eq(erasures.id, id))
    return false
  }
  const { traces, startedAt, mark } = row ?? {}
  if (row?.state !== 'running' || !traces || !startedAt || !mark) return true
  const running = { traces, startedAt }
  const { next, counts = {} } = await runBatch(tx, running, mark)
  const sum = added(row.counts, counts)
  await tx
    .update(erasures)
    .set({ counts: sum, ...(next ? { mark: next } : ended(row.reason, traces)) })
    .where(eq(erasures.id, id))
  if (next) return false
  await forgetReasons(tx, traces)
  const { tickets, messages, files } = sum
  const { userId, contactId } = row
  await writeLog(tx, { action: 'privacy.erase', params: { tickets, messages, files }, userId, contactId })
  return true
}

/** Said in the list of requests and in the log; whoever looks into it asks anew. */
async function hold(tx: Tx, { id, contactId }: typeof erasures.$inferSelect, held: Erasure['held']): Promise<true> {
  const news = { state: 'held', held, endedAt: sql`clock_timestamp()` } as const
  await tx.update(erasures).set(news).where(eq(erasures.id, id))
  await writeLog(tx, { action: 'privacy.held', contactId })
  return true
}

function runBatch(tx: Tx, running: RunningErasure, mark: ErasureMark): Promise<ErasureBatch> {
  switch (mark.step) {
    case 'messages':
      return deleteMessages(tx, running)
    case 'pages':
      return eraseFromPages(tx, running, mark)
    case 'end':
      return dropResults(tx, running)
  }
}

/** Reports, exports and sheets that were made or taken in before, whoever asked for them: they may name the person, and can be made again. */
async function dropResults(tx: Tx, { traces }: RunningErasure): Promise<ErasureBatch> {
  await cancelContactExports(tx, traces.contactIds)
  const rows = await tx
    .select({ id: jobs.id, mediaId: jobs.mediaId, uploadId: sql<string | null>`${jobs.params}->>'uploadId'` })
    .from(jobs)
    .where(sql`${jobs.endedAt} is not null and (${jobs.mediaId} is not null or ${jobs.params} ? 'uploadId')`)
    .orderBy(jobs.id)
    .for('update')
  await releaseFiles(
    tx,
    rows.flatMap(({ mediaId, uploadId }) => [mediaId, uploadId].filter(each => each !== null)),
  )
  const withFiles = rows.filter(({ mediaId }) => mediaId !== null).map(({ id }) => id)
  await tx
    .update(jobs)
    .set({ mediaId: null, version: sql`${jobs.version} + 1` })
    .where(inArray(jobs.id, withFiles))
  for (const id of withFiles) await publishJob(tx, id, 'update')
  return { next: null }
}

/** What was written of the person in requests of before that came to nothing. */
async function forgetReasons(tx: Tx, traces: PersonTraces): Promise<void> {
  const which = and(inArray(erasures.contactId, [...traces.contactIds]), ne(erasures.reason, ''))
  for (const { id, reason } of await tx.select().from(erasures).where(which))
    await tx
      .update(erasures)
      .set({ reason: redactText(reason, traces) })
      .where(eq(erasures.id, id))
}

function ended(reason: string, traces: PersonTraces) {
  const redacted = redactText(reason, traces)
  return { state: 'done', reason: redacted, endedAt: sql`clock_timestamp()`, traces: null, mark: null } as const
}

function added(all: ErasureCounts, more: Partial<ErasureCounts>): ErasureCounts {
  const { tickets = 0, messages = 0, files = 0, places = 0 } = more
  return {
    tickets: all.tickets + tickets,
    messages: all.messages + messages,
    files: all.files + files,
    places: all.places + places,
  }
}
