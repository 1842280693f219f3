// Who of the team is there: as the line tells it, and as it was fetched until the line has told.
import type { Presence } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { live } from '@balcao/ui/live'
import { keepPerSession, session } from '@balcao/ui/session'
import { useSyncExternalStore } from 'react'
import { Team } from './team.ts'

const team = keepPerSession(signal => {
  const own = new Team(session.user?.id ?? 0)
  const stop = live.onVolatile(frame => {
    if (frame.kind === 'presence') own.hear(frame)
  })
  signal.addEventListener('abort', stop)
  return own
})

/** Whether somebody is there; `fetched`: what a list said of them. */
export function usePresence(userId: number, fetched?: Presence): Presence {
  const known = team()
  return useSyncExternalStore(known.on, () => known.of(userId, fetched))
}

/** Keeps what the line tells from here on: before a list is asked for, so that nothing falls between. */
export function subscribeToTeam() {
  team()
}

/** Asks for everybody, for who came after the line had told of all. */
export async function loadTeam() {
  const own = team()
  const found = await api('GET /users', { query: { all: 'true' } }).catch(() => null)
  // Without an answer the dots come with what the line tells.
  if (found) own.take(found.users)
}
