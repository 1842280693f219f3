// Queues whose people are others now: how many there are, and who takes turns, stand in the queue as it is shown.

import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { appendEvents } from '../../platform/live/append.ts'
import { loadQueues } from './list.ts'

/** What of a person counts in the queues. */
interface Member {
  readonly active: boolean
  readonly queueIds: readonly number[]
}

/**
 * Tells of the queues in which a person counts now and did not before, or the other way round; null: there is no such person. To be
 * called after the change; one after the other, so that the last one told has counted everybody. It is no change of the queue: whoever
 * has its form open saves as before.
 */
export async function publishStaffedQueues(tx: Tx, before: Member | null, after: Member | null): Promise<void> {
  const [was, is] = [listCountedQueues(before), listCountedQueues(after)]
  const ids = [...was.symmetricDifference(is)].toSorted((one, other) => one - other)
  await publishQueues(tx, ids)
}

/** The same of queues that are known to have other people. */
export async function publishQueues(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await getSql(tx)`select 1 from queue where id = any(${[...ids]}::int[]) order by id for no key update`
  const queues = await loadQueues(tx, ids)
  await appendEvents(
    tx,
    queues.map(queue => ({
      event: { event: 'queue' as const, action: 'update' as const, version: queue.version, queue },
      audience: { to: 'everyone' as const },
    })),
  )
}

function listCountedQueues(person: Member | null): Set<number> {
  return new Set(person?.active ? person.queueIds : [])
}
