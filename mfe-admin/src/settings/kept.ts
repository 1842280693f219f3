// What was begun on the page of settings and not saved: it stands there still when the same person comes back to the page.
import { ofSession } from '@balcao/ui/session'
import { useState } from 'react'

/** Things kept by name, for one person. */
export function keptOfSession<T>() {
  return ofSession(() => new Map<string, T>())
}

/** State of a row that outlives the page; `none` keeps nothing. */
export function useKept<T>(all: () => Map<string, T>, name: string, none: T) {
  const [value, show] = useState(() => all().get(name) ?? none)
  function keep(next: T) {
    if (next === none) all().delete(name)
    else all().set(name, next)
    show(next)
  }
  return [value, keep] as const
}
