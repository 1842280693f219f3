// Where a reader of live events stands: behind the event with this transaction and id.
import { toAudienceKey, type Viewer, type VisibilitySettings } from '@balcao/contract'

export interface Cursor {
  readonly xid: string
  readonly id: number
}

/**
 * `'812.40.x7f3'` on the wire. The mark names what its holder could see then: who comes back with another one has to begin afresh,
 * because what appeared and vanished by a changed setting or other queues was told to nobody who was away.
 */
export function formatCursor(cursor: Cursor, mark: string): string {
  return `${cursor.xid}.${cursor.id}.${mark}`
}

/** The cursor of a text from outside, or null when it is none. */
export function parseCursor(text: string): (Cursor & { readonly mark: string }) | null {
  const match = /^(\d{1,20})\.(\d{1,15})\.(\w{1,13})$/.exec(text)
  return match?.[1] && match[2] && match[3] ? { xid: match[1], id: Number(match[2]), mark: match[3] } : null
}

/** Short for everything that decides what a viewer sees. */
export function createViewMark(viewer: Viewer, settings: VisibilitySettings): string {
  return Bun.hash(`${toAudienceKey(viewer)} ${JSON.stringify(settings)}`).toString(36)
}

/** Whether `a` stands behind `b`, that is, has seen more. */
export function isPast(a: Cursor, b: Cursor): boolean {
  const [left, right] = [BigInt(a.xid), BigInt(b.xid)]
  return left === right ? a.id > b.id : left > right
}
