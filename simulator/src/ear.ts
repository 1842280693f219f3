// A socket that listens as a browser does: it comes back by itself, with its cursor, and keeps everything it was told.

export interface Ear {
  /** Whether an event with this text came. */
  heard(text: string): boolean
  /** How often it was told to begin afresh, without what it missed. */
  readonly resets: number
  /** Resolves at the first welcome. */
  readonly listening: Promise<void>
  close(): void
}

const AGAIN_MS = 100

/** `token` is asked before every connection; it may fail, as while the database is away. */
export function openEar(url: string, token: () => Promise<string>): Ear {
  const events: string[] = []
  const welcome = Promise.withResolvers<void>()
  let cursor: string | null = null
  let resets = 0
  let closed = false
  let socket: WebSocket | undefined

  async function connect(): Promise<void> {
    const opened = new WebSocket(`${url.replace(/^http/, 'ws')}/socket?token=${encodeURIComponent(await token())}`)
    socket = opened
    opened.onopen = () => opened.send(JSON.stringify({ type: 'hello', cursor }))
    opened.onmessage = ({ data }) => take(String(data))
    opened.onclose = again
    opened.onerror = () => {}
  }

  function take(text: string): void {
    const frame: { type: string; cursor?: string; events?: unknown[] } = JSON.parse(text)
    if (frame.type === 'events') events.push(text)
    if (frame.type === 'reset') resets++
    if (frame.cursor !== undefined) cursor = frame.cursor
    if (frame.type === 'welcome') welcome.resolve()
  }

  function again(): void {
    if (!closed) setTimeout(start, AGAIN_MS)
  }

  function start(): void {
    if (!closed) connect().catch(again)
  }

  start()
  return {
    heard: text => events.some(event => event.includes(text)),
    get resets() {
      return resets
    },
    listening: welcome.promise,
    close() {
      closed = true
      socket?.close()
    },
  }
}
