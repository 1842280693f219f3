// The queue that a ticket without one can only be meant for: nobody is asked for what has one answer.
import type { Viewer } from '../access.ts'

/**
 * The only one of its connection that the person may take it into, else their only own one, else the company's only one where an
 * administrator has none of their own; null where there are several, or none.
 * @example findOnlyQueue({ profile: 'user', queueIds: [1, 3] }, [2, 3], [1, 2, 3]) // 3
 */
export function findOnlyQueue(
  { profile, queueIds }: Pick<Viewer, 'profile' | 'queueIds'>,
  connectionIds: readonly number[],
  companyIds: readonly number[],
): number | null {
  const isAdmin = profile === 'admin'
  const shared = isAdmin ? connectionIds : connectionIds.filter(id => queueIds.includes(id))
  const own = isAdmin && queueIds.length === 0 ? companyIds : queueIds
  const [first = null, ...more] = shared.length > 0 ? shared : own
  return more.length === 0 ? first : null
}
