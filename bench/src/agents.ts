// People at work: each with a session and a socket of the own, through whatever address they are given. A socket comes back by itself with
// its cursor and counts the numbered messages it is told of, so that what one of hundreds missed is known.
import type { Config } from '@balcao/backend/config'
import { accessToken } from '@balcao/backend/sessions/tokens'
import type { LiveEvent, ServerFrame } from '@balcao/contract/events'
import type { Person } from './people.ts'

/** A numbered text, as customers (`IN-7.`) and agents (`OUT-7.`) write it. */
export type Mark = `IN-${number}.` | `OUT-${number}.`

export interface Heard {
  readonly mark: Mark
  readonly ticketId: number
  readonly messageId: number
}

export interface AgentAtWork {
  readonly id: number
  call(method: string, path: string, body?: unknown): Promise<Response>
  /** How often the socket was told of this message as a new one. */
  heard(mark: Mark): number
  /** How often it came back, and how often it had to begin afresh then, without what it missed. */
  readonly returns: number
  readonly resets: number
  /** Where its line stands, for who finds that something is missing. */
  state(): { readonly cursor: string | null; readonly open: boolean; readonly returns: number; readonly resets: number }
  say(frame: Readonly<Record<string, unknown>>): void
  close(): void
}

export interface Working {
  readonly config: Config
  /** Where the API and the sockets are. */
  readonly url: string
  /** Told of every new message at every socket. */
  readonly onMessage?: (heard: Heard, agent: number) => void
}

const HOUR = 3600
/** Another process stands ready: the line is opened again within this. Otherwise it is tried again after as long. */
const AGAIN_MS = 400
const NUMBERED = /^(?:IN|OUT)-\d+\.$/

/** Lets them in, some at a time; resolves when the server has welcomed everybody. */
export async function letIn(working: Working, people: readonly Person[], atOnce = 25): Promise<AgentAtWork[]> {
  const inside: AgentAtWork[] = []
  for (let at = 0; at < people.length; at += atOnce)
    inside.push(...(await Promise.all(people.slice(at, at + atOnce).map(person => open(working, person)))))
  return inside
}

async function open({ config, url, onMessage = () => {} }: Working, { id, family }: Person): Promise<AgentAtWork> {
  const counts = new Map<Mark, number>()
  const welcome = Promise.withResolvers<void>()
  let socket: WebSocket | undefined
  let cursor: string | null = null
  let welcomes = 0
  let resets = 0
  let isClosed = false
  let access: { token: Promise<string>; until: number } | undefined

  async function call(method: string, path: string, body?: unknown): Promise<Response> {
    if (!access || access.until < Date.now())
      access = {
        token: accessToken(config, { userId: id, family }, HOUR),
        until: Date.now() + (HOUR * 1000) / 2,
      }
    return fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${await access.token}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(30_000),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  async function connect(): Promise<void> {
    const answer = await call('POST', '/auth/socket', {})
    const { token }: { token?: string } = await answer.json()
    if (!token || isClosed) throw new Error('No token for a socket now')
    const opened = new WebSocket(`${url.replace(/^http/, 'ws')}/socket?token=${encodeURIComponent(token)}`)
    socket = opened
    opened.onopen = () => opened.send(JSON.stringify({ type: 'hello', cursor }))
    opened.onmessage = ({ data }) => take(String(data))
    opened.onclose = again
    opened.onerror = () => {}
  }

  function take(text: string): void {
    const frame: ServerFrame = JSON.parse(text)
    if ('cursor' in frame) cursor = frame.cursor
    if (frame.type === 'reset') resets++
    if (frame.type === 'welcome') {
      welcomes++
      welcome.resolve()
    }
    for (const event of frame.type === 'events' ? frame.events : []) {
      const heard = newMessageIn(event)
      if (!heard) continue
      counts.set(heard.mark, (counts.get(heard.mark) ?? 0) + 1)
      onMessage(heard, id)
    }
  }

  function again(): void {
    if (!isClosed) setTimeout(() => void connect().catch(again), AGAIN_MS * Math.random())
  }

  connect().catch(again)
  await welcome.promise
  return {
    id,
    call,
    heard: mark => counts.get(mark) ?? 0,
    get returns() {
      return welcomes - 1
    },
    get resets() {
      return resets
    },
    state: () => ({ cursor, open: socket?.readyState === WebSocket.OPEN, returns: welcomes - 1, resets }),
    say: frame => {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame))
    },
    close() {
      isClosed = true
      socket?.close()
    },
  }
}

/** The numbered message an event brings as new; null for every other event. */
function newMessageIn(event: LiveEvent): Heard | null {
  if (event.event !== 'appMessage' || event.action !== 'create' || !('message' in event)) return null
  const { id: messageId, ticketId, body } = event.message
  return isMark(body) ? { mark: body, ticketId, messageId } : null
}

function isMark(text: string): text is Mark {
  return NUMBERED.test(text)
}
