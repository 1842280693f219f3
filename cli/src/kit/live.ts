// The live line of a command that watches: it comes back by itself, and the command ends with the session.
import { isApiError, type Live } from '@balcao/client'
import type { Desk } from './desk.ts'
import type { Ending } from './ending.ts'

export interface LiveWatch {
  readonly line: Live
  /** Rejects when the session is over, with the server's reason; resolves when the command is stopped. */
  readonly over: Promise<void>
}

/**
 * `live`: what happens is told from now on. `down`: the line broke, and is opened again. `back`: it stands again, and what was missed has
 * come. `gap`: something may never be told, because it is too old or the person sees others now.
 */
export type LineNews = 'live' | 'down' | 'back' | 'gap'

/** `onNews` is told each of them once, until another comes; a gap always, before the line is back. */
export function openLive(desk: Desk, ending: Ending, onNews: (news: LineNews) => void): LiveWatch {
  let end: (reason: unknown) => void = () => undefined
  const over = new Promise<void>((resolve, reject) => {
    end = reject
    ending.signal.addEventListener('abort', () => resolve())
  })
  // It may be over before anybody waits for it.
  over.catch(() => undefined)
  let last: 'up' | 'down' | null = null
  const tell = (now: 'up' | 'down') => {
    const before = last
    last = now
    if (now !== before) onNews(now === 'down' ? 'down' : before === null ? 'live' : 'back')
  }
  const line = desk.live({
    onState({ state }) {
      if (state === 'live') tell('up')
      if (state === 'offline') {
        tell('down')
        desk.api('GET /auth/devices').catch((error: unknown) => {
          if (isApiError(error) && error.status === 401) end(error)
        })
      }
    },
  })
  // The first one only says that it begins.
  line.onReset(() => last !== null && onNews('gap'))
  ending.onEnd(() => line.stop())
  return { line, over }
}
