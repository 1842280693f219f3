// Subscriptions by key: a changed row draws itself and nothing else.
export class Signals<K> {
  private readonly listeners = new Map<K, Set<() => void>>()

  on = (key: K, listener: () => void): (() => void) => {
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
