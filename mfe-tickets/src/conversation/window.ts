// Which stretch of a long conversation is drawn. The page holds at most `MOST` messages whatever was loaded. Pure.
export interface DrawnRange {
  /** Index of the first message drawn. */
  readonly from: number
  /** Index after the last one; equal to the count while the newest are in view. */
  readonly to: number
}

/** Two screenfuls: what a switch of conversations waits for. */
export const FIRST = 30
export const STEP = 40
export const MOST = 160
const ABOVE_UNREAD = 5

/** The newest messages; where `firstUnread` (its index) is further up those from a little above it, as many as may be drawn. */
export function showNewest(count: number, firstUnread = count): DrawnRange {
  const from = Math.max(0, Math.min(count - FIRST, firstUnread - ABOVE_UNREAD))
  return { from, to: Math.min(count, from + MOST) }
}

/** One step towards the past; what falls out at the other end is not drawn any more. */
export function moveEarlier(stretch: DrawnRange): DrawnRange {
  const from = Math.max(0, stretch.from - STEP)
  return { from, to: Math.min(stretch.to, from + MOST) }
}

/** One step towards now. */
export function moveLater(stretch: DrawnRange, count: number): DrawnRange {
  const to = Math.min(count, stretch.to + STEP)
  return { from: Math.max(stretch.from, to - MOST), to }
}

/** The stretch around one message, so that it can be shown. */
export function showAround(index: number, count: number): DrawnRange {
  const from = Math.max(0, index - STEP)
  return { from, to: Math.min(count, from + FIRST + STEP) }
}

/**
 * The same stretch after messages came in: `added` in front (older ones), the rest at the end.
 * While the newest were in view they stay in view; `open` says that there were newer ones yet, and then those that came are below.
 * `reading` says that the person is further up: what they read stays, however many come.
 */
export function adjustStretch(
  stretch: DrawnRange,
  oldCount: number,
  newCount: number,
  added: number,
  open = false,
  reading = false,
): DrawnRange {
  const follows = stretch.to >= oldCount && !open
  const from = stretch.from + added
  if (follows && reading) return { from, to: Math.min(newCount, Math.max(stretch.to + added, from + MOST)) }
  const to = follows ? newCount : Math.min(newCount, stretch.to + added)
  return { from: Math.max(0, Math.min(follows ? Math.max(from, to - MOST) : from, to)), to }
}
