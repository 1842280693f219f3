import type { Connection, Queue } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useQuery } from '@balcao/ui/ask'
import { combineStops, live } from '@balcao/ui/live'
import { type LiveRowOptions, type RowQuery, useRows } from '@balcao/ui/screens'
import { useEffect } from 'react'
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
    return combineStops(live.on('whatsapp', hear), live.on('whatsappSession', hear))
  },
}

/** The connections as they are now, and the queues they may lead to. */
export function useConnections() {
  const rows = useRows(CONNECTIONS)
  const { last: queues, again } = useQuery<readonly Queue[]>('queues', signal => api('GET /queue', { signal }))
  const { look } = rows

  useEffect(() => {
    const timer = setInterval(() => document.visibilityState !== 'hidden' && look(), LOOK_MS)
    return () => clearInterval(timer)
  }, [look])
  useEffect(() => combineStops(live.on('queue', again), live.onReset(again)), [again])
  return { rows, queues: queues ?? [] }
}
