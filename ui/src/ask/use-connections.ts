import type { ConnectionBrief } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { combineStops, live } from '@balcao/ui/live'
import { useEffect } from 'react'
import { type QueryResult, useQuery } from './use-query.ts'

/** All connections, to choose from, as they are now: one that is deleted while a form is open is offered no more. */
export function useConnections(handlers?: Parameters<typeof useQuery>[2]): QueryResult<readonly ConnectionBrief[]> {
  const query = useQuery<readonly ConnectionBrief[]>(
    'connections',
    signal => api('GET /whatsapp', { signal }),
    handlers,
  )
  const { again } = query
  useEffect(() => combineStops(live.on('whatsapp', again), live.onReset(again)), [again])
  return query
}
