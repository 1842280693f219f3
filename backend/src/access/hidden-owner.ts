// The owner is hidden from everybody else (decisions §1): also from whoever names user 1 to see what is said of it.
import type { Viewer } from '@balcao/contract'

/** Whether there is no such person as far as this one may know. */
export function isHidden(viewer: Pick<Viewer, 'id'>, userId: number): boolean {
  return userId === 1 && viewer.id !== 1
}
