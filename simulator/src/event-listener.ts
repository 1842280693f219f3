// A socket that listens as a browser does: it comes back by itself, with its cursor, and keeps everything it was told.
import type { ClientFrame, ServerFrame } from '@balcao/contract/events'

export interface EventLine {
  /** How often it came back, and how often it was told to begin afresh, without what it missed. */
  readonly returns: number
  readonly resets: number
  readonly cursor: string | null
  readonly isOpen: boolean
  /** Resolves at the first welcome. */
  readonly listening: Promise<void>
  /** Says it now; while the line is away it is not said. */
  say(frame: ClientFrame): void
  /** Breaks it, as a bad network does: it comes back. */
  drop(): void
  close(): void
}

export interface LineOptions {
  /** Asked before every connection; it may fail, as while the database is away. */
  readonly token: () => Promise<string>
  readonly receive: (frame: ServerFrame, text: string) => void
  /** How long it waits before it is opened again, in ms. */
  readonly again?: () => number
}

export interface EventListener extends Pick<EventLine, 'returns' | 'resets' | 'listening' | 'close'> {
  /** Whether an event with this text came. */
  heard(text: string): boolean
}

const AGAIN_MS = 100

/** `url`: where the API is. */
export function openLine(url: string, { token, receive, again = () => AGAIN_MS }: LineOptions): EventLine {
  const welcome = Promise.withResolvers<void>()
  let cursor: string | null = null
  let welcomes = 0
  let resets = 0
  let isClosed = false
  let socket: WebSocket | undefined

  async function connect(): Promise<void> {
    const sessionToken = await token()
    if (isClosed) return
    const opened = new WebSocket(`${url.replace(/^http/, 'ws')}/socket?token=${encodeURIComponent(sessionToken)}`)
    socket = opened
    opened.onopen = () => say({ type: 'hello', cursor })
    opened.onmessage = ({ data }) => take(String(data))
    opened.onclose = later
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
    receive(frame, text)
  }

  function later(): void {
    if (!isClosed) setTimeout(start, again())
  }

  function start(): void {
    if (!isClosed) connect().catch(later)
  }

  function say(frame: ClientFrame): void {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame))
  }

  start()
  return {
    get returns() {
      return Math.max(0, welcomes - 1)
    },
    get resets() {
      return resets
    },
    get cursor() {
      return cursor
    },
    get isOpen() {
      return socket?.readyState === WebSocket.OPEN
    },
    listening: welcome.promise,
    say,
    drop: () => socket?.close(),
    close() {
      isClosed = true
      socket?.close()
    },
  }
}

/** A line that keeps the events it is told of. */
export function openEventListener(url: string, token: () => Promise<string>): EventListener {
  const events: string[] = []
  const line = openLine(url, {
    token,
    receive: (frame, text) => {
      if (frame.type === 'events') events.push(text)
    },
  })
  return {
    heard: text => events.some(event => event.includes(text)),
    get returns() {
      return line.returns
    },
    get resets() {
      return line.resets
    },
    listening: line.listening,
    close: line.close,
  }
}
