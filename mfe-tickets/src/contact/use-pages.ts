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
  /** The first page anew, in the place of all. */
  readonly again: () => void
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
export function usePages<T>(fetch: (cursor: string | null) => Promise<PageResult<T>>, keeps = false): Pages<T> {
  const [state, setState] = useState<State<T>>(START)
  const turn = useRef(0)
  const load = useCallback(
    async (cursor: string | null) => {
      const mine = ++turn.current
      setState(now => ({ ...now, busy: true, error: null }))
      try {
        const page = await fetch(cursor)
        if (mine !== turn.current) return
        setState(now => ({
          items: cursor === null ? page.items : [...(now.items ?? []), ...page.items],
          cursor: page.nextCursor,
          busy: false,
          error: null,
        }))
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
    again: useCallback(() => void load(null), [load]),
  }
}
