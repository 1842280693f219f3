// Chance that can be repeated: the same seed gives the same day.

export interface SeededRandom {
  /** A whole number from 0 to below `most`. */
  upTo(most: number): number
  chance(part: number): boolean
  pick<T>(from: readonly T[]): T
}

/** Numbers that look like chance. */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    upTo: most => Math.floor(next() * most),
    chance: part => next() < part,
    pick(from) {
      const one = from[Math.floor(next() * from.length)]
      if (one === undefined) throw new Error('There is nothing to pick from')
      return one
    },
  }
}
