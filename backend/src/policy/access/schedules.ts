// Who sees which scheduled send; its files follow it.
import type { Viewer } from '@balcao/contract'

/** Whether a viewer sees and may change a scheduled send: everybody their own, managers and administrators all. */
export function canSeeSchedule(viewer: Viewer, schedule: { readonly userId: number | null }): boolean {
  return viewer.profile !== 'user' || schedule.userId === viewer.id
}
