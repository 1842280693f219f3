// People at work: each with a session and a socket of the own, through whatever address they are given. A socket comes back by itself with
// its cursor and counts the numbered messages it is told of, so that what one of hundreds missed is known.
import type { Config } from '@balcao/backend/platform/config'
import { createAccessToken } from '@balcao/backend/policy/sessions/tokens'
import type { LiveEvent, ServerFrame } from '@balcao/contract/events'
import { type EventLine, openLine } from '@balcao/simulator/event-listener'
import type { BenchPerson } from './people.ts'

/** A numbered text, as customers (`IN-7.`) and agents (`OUT-7.`) write it. */
export type MessageMark = `IN-${number}.` | `OUT-${number}.`

export interface ReceivedMark {
  readonly mark: MessageMark
  readonly ticketId: number
  readonly messageId: number
}

export interface AgentAtWork {
  readonly id: number
  call(method: string, path: string, body?: unknown): Promise<Response>
  /** How often the socket was told of this message as a new one. */
  heard(mark: MessageMark): number
  readonly line: EventLine
}

export interface WorkEnvironment {
  readonly config: Config
  /** Where the API and the sockets are. */
  readonly url: string
  /** Told of every new message at every socket. */
  readonly onMessage?: (heard: ReceivedMark, agent: number) => void
}

const HOUR = 3600
/** Another process stands ready: the line is opened again within this. Otherwise it is tried again after as long. */
const AGAIN_MS = 400
const NUMBERED = /^(?:IN|OUT)-\d+\.$/

/** Lets them in, some at a time; resolves when the server has welcomed everybody. */
export async function connectAgents(
  working: WorkEnvironment,
  people: readonly BenchPerson[],
  atOnce = 25,
): Promise<AgentAtWork[]> {
  const inside: AgentAtWork[] = []
  for (let at = 0; at < people.length; at += atOnce)
    inside.push(...(await Promise.all(people.slice(at, at + atOnce).map(person => open(working, person)))))
  return inside
}

async function open(
  { config, url, onMessage = () => {} }: WorkEnvironment,
  { id, family }: BenchPerson,
): Promise<AgentAtWork> {
  const counts = new Map<MessageMark, number>()
  let access: { token: Promise<string>; until: number } | undefined

  async function call(method: string, path: string, body?: unknown): Promise<Response> {
    if (!access || access.until < Date.now())
      access = {
        token: createAccessToken(config, { userId: id, family }, HOUR),
        until: Date.now() + (HOUR * 1000) / 2,
      }
    return fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${await access.token}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(30_000),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  async function token(): Promise<string> {
    const answer = await call('POST', '/auth/socket', {})
    const { token: sessionToken }: { token?: string } = await answer.json()
    if (!sessionToken) throw new Error('No token for a socket now')
    return sessionToken
  }

  function receive(frame: ServerFrame): void {
    for (const event of frame.type === 'events' ? frame.events : []) {
      const heard = findNewMessage(event)
      if (!heard) continue
      counts.set(heard.mark, (counts.get(heard.mark) ?? 0) + 1)
      onMessage(heard, id)
    }
  }

  const line = openLine(url, { token, receive, again: () => AGAIN_MS * Math.random() })
  await line.listening
  return {
    id,
    call,
    heard: mark => counts.get(mark) ?? 0,
    line,
  }
}

/** The numbered message an event brings as new; null for every other event. */
function findNewMessage(event: LiveEvent): ReceivedMark | null {
  if (event.event !== 'appMessage' || event.action !== 'create' || !('message' in event)) return null
  const { id: messageId, ticketId, body } = event.message
  return isMark(body) ? { mark: body, ticketId, messageId } : null
}

function isMark(text: string): text is MessageMark {
  return NUMBERED.test(text)
}
