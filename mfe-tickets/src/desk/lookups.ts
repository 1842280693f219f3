// Queues and connections, for choosing and naming: loaded once, again when one changes.
import type { AnswerOf, Queue } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { allOf, live } from '@balcao/ui/live'
import { ofSession, stateOfSession } from '@balcao/ui/session'
import { useEffect } from 'react'
import { ref, useSnapshot } from 'valtio'

/** Administrators get whole ones, everybody else brief ones. */
export type KnownConnection = AnswerOf<'GET /whatsapp'>[number]

/** Who takes turns in it nobody here asks. */
export type KnownQueue = Omit<Queue, 'queuesUser' | 'userIds'>

export interface Lookups {
  readonly queues: readonly KnownQueue[]
  readonly connections: readonly KnownConnection[]
  readonly ready: boolean
}

const known = stateOfSession<{ lookups: Lookups }>(() => ({
  lookups: ref({ queues: [], connections: [], ready: false }),
}))
/** Of two answers the one that was asked for later counts. */
const rounds = ofSession(() => ({ asked: 0 }))

export function useLookups(): Lookups {
  useEffect(() => {
    if (!known.lookups.ready) void loadLookups()
  }, [])
  return useSnapshot(known).lookups
}

/** Keeps them right while the desk is open; returns how to stop. */
export function keepLookups() {
  let timer: ReturnType<typeof setTimeout> | undefined
  const soon = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void loadLookups(), 500)
  }
  const stops = [live.on('queue', soon), live.on('whatsapp', soon), live.onReset(soon), () => clearTimeout(timer)]
  return allOf(...stops)
}

export async function loadLookups() {
  const own = rounds()
  own.asked += 1
  const round = own.asked
  const [queues, connections] = await Promise.allSettled([api('GET /queue'), api('GET /whatsapp')])
  if (round !== own.asked) return
  const { lookups } = known
  known.lookups = ref({
    queues: queues.status === 'fulfilled' ? queues.value : lookups.queues,
    connections: connections.status === 'fulfilled' ? connections.value : lookups.connections,
    ready: queues.status === 'fulfilled' || lookups.ready,
  })
}
