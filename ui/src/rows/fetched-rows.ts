// Rows that events name by their id alone: each is asked for, and its answer put where it is still news.
import type { Live } from '@balcao/client'
import type { LiveEvent, LiveEventName, NamedLiveEvent } from '@balcao/contract/events'
import type { ListRow, RowChange } from './row-table.ts'

/** Events that name their row by its id alone. */
export type RowIdEvent = {
  [N in LiveEventName]: NamedLiveEvent<N> extends infer E
    ? E extends { readonly [K in `${N}Id`]: number }
      ? N
      : never
    : never
}[LiveEventName]

/**
 * Takes what a line tells of a kind of row. What one may not see any more, or nobody answers for, stays as it is. What was asked before
 * everything is fetched afresh may be older than that: its answer comes too late. @returns what ends it
 */
export function subscribeToFetchedRows<N extends RowIdEvent, R extends ListRow>(
  line: Pick<Live, 'on' | 'onReset'>,
  name: N,
  ask: (id: number) => Promise<R>,
  take: (change: RowChange<R>) => void,
): () => void {
  let resets = 0
  const stops = [
    line.onReset(() => void resets++),
    line.on(name, event => {
      const { action, version }: LiveEvent = event
      const id = Reflect.get<object, string>(event, `${name}Id`)
      if (action === 'delete') return take({ gone: id, version })
      const before = resets
      void ask(id).then(row => before === resets && take({ put: row, isNew: action === 'create' }), doNothing)
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

function doNothing() {}
