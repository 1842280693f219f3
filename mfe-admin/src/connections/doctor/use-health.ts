import type { Connection, ConnectionHealth } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { type QueryResult, useQuery } from '@balcao/ui/ask'

export interface HealthReport {
  readonly health: ConnectionHealth
  /** How long the desk took to answer, in ms. */
  readonly tookMs: number
  /** When it was asked, in ms of this device. */
  readonly at: number
}

/** Figures change without an event of their own; they are asked for anew this often. */
const LOOK_MS = 15_000

/** The health of a connection, asked anew when the connection is told to have changed, and every 15 seconds. */
export function useHealth({ id, version }: Connection, now: number): QueryResult<HealthReport> {
  return useQuery(`${id} ${version} ${Math.floor(now / LOOK_MS)}`, async signal => {
    const began = performance.now()
    const health = await api('GET /whatsapp/:id/health', { params: { id }, signal })
    return { health, tookMs: Math.max(1, Math.round(performance.now() - began)), at: Date.now() }
  })
}
