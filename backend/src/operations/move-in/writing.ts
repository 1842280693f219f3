// One kind of record after the other, in short transactions with pauses between them: nobody who works beside it waits for it.
import type { JobParts } from '../../desk/jobs/long.ts'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { findKnownKeys, findLinks, listKeys, type RecordLink, storeLinks } from './links.ts'
import type { RecordKind, Records } from './records.ts'
import type { moveIns } from './table.ts'

/** What all writers are given. */
export interface MoveInWriting {
  readonly parts: JobParts
  readonly id: number
  readonly origin: string
  /** Of tickets whose own connection the desk has not. */
  readonly connectionId: number
  /** The tag of contacts whose tickets were live there; null: there are none. */
  readonly openTagId: number | null
  /** Nobody knows what it is made of. */
  readonly passwordHash: string
  /** What a mark of the other desk is here, by that mark. */
  readonly rateScale: readonly (number | null)[]
}

export interface StagedEntry<K extends RecordKind> {
  readonly key: string
  readonly record: Records[K]
}

export interface StepResult {
  /** The last key; null: there are no more. */
  readonly last: string | null
  readonly read: number
  readonly counts: Readonly<Record<string, number>>
}

export interface MoveInStep {
  readonly kind: RecordKind
  readonly run: (tx: Tx, writing: MoveInWriting, after: string, size: number) => Promise<StepResult>
}

type LinkWriter<K extends RecordKind> = (
  tx: Tx,
  writing: MoveInWriting,
  rows: readonly StagedEntry<K>[],
) => Promise<readonly RecordLink[]>

/** A step whose records are linked with what became of them. */
export interface LinkedStep<K extends RecordKind> extends MoveInStep {
  readonly kind: K
  readonly write: LinkWriter<K>
}

/** What has a link already is not looked at again, also where it is gone by now: what was deleted here does not come back by itself. */
export function createLinkedStep<K extends RecordKind>(kind: K, write: LinkWriter<K>): LinkedStep<K> {
  const step = createStep(kind, async (tx, writing, rows) => {
    const known = await findKnownKeys(
      tx,
      writing,
      kind,
      rows.map(({ key }) => key),
    )
    const links = await write(
      tx,
      writing,
      rows.filter(({ key }) => !known.has(key)),
    )
    await storeLinks(tx, writing, kind, links)
    return { [kind]: links.filter(({ isNew }) => isNew).length }
  })
  return { ...step, kind, write }
}

/** Has those made again, or matched with what is here by now, that were deleted here since they came. */
export async function bringBack<K extends 'connection' | 'queue' | 'contact'>(
  tx: Tx,
  writing: MoveInWriting,
  { kind, write }: LinkedStep<K>,
  keys: readonly (string | null)[],
): Promise<void> {
  const wanted = listKeys(keys)
  const links = await findLinks(tx, writing, kind, wanted)
  const missing = wanted.filter(key => !links.has(key))
  if (missing.length === 0) return
  const rows = await getSql(tx)<StagedEntry<K>[]>`
    select r.key, r.record from move_in_row r join move_in_link l on l.origin = ${writing.origin} and l.kind = r.kind and l.key = r.key
    where r.move_in_id = ${writing.id} and r.kind = ${kind} and r.key = any(${missing}::text[]) and r.fault is null
      and not (r.kind = 'contact' and exists (select 1 from contact c where c.id = l.own_id))
    order by r.key`
  if (rows.length > 0) await storeLinks(tx, writing, kind, await write(tx, writing, rows))
}

/** A step that knows by itself what is there already; gives what came, by what it counts. */
export function createStep<K extends RecordKind>(
  kind: K,
  write: (tx: Tx, writing: MoveInWriting, rows: readonly StagedEntry<K>[]) => Promise<StepResult['counts']>,
): MoveInStep {
  return {
    kind,
    async run(tx, writing, after, size) {
      const rows = await getSql(tx)<{ key: string; record: Records[K] }[]>`
        select key, record from move_in_row
        where move_in_id = ${writing.id} and kind = ${kind} and key > ${after} and fault is null order by key limit ${size}`
      const counts = rows.length === 0 ? {} : await write(tx, writing, rows)
      return { last: rows.length < size ? null : (rows.at(-1)?.key ?? null), read: rows.length, counts }
    },
  }
}

export type StoredMove = typeof moveIns.$inferSelect
