// The rows of a screen: fetched by page, searched as the person types, kept by live events.
import { LIMITS } from '@balcao/contract/kit/limits'
import { createThrottle, live } from '@balcao/ui/live'
import { useLineBack } from '@balcao/ui/session'
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useDebounced } from '../../ask/index.ts'
import { type ListRow, type RowChange, type RowOptions, RowStore } from '../../rows/index.ts'

/** What a screen asks for: the words of its search field, and its filters beside them. */
export interface RowQuery {
  readonly search: string
}

export interface LiveRowOptions<R extends ListRow, Q extends RowQuery> extends RowOptions<R, Q> {
  /** Nothing searched, nothing filtered. */
  readonly start: Q
  /** Hears what changes rows; returns how to stop. */
  readonly events: (take: (change: RowChange<R>) => void) => () => void
  /** Hears that many rows are other ones, of which each is not told. */
  readonly reloads?: (again: () => void) => () => void
}

export type Rows<R extends ListRow, Q extends RowQuery = RowQuery> = ReturnType<typeof useRows<R, Q>>

/** Between two looks at what changes in great numbers. */
const LOOK_MS = 2000

/**
 * The rows of a list, live. `options` stands outside of the component.
 *
 * @example
 * const tags = useRows(TAGS)
 * <DataPage texts="tags" rows={tags} columns={COLUMNS} … />
 *
 * @param begin what is searched and filtered at first; nothing unless given
 */
export function useRows<R extends ListRow, Q extends RowQuery>(
  options: LiveRowOptions<R, Q>,
  begin: Q = options.start,
) {
  const [store] = useState(() => new RowStore<R, Q>(options, options.start))
  const view = useSyncExternalStore(store.subscribe, store.now)
  const [typed, type] = useState(begin.search)
  const [filters, setFilters] = useState(() => normalizeQuery({ ...begin, search: '' }, options.start))
  const search = useDebounced(typed.trim(), LIMITS.searchDebounceMs)
  const query = useMemo(() => (search === '' ? filters : { ...filters, search }), [filters, search])

  useEffect(() => void store.load(query), [store, query])
  useEffect(() => {
    const { ask, stop } = createThrottle(() => store.look(), LOOK_MS)
    /** As much as is shown; what cannot be fetched says so. What does not come again is shown nowhere any more. */
    async function refetch() {
      const { rows } = store.now()
      const outcome = await store.refetch()
      if (outcome === 'failed') return store.load()
      if (outcome === 'overtaken') return
      const { ids, query, nextCursor } = store.now()
      const there = new Set(ids)
      const missing = rows.filter(row => !there.has(row.id) && store.table.find(row.id) === row)
      // Of all rows it is one that was deleted; of some of them it may be one that changed its place.
      if (query === options.start && nextCursor === null)
        store.table.take(missing.map(({ id, version }) => ({ gone: id, version })))
      else store.table.forget(missing.map(({ id }) => id))
    }
    const stops = [
      options.events(change => store.take(change)),
      live.onReset(() => void refetch()),
      options.reloads?.(ask) ?? stop,
      stop,
    ]
    return () => {
      store.stop()
      for (const stop of stops) stop()
    }
  }, [store, options])
  useLineBack(() => {
    if (view.status === 'failed') void store.refetch()
  })

  const doing = useMemo(
    () => ({
      type,
      filter: (part: Partial<Q>) => setFilters(old => normalizeQuery({ ...old, ...part }, options.start, old)),
      /** Back to all rows. */
      clear() {
        type('')
        setFilters(options.start)
      },
      reload: () => void store.load(),
      look: () => void store.look(),
      goOn: () => void store.more(),
      /** Takes what was saved here. */
      put: (row: R) => store.take({ put: row }),
      /** Takes out what was deleted here. */
      drop: (id: number) => store.take({ gone: id }),
      /** As it is known, be it listed or not. */
      find: store.table.find,
      on: store.table.on,
    }),
    [store, options],
  )
  const isAll = view.query === options.start
  /** Whether it was deleted, here or by a colleague; what a search does not show is not. */
  const isGone = (id: number) => store.table.isGone(id)
  return { ...view, ...doing, typed, filters, isAll, isGone }
}

/** Where a row is looked up; `on` calls back when it is another one, unless its owner draws anew by itself. */
export interface RowLookup<R extends ListRow> {
  readonly find: (id: number) => R | undefined
  readonly on?: (id: number, listener: () => void) => () => void
}

/** A row as it stands now, also where a search, a filter or the first page alone does not list it; undefined where it is not known. */
export function useRow<R extends ListRow>({ find, on }: RowLookup<R>, id: number | null): R | undefined {
  const subscribe = useCallback(
    (listener: () => void) => (on && id !== null ? on(id, listener) : () => undefined),
    [on, id],
  )
  return useSyncExternalStore(subscribe, () => (id === null ? undefined : find(id)))
}

/**
 * The one of these queries that asks for the same, so that nothing is asked twice. Where nothing is filtered any more it is what it was at
 * first: a list that is empty then has no rows at all.
 */
function normalizeQuery<Q extends RowQuery>(query: Q, ...known: readonly Q[]): Q {
  const parts = Object.entries(query)
  return known.find(one => parts.every(([name, value]) => new Map(Object.entries(one)).get(name) === value)) ?? query
}
