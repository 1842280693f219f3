// What was begun on the page of settings and not saved: it stands there still when the same person comes back to it.
import { keepPerSession } from '@balcao/ui/session'
import { useState, useSyncExternalStore } from 'react'

/** Things kept by name, for one person. */
export function keepSessionMap<T>() {
  return keepPerSession(() => new Map<string, T>())
}

const listeners = new Set<() => void>()

/** State of a row that outlives the row; `none` keeps nothing. `forget` keeps it no longer, and leaves it shown. */
export function useKept<T>(all: () => Map<string, T>, name: string, none: T) {
  const [value, show] = useState(() => all().get(name) ?? none)
  function forget() {
    all().delete(name)
    tell()
  }
  function keep(next: T) {
    if (next === none) all().delete(name)
    else all().set(name, next)
    tell()
    show(next)
  }
  return [value, keep, forget] as const
}

/** The names under which something is kept, also of rows that are not shown. */
export function useKeptNames(all: () => ReadonlyMap<string, unknown>): readonly string[] {
  const names = useSyncExternalStore(subscribe, () => [...all().keys()].join())
  return names === '' ? [] : names.split(',')
}

function tell() {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
