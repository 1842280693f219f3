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
