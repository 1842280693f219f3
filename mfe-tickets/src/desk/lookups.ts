// Queues and connections, for choosing and naming: loaded once, again when one changes.
import type { Queue } from '@balcao/contract'
import { live } from '@balcao/ui/live'
import { useEffect, useSyncExternalStore } from 'react'
import { server } from '../server.ts'

export interface ConnectionName {
  readonly id: number
  readonly name: string
  readonly status: string
  readonly isDefault?: boolean
}

export interface Lookups {
  readonly queues: readonly Queue[]
  readonly connections: readonly ConnectionName[]
  readonly ready: boolean
}

let lookups: Lookups = { queues: [], connections: [], ready: false }
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

export function useLookups(): Lookups {
  const now = useSyncExternalStore(subscribe, () => lookups)
  useEffect(() => {
    if (!lookups.ready) void loadLookups()
  }, [])
  return now
}

/** Keeps them right while the desk is open; returns how to stop. */
export function keepLookups() {
  const soon = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void loadLookups(), 500)
  }
  const stops = [live.on('queue', soon), live.on('whatsapp', soon), live.onReset(soon)]
  return () => {
    for (const stop of stops) stop()
  }
}

export async function loadLookups() {
  const [queues, connections] = await Promise.allSettled([server.queues(), server.connections()])
  lookups = {
    queues: queues.status === 'fulfilled' ? queues.value : lookups.queues,
    connections: connections.status === 'fulfilled' ? connections.value : lookups.connections,
    ready: queues.status === 'fulfilled' || lookups.ready,
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
