// The live line of a command that watches: it comes back by itself, and the command ends with the session.
import { isApiError, type Live } from '@balcao/client'
import type { Desk } from './desk.ts'
import type { Ending } from './ending.ts'

export interface Watched {
  readonly line: Live
  /** Rejects when the session is over, with the server's reason; resolves when the command is stopped. */
  readonly over: Promise<void>
}

/** `onDown` is told each time the line breaks, once. */
export function openLive(desk: Desk, ending: Ending, onDown: () => void): Watched {
  let end: (reason: unknown) => void = () => undefined
  const over = new Promise<void>((resolve, reject) => {
    end = reject
    ending.signal.addEventListener('abort', () => resolve())
  })
  // It may be over before anybody waits for it.
  over.catch(() => undefined)
  let isDown = false
  const line = desk.live({
    onState({ state }) {
      if (state !== 'offline') isDown = false
      else {
        if (!isDown) onDown()
        isDown = true
        desk.api('GET /auth/devices').catch((error: unknown) => {
          if (isApiError(error) && error.status === 401) end(error)
        })
      }
    },
  })
  ending.onEnd(() => line.stop())
  return { line, over }
}
