// Queues and connections, for choosing and naming: loaded once, again when one changes.
import type { Queue, ResponseBody } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { combineStops, live } from '@balcao/ui/live'
import { keepPerSession, keepSessionState } from '@balcao/ui/session'
import { useEffect } from 'react'
import { ref, useSnapshot } from 'valtio'

/** Administrators get whole ones, everybody else brief ones. */
export type LookupConnection = ResponseBody<'GET /whatsapp'>[number]

/** Who takes turns in it nobody here asks. */
export type LookupQueue = Omit<Queue, 'queuesUser' | 'userIds' | Targets> & Partial<Pick<Queue, Targets>>
type Targets = 'firstAnswerMinutes' | 'answerMinutes'

export interface Lookups {
  readonly queues: readonly LookupQueue[]
  readonly connections: readonly LookupConnection[]
  readonly ready: boolean
}

const known = keepSessionState<{ lookups: ReturnType<typeof ref<Lookups>> }>(() => ({
  lookups: ref<Lookups>({ queues: [], connections: [], ready: false }),
}))
/** Of two requests the later one counts, and ends the other. */
const rounds = keepPerSession((): { newest: Promise<unknown> | null; stop: AbortController } => ({
  newest: null,
  stop: new AbortController(),
}))

export function useLookups(): Lookups {
  useEffect(() => {
    if (!known.lookups.ready) void loadLookups()
  }, [])
  return useSnapshot(known).lookups
}

/** The queues as they are known, or once they are: nothing is decided by a list that is only on its way. Throws why it does not come. */
export async function readQueues(): Promise<readonly LookupQueue[]> {
  const own = rounds()
  while (!known.lookups.ready) {
    const failure = await (own.newest ?? loadLookups())
    if (failure && own.newest === null && !known.lookups.ready) throw failure
  }
  return known.lookups.queues
}

/** The queues of a connection, as far as they are known. */
export function listConnectionQueues(connectionId: number): readonly number[] {
  return known.lookups.connections.find(({ id }) => id === connectionId)?.queueIds ?? []
}

/** Keeps them right while the desk is open; returns how to stop. */
export function keepLookups() {
  let timer: ReturnType<typeof setTimeout> | undefined
  const soon = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void loadLookups(), 500)
  }
  const stops = [live.on('queue', soon), live.on('whatsapp', soon), live.onReset(soon), () => clearTimeout(timer)]
  return combineStops(...stops)
}

/** Resolves with why the queues did not come, where they did not. */
export function loadLookups(): Promise<unknown> {
  const own = rounds()
  own.stop.abort()
  own.stop = new AbortController()
  const request = requestLookups(own.stop.signal).finally(() => {
    if (own.newest === request) own.newest = null
  })
  own.newest = request
  return request
}

async function requestLookups(signal: AbortSignal): Promise<unknown> {
  const [queues, connections] = await Promise.allSettled([
    api('GET /queue', { signal }),
    api('GET /whatsapp', { signal }),
  ])
  if (!signal.aborted) {
    const { lookups } = known
    known.lookups = ref<Lookups>({
      queues: queues.status === 'fulfilled' ? queues.value : lookups.queues,
      connections: connections.status === 'fulfilled' ? connections.value : lookups.connections,
      ready: queues.status === 'fulfilled' || lookups.ready,
    })
  }
  return queues.status === 'rejected' ? queues.reason : null
}
