import type { Connection, Queue } from '@balcao/contract'
import { errorText } from '@balcao/ui/i18n'
import { live } from '@balcao/ui/live'
import { toast } from '@balcao/ui/parts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { fetchConnections, fetchQueues } from './calls.ts'
import { afterEvent, merged, withConnection } from './list.ts'

/** Waiting messages and the last message change without an event of their own; they are looked at this often. */
const LOOK_MS = 20_000

export type LoadState = 'loading' | 'ready' | 'failed'

/** The connections as they are now: fetched once, then by live events; afresh after a reset. */
export function useConnections() {
  const [list, setList] = useState<readonly Connection[]>([])
  const [queues, setQueues] = useState<readonly Queue[]>([])
  const [state, setState] = useState<LoadState>('loading')

  const loaded = useRef(false)

  const reload = useCallback(async () => {
    setState(old => (old === 'failed' ? 'loading' : old))
    try {
      const [connections, found] = await Promise.all([fetchConnections(), fetchQueues()])
      setList(old => merged(old, connections))
      setQueues(found)
      loaded.current = true
      setState('ready')
    } catch (error) {
      // What is shown stays; only an empty page gives its place to the error.
      if (loaded.current) toast.error(errorText(error), { key: 'connections' })
      else setState('failed')
    }
  }, [])
  const put = useCallback((connection: Connection) => setList(old => withConnection(old, connection)), [])

  useEffect(() => {
    void reload()
    const stops = [
      live.on('whatsapp', event => setList(old => afterEvent(old, event))),
      live.on('whatsappSession', event => setList(old => afterEvent(old, event))),
      live.on('queue', () => void fetchQueues().then(setQueues, () => undefined)),
      live.onReset(() => void reload()),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [reload])

  useEffect(() => {
    function look() {
      if (document.visibilityState === 'hidden' || !loaded.current) return
      // Without an answer what is shown stays; the frame says that there is no line.
      fetchConnections().then(
        connections => setList(old => merged(old, connections)),
        () => undefined,
      )
    }
    const timer = setInterval(look, LOOK_MS)
    return () => clearInterval(timer)
  }, [])

  return { list, queues, state, put, reload }
}
