import type { Connection, ConnectionHealth } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { type QueryResult, useQuery } from '@balcao/ui/ask'
import { useEffect, useRef } from 'react'

export interface HealthReport {
  readonly health: ConnectionHealth
  /** How long the desk took to answer, in ms. */
  readonly tookMs: number
  /** When it was asked, in ms of this device. */
  readonly at: number
}

/** Figures change without an event of their own; they are asked for anew this often. */
const LOOK_MS = 15_000

/**
 * The health of a connection, asked anew when the connection is told to have changed, and every 15 seconds. Neither gives up an answer that
 * is on its way: a slow desk would never be heard.
 */
export function useHealth({ id, version }: Connection): QueryResult<HealthReport> {
  const health = useQuery(id, async signal => {
    const began = performance.now()
    const health = await api('GET /whatsapp/:id/health', { params: { id }, signal })
    return { health, tookMs: Math.max(1, Math.round(performance.now() - began)), at: Date.now() }
  })
  const { again } = health
  const examined = useRef({ id, version })
  useEffect(() => {
    const before = examined.current
    examined.current = { id, version }
    if (before.id === id && before.version !== version) again()
  }, [id, version, again])
  useEffect(() => {
    const timer = setInterval(again, LOOK_MS)
    return () => clearInterval(timer)
  }, [again])
  return health
}
