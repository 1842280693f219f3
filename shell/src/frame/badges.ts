// The numbers in the menu: who waits, and the '!' of connections, 2 s after the list is known (spec 2 §2).
import type { ConnectionBrief } from '@balcao/contract/entities/connection'
import { api, isApiError } from '@balcao/ui/api'
import { live } from '@balcao/ui/live'
import { setBadge } from '@balcao/ui/session'
import { useEffect } from 'react'

const ALARMING: readonly ConnectionBrief['status'][] = ['qrcode', 'PAIRING', 'DISCONNECTED', 'TIMEOUT', 'OPENING']
const PAUSE = 2000

/** Keeps `session.badges.waiting`, `session.badges.bot` and, for administrators, `session.badges.connections` up to date. */
export function useBadges(admin: boolean) {
  useEffect(() => {
    const waiting = gathered(countWaiting)
    const connections = gathered(checkConnections)
    void countWaiting()
    const stops = [live.on('ticket', waiting.soon), live.onReset(waiting.soon), waiting.stop, connections.stop]
    if (admin) {
      connections.soon()
      stops.push(live.on('whatsapp', connections.soon), live.on('whatsappSession', connections.soon))
      stops.push(live.onReset(connections.soon))
    }
    return () => {
      for (const stop of stops) stop()
    }
  }, [admin])
}

async function countWaiting() {
  const counts = await quietly(() => api('GET /tickets/counts'))
  if (!counts) return
  setBadge('waiting', counts.pending)
  setBadge('bot', counts.bot)
}

async function checkConnections() {
  const list = await quietly(() => api('GET /whatsapp'))
  if (list) setBadge('connections', list.some(({ status }) => ALARMING.includes(status)) ? '!' : 0)
}

/** A badge that cannot be read keeps its last number; the page itself says what is wrong. */
async function quietly<T>(ask: () => Promise<T>) {
  try {
    return await ask()
  } catch (error) {
    if (!isApiError(error)) throw error
    return undefined
  }
}

/** Many calls become one, 2 s after the first. */
function gathered(work: () => Promise<void>) {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    soon() {
      timer ??= setTimeout(() => {
        timer = undefined
        void work()
      }, PAUSE)
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
