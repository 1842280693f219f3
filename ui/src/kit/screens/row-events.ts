import type { LiveEvent, LiveEventName, NamedLiveEvent } from '@balcao/contract/events'
import { live } from '@balcao/ui/live'
import { type ListRow, type RowChange, type RowIdEvent, subscribeToFetchedRows } from '../../rows/index.ts'

/** Events that bring a row under their own name. */
type RowEvent = {
  [N in LiveEventName]: NamedLiveEvent<N> extends infer E
    ? E extends { readonly [K in N]: object }
      ? N
      : never
    : never
}[LiveEventName]

/** The row that events of a name bring under that name. */
type EventRow<N extends LiveEventName> =
  NamedLiveEvent<N> extends infer E ? (E extends { readonly [K in N]: infer R } ? R : never) : never

/**
 * Events that bring their row under their own name, and its id when it is gone: `tag` with `tag`, or `tagId`.
 *
 * @example const TAGS: LiveRowOptions<Tag, RowQuery> = { events: subscribeToRows('tag'), … }
 */
export function subscribeToRows<N extends RowEvent>(name: N) {
  return (take: (change: RowChange<EventRow<N>>) => void) =>
    live.on(name, event => {
      const change: LiveEvent = event
      const part = (key: string) => Reflect.get<object, string>(event, key)
      if (change.action === 'reload') return
      if (change.action === 'delete') take({ gone: part(`${name}Id`), version: change.version })
      else take({ put: part(name), isNew: change.action === 'create' })
    })
}

/**
 * Events that name their row by its id alone, which is asked for (`subscribeToFetchedRows`).
 *
 * @example events: subscribeToRowIds('envioMassa', id => api('GET /envioMassa/:id', { params: { id } }))
 */
export function subscribeToRowIds<N extends RowIdEvent, R extends ListRow>(name: N, ask: (id: number) => Promise<R>) {
  return (take: (change: RowChange<R>) => void) => subscribeToFetchedRows(live, name, ask, take)
}
