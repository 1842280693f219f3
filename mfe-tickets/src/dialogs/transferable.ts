// To whom a ticket can be given: who serves the queue, never oneself; those who are there first.
import type { Presence, User } from '@balcao/contract'

const ORDER: readonly Presence[] = ['online', 'away', 'offline']

export function listTransferable(people: readonly User[], queueId: number | null, ownId: number): readonly User[] {
  if (queueId === null) return []
  return people
    .filter(user => user.active && user.id !== ownId && canServeQueue(user, queueId))
    .sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status))
}

/** Administrators may have tickets of any queue. */
export function canServeQueue({ profile, queueIds }: Pick<User, 'profile' | 'queueIds'>, queueId: number): boolean {
  return profile === 'admin' || queueIds.includes(queueId)
}
