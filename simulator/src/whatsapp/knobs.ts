/** Trouble on demand, for the whole world or for one phone. */
export interface Knobs {
  /** Share (0 to 1) of stanzas to a device that get lost on this connection; they come again at the next login. */
  drop: number
  /** Share of messages that arrive twice, the second time encrypted afresh under the same id. */
  repeat: number
  /** Share of stanzas that arrive later than those sent after them. */
  reorder: number
  /** Milliseconds every stanza to a device is late. */
  delayMs: number
  /** Share of a device's messages that vanish without any answer. */
  lose: number
  /** Refuses what a device sends to this phone: 463 is an account that may not start conversations. */
  refuse: number | undefined
  /** Milliseconds until the server confirms a message of a device; each later tick takes as long again. */
  ackDelayMs: number
  /** When an unpaired client is told to renew its secret: when it gets its codes, at the first scan, or never. */
  companionRegRefresh: 'before' | 'scan' | 'off'
  /** Milliseconds until the line on which a device was linked ends, so that it logs in (515). */
  restartMs: number
  /** Whether a device gets the phone's chats at its first login; without, Baileys waits 20 s. */
  history: boolean
}

export const CALM: Knobs = {
  drop: 0,
  repeat: 0,
  reorder: 0,
  delayMs: 0,
  lose: 0,
  refuse: undefined,
  ackDelayMs: 150,
  companionRegRefresh: 'before',
  restartMs: 0,
  history: true,
}

/** A random source that can be repeated by its seed (mulberry32). */
export function makeRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
