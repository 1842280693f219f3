import { api } from '@balcao/ui/api'
import { usePeople, useQuery } from '@balcao/ui/ask'
import { combineStops, live } from '@balcao/ui/live'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Filter } from './filter.ts'
import { COUNTING_MS, createPacer, createRounds, EVERY_MS } from './pace.ts'

export type LoadState = 'loading' | 'ready' | 'failed'

export interface FigureSource<N> {
  readonly load: (filter: Filter, signal: AbortSignal) => Promise<N>
  /** They will be others in a moment: asked for again soon. */
  readonly isCounting: (numbers: N) => boolean
}

/** The numbers of a filter, fetched every 60 s and soon after every change of a ticket. */
export function useStats<N>({ load, isCounting }: FigureSource<N>, filter: Filter) {
  const [found, setFound] = useState<{ readonly numbers: N; readonly of: Filter } | null>(null)
  const [state, setState] = useState<LoadState>('loading')
  /** Why they did not come the last time that they did not. */
  const [error, setError] = useState<unknown>(null)
  const [fetchedAt, setFetchedAt] = useState(0)
  const [nextAt, setNextAt] = useState(() => Date.now() + EVERY_MS)
  const rounds = useRef<ReturnType<typeof createRounds>>(undefined)
  const refresh = useCallback(() => rounds.current?.restart(), [])
  const refreshSoon = useCallback(() => rounds.current?.ask(), [])

  useEffect(() => {
    const own = createRounds(async signal => {
      setState('loading')
      setNextAt(Date.now() + EVERY_MS)
      try {
        const numbers = await load(filter, signal)
        if (signal.aborted) return
        setFound({ numbers, of: filter })
        setFetchedAt(Date.now())
        setState('ready')
        if (isCounting(numbers)) setNextAt(Date.now() + COUNTING_MS)
      } catch (failure) {
        if (signal.aborted) return
        setError(failure)
        setState('failed')
      }
    })
    rounds.current = own
    own.ask()
    return own.stop
  }, [load, isCounting, filter])

  useEffect(() => {
    // A round that is under way began a minute ago: its answers may never come.
    const timer = setTimeout(refresh, Math.max(0, nextAt - Date.now()))
    return () => clearTimeout(timer)
  }, [nextAt, refresh])

  useEffect(() => {
    const { happened, stop } = createPacer(refreshSoon)
    const stops = [
      live.on('ticket', happened),
      live.on('queue', happened),
      live.on('user', happened),
      live.on('settings', happened),
      live.onVolatile(({ kind }) => {
        if (kind === 'presence') happened()
      }),
      // What was asked on the former line may never come.
      live.onReset(refresh),
    ]
    // Back on the network, also where the line never noticed.
    window.addEventListener('online', refresh)
    return () => {
      window.removeEventListener('online', refresh)
      stop()
      for (const end of stops) end()
    }
  }, [refresh, refreshSoon])

  // What did not come is not told by the numbers of what was chosen before.
  const numbers = found && (state !== 'failed' || found.of === filter) ? found.numbers : null
  return { numbers, state, error, fetchedAt, nextAt, refresh }
}

/** The people and queues to choose from, as they are now; without them the filter just offers everything. */
export function useChoices() {
  const people = usePeople()
  const queues = useQuery('queues', signal => api('GET /queue', { signal }))
  const [askPeople, askQueues] = [people.again, queues.again]
  useEffect(
    () =>
      combineStops(
        // Who comes and goes during the day is told as a change.
        live.on('user', ({ action }) => action !== 'update' && askPeople()),
        live.on('queue', askQueues),
        live.onReset(askPeople),
        live.onReset(askQueues),
      ),
    [askPeople, askQueues],
  )
  return { users: people.last ?? [], queues: queues.last ?? [] }
}
