// The owner is hidden from everybody else (decisions §1): also from whoever names user 1 to see what is said of it.
import type { Viewer } from '@balcao/contract'

export const OWNER_ID = 1

/** Whether there is no such person as far as this one may know. */
export function isHidden(viewer: Pick<Viewer, 'id'>, userId: number): boolean {
  return userId === OWNER_ID && viewer.id !== OWNER_ID
}
