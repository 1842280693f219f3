// Contacts that are other ones now though nobody wrote them: what they have was renamed, or is gone. They have changed, for screens and for
// other programs: few are told one by one, of many those who stand in the lists of tickets.
import Type from 'typebox'
import type { Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { runInPieces } from '../../platform/database/pieces.ts'
import { getSql } from '../../platform/database/raw.ts'
import { createValidator } from '../../platform/http/validate.ts'
import { enqueueJob } from '../../platform/worker/enqueue.ts'
import type { JobKind } from '../../platform/worker/kind.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { publishContactEvents } from '../contacts/present.ts'
import { publishContactReload, publishShownContacts, TOLD_SINGLY } from './store.ts'

/** So many go into the words of one job. */
const JOB_SIZE = 10_000

/** After this transaction, which may hold locks that come behind those of contacts. `reason`: its own, so that no other one takes its place. */
export async function touchContactsLater(tx: Tx, ids: readonly number[], reason: string): Promise<void> {
  const all = [...new Set(ids)].toSorted((a, b) => a - b)
  for (let from = 0; from < all.length; from += JOB_SIZE) {
    const payload = { contactIds: all.slice(from, from + JOB_SIZE) }
    await enqueueJob(tx, 'touch-contacts', { payload, key: `touch-contacts:${reason}:${from}`, attempts: 25 })
  }
}

export function touchContactsJob(parts: Pick<Parts, 'db' | 'ring'>): JobKind {
  async function work(payload: unknown, { abortSignal }: { readonly abortSignal?: AbortSignal }): Promise<void> {
    const { contactIds } = toTouch(payload)
    if (contactIds.length <= TOLD_SINGLY)
      return change(parts, async tx => publishContactEvents(tx, await touchContacts(tx, contactIds), 'update'))
    await workInPieces(parts, contactIds, touchContacts, abortSignal)
    abortSignal?.throwIfAborted()
    await change(parts, publishContactReload)
  }
  return { kind: 'touch-contacts', crew: 'patient', work }
}

const toTouch = createValidator(Type.Object({ contactIds: Type.Array(Type.Integer()) }))

/** Gives those that are there. */
export async function touchContacts(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const rows = await getSql(tx)<{ id: number }[]>`
    with held as (select id from contact where id = any(${[...ids]}::int[]) order by id for no key update)
    update contact set version = version + 1, updated_at = now() where id in (select id from held) returning id`
  return toIds(rows)
}

/** In short transactions; `work` gives the contacts of a piece that are other ones now. */
export async function workInPieces(
  parts: Pick<Parts, 'db' | 'ring'>,
  all: readonly number[],
  work: (tx: Tx, ids: readonly number[]) => Promise<readonly number[]>,
  signal?: AbortSignal,
): Promise<void> {
  let done = 0
  await runInPieces(signal, async size => {
    const ids = all.slice(done, done + size)
    await change(parts, async tx => publishShownContacts(tx, await work(tx, ids)))
    done += ids.length
    return done >= all.length
  })
}
