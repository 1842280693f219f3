import type { ConnectionBrief } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { allOf, live } from '@balcao/ui/live'
import { useEffect } from 'react'
import { type Asked, useAsked } from './use-asked.ts'

/** All connections, to choose from, as they are now: one that is deleted while a form is open is offered no more. */
export function useConnections(means?: Parameters<typeof useAsked>[2]): Asked<readonly ConnectionBrief[]> {
  const asked = useAsked<readonly ConnectionBrief[]>('connections', signal => api('GET /whatsapp', { signal }), means)
  const { again } = asked
  useEffect(() => allOf(live.on('whatsapp', again), live.onReset(again)), [again])
  return asked
}
