// Who sees which scheduled send; its files follow it.
import type { Viewer } from '@balcao/contract'

/** Whether a viewer sees and may change a scheduled send: everybody their own, so programs of the company, managers and administrators all. */
export function canSeeSchedule(
  viewer: Viewer,
  schedule: { readonly userId: number | null; readonly program?: { readonly id: number } | null },
): boolean {
  if (viewer.id < 0) return schedule.userId === null && schedule.program?.id === -viewer.id
  return viewer.profile !== 'user' || schedule.userId === viewer.id
}
