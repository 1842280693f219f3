/** For how long a group is not asked for whose name did not come: each of its messages would wait for it, and hold up those behind it. */
export const UNTOLD_MS = 5 * 60_000
