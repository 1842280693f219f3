import { api } from '@balcao/ui/api'

/** The ticket comes back, or goes, with its live event. */
export function endFollowing(id: number, userId: number): Promise<unknown> {
  return api('DELETE /tickets/:id/followers/:userId', { params: { id, userId } })
}
