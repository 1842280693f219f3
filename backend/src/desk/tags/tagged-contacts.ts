// The contacts of a tag that changes or goes have changed, for screens and other programs. Few are told one by one, with the tag; many in short
// transactions of their own, and of those only who stands in the lists of tickets: who shows others hears of the tag itself.
import type { Db, Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { enqueueJob } from '../../platform/worker/enqueue.ts'
import { type JobKind, readNumber } from '../../platform/worker/kind.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { TOLD_SINGLY } from '../contact-sheets/store.ts'
import { touchContacts, workInPieces } from '../contact-sheets/touch.ts'

/** Another name or colour: contacts that are other ones now, to be told. Where they are many a job does it. */
export async function touchTagged(tx: Tx, tagId: number, except: readonly number[]): Promise<number[]> {
  const tagged = await listTagged(tx, tagId)
  if (tagged.length <= TOLD_SINGLY)
    return touchContacts(
      tx,
      tagged.filter(id => !except.includes(id)),
    )
  await enqueueJob(tx, 'touch-tagged', { payload: { tagId }, key: `touch-tagged:${tagId}`, attempts: 25 })
  return []
}

export function touchTaggedJob(parts: Parts): JobKind {
  async function work(payload: unknown, { abortSignal }: { readonly abortSignal?: AbortSignal }): Promise<void> {
    const tagged = await listTagged(parts.db, readNumber(payload, 'tagId'))
    await workInPieces(parts, tagged, touchContacts, abortSignal)
    abortSignal?.throwIfAborted()
  }
  return { kind: 'touch-tagged', crew: 'patient', work }
}

/** Takes a tag from those who have it, while they are many, with `beside` in each transaction; who is left is for `removeFromRest`. */
export async function removeFromMost(parts: Parts, tagId: number, beside: (tx: Tx) => Promise<void>): Promise<void> {
  const tagged = await listTagged(parts.db, tagId)
  if (tagged.length <= TOLD_SINGLY) return
  await workInPieces(parts, tagged, async (tx, ids) => {
    await beside(tx)
    return take(tx, tagId, ids)
  })
}

/** Gives the contacts that are other ones now, to be told. They are locked before their tag, as whoever changes a contact locks them. */
export async function removeFromRest(tx: Tx, tagId: number): Promise<number[]> {
  return take(tx, tagId, await listTagged(tx, tagId))
}

async function listTagged(db: Db | Tx, tagId: number): Promise<number[]> {
  const rows = await getSql(db)<{ id: number }[]>`
    select contact_id as id from contact_tag where tag_id = ${tagId} order by contact_id`
  return toIds(rows)
}

async function take(tx: Tx, tagId: number, ids: readonly number[]): Promise<number[]> {
  const touched = await touchContacts(tx, ids)
  await getSql(tx)`delete from contact_tag where tag_id = ${tagId} and contact_id = any(${[...ids]}::int[])`
  return touched
}
