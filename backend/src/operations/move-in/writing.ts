// One kind of record after the other, in short transactions with pauses between them: nobody who works beside it waits for it.
import { and, eq, inArray } from 'drizzle-orm'
import type { JobParts } from '../../desk/jobs/long.ts'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import type { RecordKind, Records } from './records.ts'
import { moveInLinks, type moveIns } from './table.ts'

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

/** What became of a record. */
export interface RecordLink {
  readonly key: string
  readonly ownId: number
  readonly isNew: boolean
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

/** A step whose records are linked with what became of them: what has a link already is not looked at again. */
export function createLinkedStep<K extends RecordKind>(kind: K, write: LinkWriter<K>): MoveInStep {
  return createStep(kind, async (tx, writing, rows) => {
    const known = await findLinks(
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

/** What became of these records; those of which nothing did are not in it. */
export async function findLinks(
  tx: Tx,
  { origin }: Pick<MoveInWriting, 'origin'>,
  kind: RecordKind,
  keys: readonly (string | null)[],
): Promise<ReadonlyMap<string, number>> {
  const wanted = [...new Set(keys.flatMap(key => key ?? []))]
  if (wanted.length === 0) return new Map()
  const rows = await tx
    .select({ key: moveInLinks.key, ownId: moveInLinks.ownId })
    .from(moveInLinks)
    .where(and(eq(moveInLinks.origin, origin), eq(moveInLinks.kind, kind), inArray(moveInLinks.key, wanted)))
  return new Map(rows.map(({ key, ownId }) => [key, ownId]))
}

export async function storeLinks(
  tx: Tx,
  writing: Pick<MoveInWriting, 'origin' | 'id'>,
  kind: RecordKind,
  links: readonly RecordLink[],
): Promise<void> {
  if (links.length === 0) return
  await getSql(tx)`
    insert into move_in_link (origin, kind, key, own_id, is_new, move_in_id)
    select ${writing.origin}, ${kind}, x.key, x."ownId", x."isNew", ${writing.id}
    from jsonb_to_recordset(${JSON.stringify(links)}::text::jsonb) as x(key text, "ownId" int8, "isNew" boolean)
    on conflict (origin, kind, key) do nothing`
}

export type StoredMove = typeof moveIns.$inferSelect
