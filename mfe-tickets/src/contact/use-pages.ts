// A list that comes page by page, by key.
import { useCallback, useEffect, useRef, useState } from 'react'

export interface PageResult<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | null
}

export interface Pages<T> {
  /** Null until the first page is there. */
  readonly items: readonly T[] | null
  readonly hasMore: boolean
  readonly busy: boolean
  readonly error: unknown
  /** The next page; after a failure the same one again. */
  readonly more: () => void
  /** The first page anew; what was fetched behind it stays. */
  readonly again: () => void
  /** The items as they are told of without asking; one that is taken out leaves the others where they are. */
  readonly change: (how: (items: readonly T[]) => readonly T[]) => void
}

interface Item {
  readonly id: number | string
}

interface State<T> {
  readonly items: readonly T[] | null
  readonly cursor: string | null
  readonly busy: boolean
  readonly error: unknown
}

const START = { items: null, cursor: null, busy: false, error: null } as const

/**
 * Fetches the first page; `fetch` must keep its identity as long as the list is the same. `keeps`: another list takes the place of the one
 * before when it is there, not while it is on its way.
 */
export function usePages<T extends Item>(
  fetch: (cursor: string | null) => Promise<PageResult<T>>,
  keeps = false,
): Pages<T> {
  const [state, setState] = useState<State<T>>(START)
  const turn = useRef(0)
  const load = useCallback(
    async (cursor: string | null, isAgain = false) => {
      const mine = ++turn.current
      setState(now => ({ ...now, busy: true, error: null }))
      try {
        const page = await fetch(cursor)
        if (mine !== turn.current) return
        setState(now => ({ ...joinPage(now, page, cursor, isAgain), busy: false, error: null }))
      } catch (error) {
        if (mine === turn.current) setState(now => ({ ...now, busy: false, error }))
      }
    },
    [fetch],
  )
  useEffect(() => {
    if (!keeps) setState(START)
    void load(null)
    return () => {
      turn.current += 1
    }
  }, [load, keeps])
  return {
    items: state.items,
    hasMore: state.cursor !== null,
    busy: state.busy,
    error: state.error,
    more: () => {
      if (!state.busy) void load(state.items === null ? null : state.cursor)
    },
    again: useCallback(() => void load(null, true), [load]),
    change: useCallback(
      (how: (items: readonly T[]) => readonly T[]) =>
        setState(now => (now.items === null ? now : { ...now, items: how(now.items) })),
      [],
    ),
  }
}

/** A further page goes behind what is there. The first one anew goes before what it does not reach; where it reaches nothing, more came than fits. */
function joinPage<T extends Item>(
  { items, cursor: next }: State<T>,
  { items: added, nextCursor }: PageResult<T>,
  cursor: string | null,
  isAgain: boolean,
): Pick<State<T>, 'items' | 'cursor'> {
  if (cursor !== null) return { items: [...(items ?? []), ...added], cursor: nextCursor }
  const ids = new Set(added.map(({ id }) => id))
  const last = isAgain && nextCursor !== null ? (items ?? []).findLastIndex(({ id }) => ids.has(id)) : -1
  const behind = last < 0 ? [] : (items ?? []).slice(last + 1)
  return behind.length === 0 ? { items: added, cursor: nextCursor } : { items: [...added, ...behind], cursor: next }
}
