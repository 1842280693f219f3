// To whom a conversation can be given: people first, those who are there before the others, then queues; never oneself.
import type { Presence, User } from '@balcao/contract'
import { findByName } from '@balcao/contract/kit/name-match'
import type { LookupQueue } from '../desk/lookups.ts'

const ORDER: readonly Presence[] = ['online', 'away', 'offline']

export type TransferTarget =
  | { readonly key: string; readonly name: string; readonly person: User; readonly queue?: undefined }
  | { readonly key: string; readonly name: string; readonly queue: LookupQueue; readonly person?: undefined }

export function listTransferTargets(
  people: readonly User[],
  queues: readonly LookupQueue[],
  ownId: number,
): readonly TransferTarget[] {
  const known = new Set(queues.map(({ id }) => id))
  return [
    ...listPeopleTargets(
      people.filter(user => user.id !== ownId && (user.profile === 'admin' || user.queueIds.some(id => known.has(id)))),
    ),
    ...queues.map(queue => ({ key: `queue-${queue.id}`, name: queue.name, queue })),
  ]
}

/** Who is active, those who are there first. */
export function listPeopleTargets(people: readonly User[]) {
  return people
    .filter(({ active }) => active)
    .sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status) || a.name.localeCompare(b.name))
    .map(person => ({ key: `person-${person.id}`, name: person.name, person }))
}

/** Those meant by what is typed. */
export function findTransferTargets(targets: readonly TransferTarget[], typed: string): readonly TransferTarget[] {
  return findByName(targets, typed, ({ name }) => name)
}

/** The queues a conversation may go to with this target. Administrators may have tickets of any queue. */
export function listTargetQueues(target: TransferTarget, queues: readonly LookupQueue[]): readonly LookupQueue[] {
  if (target.queue) return [target.queue]
  const { profile, queueIds } = target.person
  return profile === 'admin' ? queues : queues.filter(({ id }) => queueIds.includes(id))
}

/** Where it stays, if the target serves that; else the only one they serve; null: to be chosen. */
export function proposeTargetQueue(queues: readonly LookupQueue[], now: number | null): number | null {
  if (queues.some(({ id }) => id === now)) return now
  return queues.length === 1 ? (queues[0]?.id ?? null) : null
}
