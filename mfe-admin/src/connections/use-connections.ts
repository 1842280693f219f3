import type { Connection, Queue } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { live } from '@balcao/ui/live'
import { type LiveRowOptions, type RowQuery, useRows } from '@balcao/ui/screens'
import { useEffect, useState } from 'react'
import { compareConnections, isFullConnection, toRowChange, withAddress } from './list.ts'

/** Waiting messages and the last message change without an event of their own; they are looked at this often. */
const LOOK_MS = 20_000

const CONNECTIONS: LiveRowOptions<Connection, RowQuery> = {
  start: { search: '' },
  order: compareConnections,
  matches: () => true,
  keep: withAddress,
  async page(_query, _cursor, signal) {
    const found = await api('GET /whatsapp', { signal })
    // For admins the server sends no others.
    return { rows: found.filter(isFullConnection).sort(compareConnections), nextCursor: null }
  },
  events(take) {
    const hear = (event: Parameters<typeof toRowChange>[0]) => {
      const change = toRowChange(event)
      if (change) take(change)
    }
    const stops = [live.on('whatsapp', hear), live.on('whatsappSession', hear)]
    return () => {
      for (const stop of stops) stop()
    }
  },
}

/** The connections as they are now, and the queues they may lead to. */
export function useConnections() {
  const rows = useRows(CONNECTIONS)
  const [queues, setQueues] = useState<readonly Queue[]>([])
  const { look } = rows

  useEffect(() => {
    const timer = setInterval(() => document.visibilityState !== 'hidden' && look(), LOOK_MS)
    return () => clearInterval(timer)
  }, [look])
  useEffect(() => {
    const fetch = () => void api('GET /queue').then(setQueues, () => undefined)
    fetch()
    const stops = [live.on('queue', fetch), live.onReset(fetch)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
  return { rows, queues }
}
