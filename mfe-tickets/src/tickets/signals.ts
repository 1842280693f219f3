// Subscriptions by key: a changed ticket draws its own row and nothing else.
import { useCallback, useSyncExternalStore } from 'react'

/** What is known by key, and told by key when it changes. */
export interface KeyedValues<K, V> {
  readonly on: (key: K, listener: () => void) => () => void
  /** The same value as long as nothing changed. */
  readonly of: (key: K) => V
}

/** What is known of one key; drawn again when it changes. */
export function useKnown<K, V>(known: KeyedValues<K, V>, key: K): V {
  return useSyncExternalStore(
    useCallback(listener => known.on(key, listener), [known, key]),
    () => known.of(key),
  )
}

export class Signals<K> {
  private readonly listeners = new Map<K, Set<() => void>>()

  on(key: K, listener: () => void): () => void {
    const set = this.listeners.get(key) ?? new Set()
    set.add(listener)
    this.listeners.set(key, set)
    return () => {
      set.delete(listener)
      if (set.size === 0 && this.listeners.get(key) === set) this.listeners.delete(key)
    }
  }

  /** Whether anybody listens. */
  has(key: K): boolean {
    return this.listeners.has(key)
  }

  fire(keys: Iterable<K>) {
    for (const key of keys) for (const listener of this.listeners.get(key) ?? []) listener()
  }
}
