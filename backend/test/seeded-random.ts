// Chance that can be repeated: the same seed gives the same numbers.

export interface SeededRandom {
  /** A whole number from 0 to below `most`. */
  upTo(most: number): number
  between(least: number, most: number): number
  chance(part: number): boolean
  pick<T>(from: readonly T[]): T
  /** By weights of the same order. */
  pickWeighted<T>(from: readonly (readonly [T, number])[]): T
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
  function pick<T>(from: readonly T[]): T {
    const one = from[Math.floor(next() * from.length)]
    if (one === undefined) throw new Error('There is nothing to pick from')
    return one
  }
  return {
    upTo: most => Math.floor(next() * most),
    between: (least, most) => least + next() * (most - least),
    chance: part => next() < part,
    pick,
    pickWeighted(from) {
      let left = next() * from.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [one, weight] of from) {
        left -= weight
        if (left < 0) return one
      }
      return pick(from)[0]
    },
  }
}
