/** What was used last, made when it is first asked for: at most so many. */
export function holdFew<T>(most: number, make: (id: number) => T) {
  const held = new Map<number, T>()
  return {
    of(id: number): T {
      const known = held.get(id) ?? make(id)
      held.delete(id)
      held.set(id, known)
      const oldest = held.keys().next().value
      if (held.size > most && oldest !== undefined) held.delete(oldest)
      return known
    },
    all: (): readonly T[] => [...held.values()],
    forget(except: number | null) {
      for (const id of held.keys()) if (id !== except) held.delete(id)
    },
  }
}
