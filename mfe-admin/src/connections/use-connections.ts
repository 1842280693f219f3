import type { Connection, Queue } from '@balcao/contract'
import { errorText } from '@balcao/ui/i18n'
import { live } from '@balcao/ui/live'
import { toast } from '@balcao/ui/parts'
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { fetchConnections, fetchQueues } from './calls.ts'
import { connectionsFeed, merged } from './list.ts'

/** Waiting messages and the last message change without an event of their own; they are looked at this often. */
const LOOK_MS = 20_000

export type LoadState = 'loading' | 'ready' | 'failed'

/** The connections as they are now: fetched once, then by live events; afresh after a reset. */
export function useConnections() {
  const [feed] = useState(connectionsFeed)
  const list = useSyncExternalStore(feed.subscribe, feed.now)
  const [queues, setQueues] = useState<readonly Queue[]>([])
  const [state, setState] = useState<LoadState>('loading')

  const loaded = useRef(false)

  const reload = useCallback(async () => {
    setState(old => (old === 'failed' ? 'loading' : old))
    try {
      const ask = () => Promise.all([fetchConnections(), fetchQueues()])
      const put = (old: readonly Connection[], [connections, found]: Awaited<ReturnType<typeof ask>>) => {
        setQueues(found)
        return merged(old, connections)
      }
      if (!(await feed.fetch(ask, put, { afresh: true }))) return
      loaded.current = true
      setState('ready')
    } catch (error) {
      // What is shown stays; only an empty page gives its place to the error.
      if (loaded.current) toast.error(errorText(error), { key: 'connections' })
      else setState('failed')
    }
  }, [feed])
  const put = useCallback((saved: Connection) => feed.take({ saved }), [feed])

  useEffect(() => {
    void reload()
    const stops = [
      live.on('whatsapp', event => feed.take(event)),
      live.on('whatsappSession', event => feed.take(event)),
      live.on('queue', () => void fetchQueues().then(setQueues, () => undefined)),
      live.onReset(() => void reload()),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [feed, reload])

  useEffect(() => {
    function look() {
      if (document.visibilityState === 'hidden' || !loaded.current) return
      // Without an answer what is shown stays; the frame says that there is no line.
      feed.fetch(fetchConnections, merged).catch(() => undefined)
    }
    const timer = setInterval(look, LOOK_MS)
    return () => clearInterval(timer)
  }, [feed])

  return { list, queues, state, put, reload }
}
