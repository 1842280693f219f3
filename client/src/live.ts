// A person's live line, in a page and without one. It says hello with its last cursor and gets what it missed, or a `reset` when that is too long
// ago (design "Live"). Handlers must be idempotent by version: after a reset or a reconnect an event may come twice.
import type {
  ClientFrame,
  LiveEvent,
  LiveEventName,
  NamedLiveEvent,
  ServerFrame,
  VolatileEvent,
} from '@balcao/contract/events'

/** What the line needs from around it. */
export interface LiveOptions {
  /** A token for one connection; throws when the session is over or no server answers. */
  readonly token: () => Promise<string>
  /** `ws://host/socket` without the token. */
  readonly address: () => string
  readonly onState: (state: LiveState) => void
  /** Opens a socket, where the runtime has no `WebSocket` of its own. */
  readonly socket?: (address: string) => LiveSocket
  /** Whether nobody has touched the screen for a while; never unless given. */
  readonly idle?: () => boolean
  /** Whether somebody sees the page; left out where there is none. */
  readonly visible?: () => boolean
  /** Told when a handler throws; as what nobody has caught unless given. */
  readonly onError?: (error: unknown) => void
  /** Milliseconds; for tests. */
  readonly heartbeat?: number
  readonly pulse?: number
  readonly patience?: number
  readonly firstWait?: number
}

/** As much of a `WebSocket` as the line uses. */
export interface LiveSocket {
  readonly readyState: number
  addEventListener(type: 'open' | 'message' | 'close', heard: (event: { readonly type: string }) => void): void
  send(text: string): void
  close(): void
}

export interface LiveState {
  readonly state: 'live' | 'catching-up' | 'offline'
  readonly done: number
  readonly total: number
}

type Handler = (event: LiveEvent) => void
type TypingState = Extract<ClientFrame, { type: 'typing' }>['state']

const HEARTBEAT = 120_000
/** A line may die without a word (a NAT that forgot it, a cable): it is asked this often … */
const PULSE = 15_000
/** … and counts as dead when nothing came for so long after that, nor after it was opened. */
const PATIENCE = 12_000
/** How long a dead line can pass for a live one, ms. */
export const LONGEST_UNNOTICED = PULSE + PATIENCE
const FIRST_WAIT = 500
const LONGEST_WAIT = 15_000
const OPEN = 1
/** How a server says that it ends in order: there is another one, or will be soon. */
const RESTARTING = 1012
/** Thousands move at once: they come to the next one within this time, ms. */
const MOVE_WITHIN = 400

export function createLive(options: LiveOptions) {
  const handlers = new Map<LiveEventName, Set<Handler>>()
  const resets = new Set<() => void>()
  const volatiles = new Set<(frame: VolatileEvent) => void>()
  const joined = new Map<number, number>()
  const joinedChats = new Set<number>()

  let socket: LiveSocket | undefined
  let asking: symbol | undefined
  let cursor: string | null = null
  let running = false
  let welcomed = false
  let ready = false
  let attempts = 0
  let caughtUp = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  let beat: ReturnType<typeof setInterval> | undefined
  let pulse: ReturnType<typeof setInterval> | undefined
  let deadline: ReturnType<typeof setTimeout> | undefined

  function start() {
    if (running) return
    running = true
    void connect()
  }

  /** Closes the socket and forgets the cursor (log-out). */
  function stop() {
    running = false
    cursor = null
    welcomed = false
    joined.clear()
    joinedChats.clear()
    clearTimeout(retry)
    close()
  }

  async function connect() {
    clearTimeout(retry)
    if (!running || socket || asking) return
    const self = Symbol('asking for a token')
    asking = self
    const token = await options.token().catch(() => null)
    if (asking !== self) return
    asking = undefined
    if (token === null) return later()
    const address = `${options.address()}?token=${encodeURIComponent(token)}`
    const opened = options.socket?.(address) ?? new WebSocket(address)
    socket = opened
    expectFrame()
    opened.addEventListener('open', () => {
      if (socket !== opened) return
      send({ type: 'hello', cursor })
      feel()
      pulse = setInterval(feel, options.pulse ?? PULSE)
    })
    opened.addEventListener('message', event => {
      if (socket === opened && 'data' in event) receive(JSON.parse(String(event.data)))
    })
    opened.addEventListener('close', event => {
      if (socket !== opened) return
      if ('code' in event && event.code === RESTARTING && welcomed) move()
      else drop()
    })
  }

  function receive(frame: ServerFrame) {
    clearTimeout(deadline)
    deadline = undefined
    switch (frame.type) {
      case 'welcome':
        // What was fetched before the first welcome may already be out of date: let it be fetched again.
        if (cursor === null && !welcomed) startAfresh()
        return settle(frame.cursor)
      case 'reset':
        startAfresh()
        return settle(frame.cursor)
      case 'events':
        for (const event of frame.events) deliver(event)
        cursor = frame.cursor
        return progress(frame.events.length, frame.remaining ?? 0)
      case 'volatile':
        for (const handler of volatiles) handler(frame.volatile)
        return
      case 'pulse':
        return
      case 'error':
        // The server's reason for closing; the reconnect that follows gets a new token.
        return
    }
  }

  function startAfresh() {
    for (const handler of resets) handler()
  }

  /** All that was missed has come (the welcome follows it) or will be fetched: from here on everything arrives by itself. */
  function settle(position: string) {
    cursor = position
    attempts = 0
    caughtUp = 0
    welcomed = true
    if (!ready) {
      ready = true
      for (const ticketId of joined.keys()) send({ type: 'joinChatBox', ticketId })
      for (const chatId of joinedChats) send({ type: 'joinChatBoxChat', chatId })
      heartbeat()
      sendPage()
      beat = setInterval(heartbeat, options.heartbeat ?? HEARTBEAT)
    }
    tell('live')
  }

  function progress(came: number, remaining: number) {
    if (remaining === 0) {
      caughtUp = 0
      return tell('live')
    }
    caughtUp += came
    options.onState({ state: 'catching-up', done: caughtUp, total: caughtUp + remaining })
  }

  function deliver(event: LiveEvent) {
    for (const handler of handlers.get(event.event) ?? []) {
      try {
        handler(event)
      } catch (error) {
        // One broken screen must not keep the event from the others.
        if (options.onError) options.onError(error)
        else
          queueMicrotask(() => {
            throw error
          })
      }
    }
  }

  function later() {
    tell('offline')
    if (!running) return
    clearTimeout(retry)
    const wait = Math.min(LONGEST_WAIT, (options.firstWait ?? FIRST_WAIT) * 2 ** attempts)
    attempts += 1
    retry = setTimeout(() => void connect(), wait * (0.5 + Math.random() / 2))
  }

  /** The line is known to be gone: it is opened again by and by. */
  function drop() {
    if (!running) return
    close()
    later()
  }

  /** The server ends in order: the line goes on at another one, and only if there is none it is offline. */
  function move() {
    if (!running) return
    close()
    attempts = 0
    retry = setTimeout(() => void connect(), Math.random() * MOVE_WITHIN)
  }

  /** Asks whether the line still stands. */
  function feel() {
    if (!socket) return
    send({ type: 'pulse' })
    expectFrame()
  }

  /** Something has to come now, whatever the browser says of the line. */
  function expectFrame() {
    deadline ??= setTimeout(drop, options.patience ?? PATIENCE)
  }

  /** Somebody is back, or the network is: whether the line stands is looked at now. */
  function wake() {
    if (!running || options.visible?.() === false) return
    feel()
    if (!socket && !asking) {
      attempts = 0
      void connect()
    }
  }

  function close() {
    clearInterval(beat)
    clearInterval(pulse)
    clearTimeout(deadline)
    deadline = undefined
    const old = socket
    socket = undefined
    ready = false
    asking = undefined
    old?.close()
  }

  function tell(state: LiveState['state']) {
    options.onState({ state, done: 0, total: 0 })
  }

  function send(frame: ClientFrame) {
    if (socket?.readyState === OPEN) socket.send(JSON.stringify(frame))
  }

  function heartbeat() {
    send({ type: 'user-heartbeat', ...(options.idle?.() ? { idle: true } : {}) })
  }

  /** Whether the tab is seen: who sees one is told by it and by no push service. */
  function sendPage() {
    if (ready && options.visible) send({ type: 'page', visible: options.visible() })
  }

  function leave(ticketId: number) {
    const count = joined.get(ticketId) ?? 0
    if (count > 1) joined.set(ticketId, count - 1)
    else if (joined.delete(ticketId) && ready) send({ type: 'leaveChatBox', ticketId })
  }

  return {
    start,
    stop,
    wake,
    drop,
    /** The page is seen, or is not any more. */
    turned() {
      wake()
      sendPage()
    },
    /** Says at once that the person is here, or idle. */
    heartbeat,
    /** Leaves a conversation, once for each time it was entered. */
    leave,

    /**
     * Hears one kind of event; returns how to stop.
     *
     * @example useEffect(() => live.on('ticket', event => store.apply(event)), [])
     */
    on<N extends LiveEventName>(name: N, handler: (event: NamedLiveEvent<N>) => void) {
      const heard: Handler = event => {
        if (event.event === name) handler(event as NamedLiveEvent<N>)
      }
      const all = handlers.get(name) ?? new Set()
      handlers.set(name, all.add(heard))
      return () => {
        all.delete(heard)
      }
    },

    /** Hears that too much was missed: fetch afresh what is shown. Returns how to stop. */
    onReset(handler: () => void) {
      resets.add(handler)
      return () => {
        resets.delete(handler)
      }
    },

    /** Hears what is never stored: who types, who looks, who is there. Returns how to stop. */
    onVolatile(handler: (frame: VolatileEvent) => void) {
      volatiles.add(handler)
      return () => {
        volatiles.delete(handler)
      }
    },

    /** Enters a conversation (others see that it is looked at); returns how to leave it. Survives reconnects. */
    join(ticketId: number) {
      const count = joined.get(ticketId) ?? 0
      joined.set(ticketId, count + 1)
      if (count === 0 && ready) send({ type: 'joinChatBox', ticketId })
      return () => leave(ticketId)
    },

    /** Tells the customer and the colleagues that somebody is writing. */
    typing(ticketId: number, state: TypingState = 'typing') {
      send({ type: 'typing', ticketId, state })
    },

    /** Enters an internal chat; returns how to leave it. Survives reconnects. */
    joinChat(chatId: number) {
      joinedChats.add(chatId)
      if (ready) send({ type: 'joinChatBoxChat', chatId })
      return () => {
        joinedChats.delete(chatId)
      }
    },

    /** Tells the others in an internal chat that somebody is writing. */
    typingInChat(chatId: number, state: 'typing' | 'paused' = 'typing') {
      send({ type: 'typingChat', chatId, state })
    },

    /** The position reached in the stream of events, for tests. */
    get cursor() {
      return cursor
    },
  }
}

export type Live = ReturnType<typeof createLive>
