// The rows that lie aside become the desk's own, beside whoever works in it.
import { MOVE_IN_KINDS } from '@balcao/contract'
import { eq } from 'drizzle-orm'
import { publishContactReload } from '../../desk/contact-sheets/store.ts'
import { resolveConnection } from '../../desk/contacts/connection-for.ts'
import type { JobParts, LongJob, RunningJob } from '../../desk/jobs/long.ts'
import { ensureDiskSpace } from '../../desk/media/disk-space.ts'
import { publishQueues } from '../../desk/queues/publish.ts'
import { tags } from '../../desk/tags/table.ts'
import { hashNewPassword } from '../../desk/users/passwords.ts'
import { layCalendarBack } from '../../insight/figures/calendar.ts'
import type { Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { writeLog } from '../../policy/log/write.ts'
import { publishUserEvents } from '../../policy/users/present.ts'
import { storeLinks } from './links.ts'
import { loadMove, Mark, Params, removeRows } from './read.ts'
import { type MoveInMark, moveIns } from './table.ts'
import { accountStep, contactStep, contactTagStep, MetMeanwhileError, ticketTagStep } from './write-contacts.ts'
import { messageStep } from './write-messages.ts'
import { findRateScale, ratingStep } from './write-ratings.ts'
import { connectionStep, queueStep, quickAnswerStep, tagStep, userQueueStep, userStep } from './write-team.ts'
import { ticketStep } from './write-tickets.ts'
import type { MoveInStep, MoveInWriting, StoredMove } from './writing.ts'

const STEPS: readonly MoveInStep[] = [
  ...[connectionStep, userStep, queueStep, userQueueStep, tagStep, quickAnswerStep],
  ...[contactStep, accountStep, contactTagStep, ticketStep, ticketTagStep, ratingStep, messageStep],
]
/** What the progress counts. */
const COUNTED: readonly string[] = MOVE_IN_KINDS

/** What a batch should take: live events are read up to the oldest transaction that writes. */
const PIECE_MS = 60
const [FIRST, LEAST, MOST] = [100, 20, 1000]
/** How long it rests after a batch, as a part of what that took. */
const REST = 0.35

/** Goes on where the move itself says that it is, whichever job brought it there. */
export const WRITE_JOB: LongJob<typeof Params, typeof Mark> = {
  ...{ kind: 'moveIn.write', params: Params, mark: Mark },
  async work(parts, job) {
    const moveIn = await loadMove(parts, job.params.moveInId)
    const writing = await prepare(parts, job, moveIn)
    let mark: MoveInMark | null = moveIn.mark
    const begin = Math.max(
      0,
      STEPS.findIndex(({ kind }) => kind === mark?.kind),
    )
    let progress = { counts: moveIn.counts, done: moveIn.done }
    for (const step of STEPS.slice(begin)) {
      // What one kind costs says nothing of the next.
      let size = FIRST
      if (step.kind === 'ticket') await layBack(parts, job, moveIn)
      for (let after = mark?.kind === step.kind ? mark.after : ''; ; ) {
        await ensureDiskSpace(parts.config.dataDir)
        const begun = performance.now()
        const batch = await writeBatch(job, writing, moveIn, step, { after, size, progress })
        progress = batch.progress
        const took = performance.now() - begun
        size = Math.round(Math.min(MOST, Math.max(LEAST, size * Math.min(2, PIECE_MS / took))))
        await Bun.sleep(took * REST)
        if (batch.last === null) break
        after = batch.last
      }
      mark = null
    }
    await removeRows(job, moveIn.id)
    await finish(parts, job, writing, progress)
    return { counts: progress.counts }
  },
}

type Progress = { readonly counts: Readonly<Record<string, number>>; readonly done: number }
type Running = RunningJob<{ moveInId: number }, { done: number }>

/** Once more where somebody wrote to the desk meanwhile, for that person is known now. */
async function writeBatch(
  job: Running,
  writing: MoveInWriting,
  { id, total }: StoredMove,
  step: MoveInStep,
  at: { readonly after: string; readonly size: number; readonly progress: Progress },
): Promise<{ last: string | null; progress: Progress }> {
  for (let attempt = 1; ; attempt++)
    try {
      let written = { last: null as string | null, progress: at.progress }
      await job.batch(async tx => {
        const { last, read, counts } = await step.run(tx, writing, at.after, at.size)
        const done = at.progress.done + (COUNTED.includes(step.kind) ? read : 0)
        const progress = { counts: addCounts(at.progress.counts, counts), done }
        // The last batch of a kind leaves the next one to begin.
        const mark = last === null ? findNext(step) : { kind: step.kind, after: last }
        await tx
          .update(moveIns)
          .set({ mark, ...progress })
          .where(eq(moveIns.id, id))
        written = { last, progress }
        return { mark: { done }, done, total, counts: progress.counts }
      })
      return written
    } catch (error) {
      if (!(error instanceof MetMeanwhileError) || attempt >= 5) throw error
    }
}

function findNext(step: MoveInStep): MoveInMark {
  const next = STEPS[STEPS.indexOf(step) + 1]
  return next ? { kind: next.kind, after: '' } : { kind: step.kind, after: '~' }
}

function addCounts(before: Readonly<Record<string, number>>, more: Readonly<Record<string, number>>) {
  const kinds = [...new Set([...Object.keys(before), ...Object.keys(more)])]
  return Object.fromEntries(kinds.map(kind => [kind, (before[kind] ?? 0) + (more[kind] ?? 0)]))
}

/** Throws `ERR_NO_DEF_WAPP_FOUND`. */
async function prepare(parts: JobParts, job: Running, moveIn: StoredMove): Promise<MoveInWriting> {
  const { id: connectionId } = await resolveConnection(parts.db, undefined)
  const passwordHash = await hashNewPassword(crypto.randomUUID() + crypto.randomUUID())
  const openTagId = (moveIn.preview?.openTickets ?? 0) > 0 ? await findOpenTag(job, moveIn) : null
  const rateScale = await findRateScale(parts.db, moveIn)
  return { parts, id: moveIn.id, origin: moveIn.origin ?? '', connectionId, openTagId, passwordHash, rateScale }
}

/** One that is made for this move goes with it again. */
async function findOpenTag(job: Running, moveIn: StoredMove): Promise<number> {
  let tagId = 0
  await job.batch(async tx => {
    tagId = await findOrAddOpenTag(tx, moveIn)
    return { mark: { done: moveIn.done }, done: moveIn.done, total: moveIn.total }
  })
  return tagId
}

async function findOrAddOpenTag(tx: Tx, { id, origin, openTag }: StoredMove): Promise<number> {
  const [known] = await getSql(tx)<{ id: number }[]>`
    select id from tag where lower(name) = lower(${openTag}) order by id limit 1`
  if (known) return known.id
  const [made] = await tx.insert(tags).values({ name: openTag, color: '#d97706' }).returning({ id: tags.id })
  if (!made) throw new Error('The tag was not stored')
  const link = { key: OPEN_TAG, ownId: made.id, isNew: true }
  await storeLinks(tx, { id, origin: origin ?? '' }, 'tag', [link])
  return made.id
}

/** No tag of the other desk has this key: theirs are numbers. */
const OPEN_TAG = 'open'

/** The business calendar begins before the oldest ticket: working times are counted from its beginning. */
async function layBack({ db }: JobParts, job: Running, { id, done }: StoredMove): Promise<void> {
  const [oldest] = await getSql(db)<{ at: string | null }[]>`
    select min(record->>'createdAt') as at from move_in_row where move_in_id = ${id} and kind = 'ticket'`
  const at = oldest?.at
  if (at == null) return
  await job.batch(async tx => {
    await layCalendarBack(tx, new Date(at))
    return { mark: { done }, done }
  })
}

/** Nobody is told of single ones: who lists contacts, people or queues asks anew. */
async function finish(parts: JobParts, job: Running, { id }: MoveInWriting, { counts, done }: Progress): Promise<void> {
  await job.batch(async tx => {
    const endedAt = new Date().toISOString()
    const ended = { state: 'done', endedAt, error: null } as const
    const [row] = await tx.update(moveIns).set(ended).where(eq(moveIns.id, id)).returning({ source: moveIns.source })
    const { ticket: tickets = 0, message: messages = 0, contact: contacts = 0 } = counts
    await writeLog(tx, {
      action: 'moveIn.write',
      userId: job.userId,
      entityId: id,
      params: { source: row?.source ?? '', contacts, tickets, messages },
    })
    await publishQueues(tx, await findMade(tx, id, 'queue'))
    await publishUserEvents(tx, parts.config, await findMade(tx, id, 'user'), 'create')
    await publishContactReload(tx)
    return { mark: { done }, done, counts: { ...counts } }
  })
}

/** What came with this move and was not here before. */
export async function findMade(tx: Tx, id: number, kind: string): Promise<number[]> {
  return toIds(
    await getSql(tx)<{ id: number }[]>`
    select own_id::int as id from move_in_link where move_in_id = ${id} and kind = ${kind} and is_new order by own_id`,
  )
}
