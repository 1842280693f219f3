// The numbers in the menu: who waits, and the '!' of connections, 2 s after the list is known (spec 2 §2).
import type { ResponseBody } from '@balcao/contract'
import { api, isApiError } from '@balcao/ui/api'
import { combineStops, live } from '@balcao/ui/live'
import { keepSessionState, setBadge } from '@balcao/ui/session'
import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { createDebouncer } from './debouncer.ts'

const PAUSE = 2000

export interface DownConnection {
  readonly id: number
  readonly name: string
  readonly since: string | null
}

const down = keepSessionState<{ list: readonly DownConnection[] }>(() => ({ list: [] }))

/** The connections over which nothing goes out now, whatever keeps them from it. */
export function useDownConnections(): readonly DownConnection[] {
  return useSnapshot(down).list
}

/** Keeps the connections that are down, `session.badges.waiting`, `session.badges.bot` and `session.badges.connections` up to date. */
export function useBadges() {
  useEffect(() => {
    const waiting = createDebouncer(countWaiting, PAUSE, 0)
    const connections = createDebouncer(checkConnections, PAUSE, 0)
    void countWaiting()
    connections.soon()
    const stops = [
      ...[live.on('ticket', waiting.soon), live.onReset(waiting.soon), waiting.stop],
      ...[live.on('whatsapp', connections.soon), live.onReset(connections.soon), connections.stop],
    ]
    return combineStops(...stops)
  }, [])
}

async function countWaiting() {
  const counts = await ignoreErrors(() => api('GET /tickets/counts'))
  if (!counts) return
  setBadge('waiting', counts.pending)
  setBadge('bot', counts.bot)
}

async function checkConnections() {
  const list = await ignoreErrors(() => api('GET /whatsapp'))
  if (!list) return
  down.list = listDownConnections(list)
  setBadge('connections', down.list.length > 0 ? '!' : 0)
}

/** Everything but connected keeps messages back: a connection that was signed out, too. */
export function listDownConnections(list: ResponseBody<'GET /whatsapp'>): DownConnection[] {
  return list
    .filter(({ status }) => status !== 'CONNECTED')
    .map(one => {
      const since = 'trouble' in one ? one.trouble?.since : one.downSince
      return { id: one.id, name: one.name, since: since ?? null }
    })
}

/** A badge that cannot be read keeps its last number; the page itself says what is wrong. */
async function ignoreErrors<T>(ask: () => Promise<T>) {
  try {
    return await ask()
  } catch (error) {
    if (!isApiError(error)) throw error
    return undefined
  }
}
