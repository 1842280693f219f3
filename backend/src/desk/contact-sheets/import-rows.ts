// Contacts come in: batch by batch, each committed with its mark, so short that what customers write does not wait for it.
import { type Language, toCanonicalNumber } from '@balcao/contract'
import { batchRows } from '@balcao/formats/subprocess/lines'
import Type from 'typebox'
import type { Tx } from '../../platform/database/client.ts'
import { crashAtFailPoint } from '../../platform/fail-point.ts'
import { hashEmail } from '../../platform/seal.ts'
import type { AccessContext } from '../../policy/access/ticket-facts.ts'
import { writeLog } from '../../policy/log/write.ts'
import { loadAccessContext } from '../../policy/users/viewer.ts'
import { addJobErrors, type JobErrorRow } from '../jobs/errors.ts'
import type { JobOutcome, JobParts, RunningJob } from '../jobs/long.ts'
import type { ContactEntry } from './contact-rows.ts'
import { applyChange, createDecider, type ImportDecision, type ImportSource } from './decide.ts'
import { formatFaults } from './faults.ts'
import { loadImportDirectory, makeTags } from './import-directory.ts'
import { findKnownContacts, type KnownContact } from './known.ts'
import { ConcurrentWriteError, lockKnownContacts, storeContacts } from './store.ts'

/** What came of the rows so far. */
const Counts = Type.Object({
  ...{ created: Type.Integer(), updated: Type.Integer() },
  ...{ skipped: Type.Integer(), failed: Type.Integer() },
})
type Counts = Type.Static<typeof Counts>

/** `at`: the place of the last contact that is done. */
export const Mark = Type.Object({ at: Type.Number(), counts: Counts })
type Mark = Type.Static<typeof Mark>
const NOTHING: Counts = { created: 0, updated: 0, skipped: 0, failed: 0 }

/** What comes in, in the order of its places. */
export interface ContactImport {
  readonly source: ImportSource
  readonly wanted: () => AsyncIterable<ContactEntry> | Iterable<ContactEntry>
  readonly placeOf: (wanted: ContactEntry) => number
  /** Rows altogether. */
  readonly total: number
  /** Of the sheet, for the rows that are left out. */
  readonly heads: readonly string[]
  /** Of who asked; Portuguese unless it is said. */
  readonly language?: Language | undefined
}

/**
 * Live events of everybody wait for the longest transaction there is: a batch is as large as it may be to take about as long. With
 * fewer than the least, nearly all of it would be what every batch costs.
 */
const BATCH_MS = 30
const [LEAST, FIRST, MOST] = [50, 100, 400]
/** Customers come first: nobody needs fifty thousand contacts sooner than in three quarters of a minute, and of the time at least a quarter is theirs. */
const ROWS_A_SECOND = 1200
const REST = 1 / 3
const RACES = 10
/** Looked up at once. */
const LOOK = 500
const LOGGED = { sheet: 'contact.import', phone: 'contact.import', delegation: 'contact.delegate' } as const

/** Takes in everything behind the mark. */
export async function importRows(
  parts: JobParts,
  job: RunningJob<unknown, Mark>,
  { source, wanted, placeOf, total, heads, language }: ContactImport,
): Promise<JobOutcome> {
  const decide = await loadDecider(parts, source)
  let mark = job.mark ?? { at: 0, counts: NOTHING }
  let tagIds: ReadonlyMap<string, number> = new Map()
  let size = FIRST
  const [after, start] = [mark.at, performance.now()]
  const coming = createLookahead(behind(wanted(), one => placeOf(one) > after))
  let done = 0
  try {
    for (let some = await coming.upTo(size); some.length > 0; some = await coming.upTo(size)) {
      const begun = performance.now()
      crashAtFailPoint('contacts:before')
      const batch = await again(() => oneBatch(some, coming.isOver()))
      crashAtFailPoint('contacts:committed')
      ;({ mark, tagIds } = batch)
      coming.drop(batch.taken)
      done += batch.taken
      const now = performance.now()
      size = sizeAfter(size, now - begun)
      await Bun.sleep(Math.max((now - begun) * REST, start + (done * 1000) / ROWS_A_SECOND - now))
    }
  } finally {
    await coming.close()
  }
  return { counts: mark.counts }

  async function oneBatch(some: readonly ContactEntry[], isLast: boolean) {
    let result = { mark, tagIds, taken: 0 }
    await job.batch(async tx => {
      const decisions = await decided(tx, some, decide, await loadAccessContext(parts.db, job.userId))
      const taken = decisions.length
      const last = some[taken - 1]
      const counts = countedWith(mark.counts, decisions)
      const made = await makeTags(tx, job.userId, decisions.flatMap(listNewTags), tagIds)
      const tagIdOf = (name: string) => made.get(name.toLowerCase())
      await storeContacts(tx, decisions, { source, userId: job.userId, tagIdOf, total })
      crashAtFailPoint('contacts:stored')
      await addJobErrors(
        tx,
        job.id,
        heads,
        decisions.flatMap(one => toErrorRows(one, language)),
      )
      if (isLast && taken === some.length)
        await writeLog(tx, { action: LOGGED[source], params: counts, userId: job.userId })
      const next = { at: last ? placeOf(last) : mark.at, counts }
      result = { mark: next, tagIds: made, taken }
      return { mark: next, counts, done: sum(counts), total }
    })
    return result
  }
}

/** Decides as things are now. */
export async function loadDecider({ db, config }: Pick<JobParts, 'db' | 'config'>, source: ImportSource) {
  return createDecider(source, await loadImportDirectory(db), email => hashEmail(config.dataKey, email))
}

/** What would become of each, one after the other, without keeping anybody from changing them. */
export async function* previewRows(
  parts: Pick<JobParts, 'db' | 'config'>,
  source: ImportSource,
  wanted: AsyncIterable<ContactEntry> | Iterable<ContactEntry>,
  reader: AccessContext,
): AsyncGenerator<ImportDecision> {
  const decide = await loadDecider(parts, source)
  // Who stands in a sheet with two numbers is met again as the first row left him.
  const changed = new Map<number, KnownContact>()
  for await (const some of batchRows(wanted, LOOK)) {
    const matches = await findKnownContacts(parts.db, some, reader)
    for (const [n, one] of some.entries()) {
      const { known, freeNumbers } = matches[n] ?? { known: null, freeNumbers: [] }
      const decision = decide(one, { known: known && (changed.get(known.id) ?? known), freeNumbers })
      if (decision.fate === 'updated') changed.set(decision.known.id, applyChange(decision.known, decision.change))
      yield decision
    }
  }
}

async function* behind<T>(all: AsyncIterable<T> | Iterable<T>, isBehind: (one: T) => boolean): AsyncGenerator<T> {
  for await (const one of all) if (isBehind(one)) yield one
}

/** The next of what comes, held until they are done with: no more than one batch, and one to see whether that is the last. */
function createLookahead<T>(all: AsyncGenerator<T>) {
  const held: T[] = []
  let [isEnded, shown] = [false, 0]
  return {
    async upTo(most: number): Promise<readonly T[]> {
      while (!isEnded && held.length <= most) {
        const { done, value } = await all.next()
        if (done) isEnded = true
        else held.push(value)
      }
      const some = held.slice(0, most)
      shown = some.length
      return some
    },
    /** Whether nothing follows those that were shown last. */
    isOver: () => isEnded && held.length === shown,
    drop(taken: number) {
      held.splice(0, taken)
    },
    async close() {
      await all.return(undefined)
    },
  }
}

/** Decides about contacts that nobody else changes meanwhile; only up to the first who comes once more. */
async function decided(
  tx: Tx,
  some: readonly ContactEntry[],
  decide: ReturnType<typeof createDecider>,
  reader: AccessContext,
): Promise<ImportDecision[]> {
  const matches = await lockKnownContacts(tx, some, reader)
  const seen = new Set<string>()
  const decisions: ImportDecision[] = []
  for (const [at, wanted] of some.entries()) {
    const match = matches[at] ?? { known: null, freeNumbers: [] }
    const names = [
      ...(match.known ? [`${match.known.id}`] : []),
      ...(wanted.number === '' ? [] : [toCanonicalNumber(wanted.number)]),
    ]
    if (names.some(name => seen.has(name))) break
    for (const name of names) seen.add(name)
    decisions.push(decide(wanted, match))
  }
  return decisions
}

async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ConcurrentWriteError) || tries === RACES) throw error
    }
  }
}

function listNewTags(decision: ImportDecision): readonly string[] {
  return 'change' in decision ? decision.change.tags : []
}

/** The rows of a contact that is left out, with what is wrong. */
export function toErrorRows(decision: ImportDecision, language?: Language): JobErrorRow[] {
  if (decision.fate !== 'failed') return []
  const { wanted, faults } = decision
  return wanted.rows.map(({ row, cells }) => ({
    row,
    cells,
    problem: formatFaults(
      faults.filter(one => one.row === row),
      language,
    ),
  }))
}

function countedWith(counts: Counts, decisions: readonly ImportDecision[]): Counts {
  const next = { ...counts }
  for (const { fate, wanted } of decisions) next[fate] += wanted.rows.length
  return next
}

function sum({ created, updated, skipped, failed }: Counts): number {
  return created + updated + skipped + failed
}

function sizeAfter(size: number, tookMs: number): number {
  if (tookMs > BATCH_MS * 1.5) return Math.max(LEAST, Math.floor(size / 2))
  return tookMs < BATCH_MS / 2 ? Math.min(MOST, Math.ceil(size * 1.5)) : size
}
