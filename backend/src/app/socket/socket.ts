// The live connection: `/socket?token=…`. A token is good once; what may be seen is the hub's business, this is the door.
import { ClientFrame, canSeeChat, canSeeTicket, canWriteChat, type ServerFrame } from '@balcao/contract'
import { loadChatFacts } from '../../desk/chats/access.ts'
import { markUserSeen } from '../../desk/users/presence.ts'
import { closePage, recordOpenPage } from '../../operations/push/open-pages.ts'
import { AppError, toValueError } from '../../platform/http/errors.ts'
import type { Metrics } from '../../platform/http/metrics.ts'
import { isOwnOrigin } from '../../platform/http/origin.ts'
import { createCheck } from '../../platform/http/validate.ts'
import type { Hub } from '../../platform/live/hub-parts.ts'
import type { Viewers } from '../../platform/live/viewers.ts'
import { findFacts } from '../../policy/access/ticket-facts.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { consumeSocketToken } from '../../policy/sessions/socket-token.ts'
import { readSettings } from '../../policy/settings/read.ts'
import { loadUserBriefs } from '../../policy/users/viewer.ts'
import { findEndedSessions } from './ended-sessions.ts'
import { type OnlineUser, SocketVisitor } from './socket-visitor.ts'

export interface SocketUpgrade {
  /** Says which server this door hangs in. */
  readonly mount: (app: Mounted) => void
  /** Lets a request become a socket; an answer means it may not. */
  readonly upgrade: (request: Request, server: Bun.Server<unknown> | null) => Response | undefined
  /** What the server does with what happens at sockets. */
  readonly listeners: Bun.WebSocketHandler<SocketVisitor>
  /** Closes every socket, for a restart: clients come back by themselves. */
  readonly closeAll: () => void
  /** Closes sockets whose session was ended meanwhile; to be called now and then. */
  readonly sweep: () => Promise<void>
}

/** What the door sees of the server it hangs in. */
interface Mounted {
  readonly metrics: Metrics
  readonly closing: boolean
}

const isFrame = createCheck(ClientFrame)
/** In bytes. */
const FRAME_LIMIT = 16_384
/** Frames that wait for one before them; a page sends a handful when it comes in. */
const WAITING_MOST = 64
/** Frames one socket may send within `SPAN_MS`: more than somebody's fingers and all of a page's clocks. */
const FRAMES_MOST = 300
const SPAN_MS = 10_000
/** Frames that are refused before the socket is closed: no page of ours sends one. */
const REFUSED_MOST = 5
/** `readyState` of a socket that is not closing. */
const OPEN = 1
/** The code of a socket that is closed for what it sent. */
const REFUSED = 1008
const PULSE = JSON.stringify({ type: 'pulse' } satisfies ServerFrame & ClientFrame)

/** The door of a hub. `hub` is asked for late: it publishes through the server this door hangs in. */
export function openSocketUpgrade(parts: Parts, hub: () => Hub, viewers: () => Viewers): SocketUpgrade {
  const visitors = new Set<SocketVisitor>()
  const people = new Map<number, OnlineUser>()
  let mounted: Mounted | null = null

  async function letIn(visitor: SocketVisitor): Promise<void> {
    const claims = await consumeSocketToken(parts, visitor.token)
    visitor.token = ''
    if (!claims) return visitor.close(4401, 'signed out')
    const [shut, [user]] = await Promise.all([
      findEndedSessions(parts, [claims]),
      loadUserBriefs(parts.db, [claims.userId]),
    ])
    if (!user || shut.size > 0) return visitor.close(4401, shut.get(claims.family) ?? 'signed out')
    const person = people.get(user.id) ?? { user, visitors: new Set() }
    person.user = user
    person.visitors.add(visitor)
    people.set(user.id, person)
    visitor.session = { ...claims, person }
    await hub().enter(visitor)
    // Who went before the token was looked at leaves after this, so nobody stays behind.
    viewers().enter(visitor)
    await markUserSeen(parts, claims.userId, 'online')
  }

  async function listen(visitor: SocketVisitor, message: string | Buffer): Promise<void> {
    if (!visitor.session || visitor.raw?.readyState !== OPEN) return
    const frame = parseFrame(message)
    if (!isFrame(frame)) throw new AppError('ERR_VALIDATION')
    await hear(visitor, visitor.session, frame)
  }

  async function hear(
    visitor: SocketVisitor,
    { userId, person }: NonNullable<SocketVisitor['session']>,
    frame: ClientFrame,
  ): Promise<void> {
    switch (frame.type) {
      case 'hello':
        return hub().hello(visitor, frame.cursor)
      case 'pulse':
        return
      case 'user-heartbeat':
        visitor.idle = frame.idle ?? false
        if (visitor.pageSeen) await recordOpenPage(parts.db, ensurePageId(visitor), userId)
        return markUserSeen(parts, userId, (await isIdle(person)) ? 'away' : 'online')
      case 'page':
        visitor.pageSeen = frame.visible
        if (frame.visible) return recordOpenPage(parts.db, ensurePageId(visitor), userId)
        return closePage(parts.db, ensurePageId(visitor))
      case 'joinChatBox':
        // What one may not see cannot be looked at.
        if (await factsFor(visitor, frame.ticketId)) viewers().look(visitor, frame.ticketId)
        return
      case 'leaveChatBox':
        return viewers().lookAway(visitor, frame.ticketId)
      case 'typing': {
        const { ticketId, state } = frame
        viewers().write(visitor, ticketId, state !== 'paused')
        const facts = await factsFor(visitor, frame.ticketId)
        if (!facts) return
        hub().tellVolatile({ kind: 'typing', ticketId, by: 'user', user: person.user, state }, facts, userId)
        return
      }
      case 'joinChatBoxChat':
        return enterChat(visitor, frame.chatId)
      case 'typingChat': {
        const { chatId, state } = frame
        const facts = await loadChatFacts(parts.db, chatId)
        if (!facts || !canWriteChat({ id: userId }, facts)) return
        const volatile = { kind: 'typingChat', chatId, user: person.user, state } as const
        return hub().tellVolatile(volatile, { userIds: facts.userIds }, userId)
      }
    }
  }

  /** What is in a chat comes to whoever is in it without entering; who may not see it is told so. */
  async function enterChat(visitor: SocketVisitor, chatId: number): Promise<void> {
    const viewer = hub().viewerOf(visitor)
    const facts = await loadChatFacts(parts.db, chatId)
    if (!facts) throw new AppError('ERR_NO_CHAT_FOUND')
    if (!viewer || !canSeeChat(viewer, facts, await readSettings(parts.db))) throw new AppError('ERR_NO_PERMISSION')
  }

  /** Whether nobody touches any of this person's screens here; one that is coming in is somebody. */
  async function isIdle(person: OnlineUser): Promise<boolean> {
    await Promise.all([...visitors].map(({ entering }) => entering))
    return [...person.visitors].every(visitor => visitor.idle)
  }

  async function factsFor(visitor: SocketVisitor, ticketId: number) {
    const viewer = hub().viewerOf(visitor)
    const facts = await findFacts(parts.db, ticketId)
    const settings = await readSettings(parts.db)
    return viewer && facts && canSeeTicket(viewer, facts, settings) ? facts : null
  }

  async function leave(visitor: SocketVisitor): Promise<void> {
    await visitor.entering
    visitors.delete(visitor)
    if (!visitor.session) return
    const { person, userId } = visitor.session
    person.visitors.delete(visitor)
    if (person.visitors.size === 0) people.delete(userId)
    hub().leave(visitor)
    viewers().leave(visitor)
    await visitor.heard
    if (visitor.pageSeen) await closePage(parts.db, ensurePageId(visitor))
  }

  function failed(visitor: SocketVisitor, error: unknown): void {
    const { raw } = visitor
    const known = error instanceof AppError ? error : toValueError(error)
    if (!known) parts.log.error({ err: error }, 'a live frame failed')
    const frame: ServerFrame = {
      type: 'error',
      error: known?.code ?? 'ERR_INTERNAL',
      message: 'Frame recusado',
    }
    if (raw?.readyState !== OPEN) return
    raw.send(JSON.stringify(frame))
    if (known && ++visitor.refused >= REFUSED_MOST) raw.close(REFUSED, 'refused')
    // What it asked for did not happen, and nobody would do it later: it comes back and says everything again.
    if (!known) raw.close(1011, 'failed')
  }

  function upgrade(request: Request, server: Bun.Server<unknown> | null): Response | undefined {
    if (mounted?.closing) return new Response(null, { status: 503 })
    if (!isOwnOrigin(request, parts.config.publicUrl)) return new Response(null, { status: 403 })
    const token = new URL(request.url).searchParams.get('token') ?? ''
    if (!server?.upgrade(request, { data: new SocketVisitor(hub, token) })) return new Response(null, { status: 400 })
  }

  return {
    mount(app) {
      mounted = app
    },
    upgrade,
    listeners: {
      // Told by its head: none of a larger one is kept.
      maxPayloadLength: FRAME_LIMIT,
      open(raw) {
        const visitor = raw.data
        visitor.raw = raw
        mounted?.metrics.sockets.inc()
        visitors.add(visitor)
        visitor.entering = letIn(visitor)
          .catch(error => {
            failed(visitor, error)
            raw.close(1011, 'failed')
          })
          .finally(() => {
            visitor.entering = null
            visitor.settle()
          })
        visitor.heard = visitor.entering
      },
      async message(raw, message) {
        const visitor = raw.data
        // What came in one piece with what it was closed for.
        if (raw.readyState !== OPEN) return
        if (visitor.waiting >= WAITING_MOST || !visitor.countFrame(FRAMES_MOST, SPAN_MS))
          return raw.close(REFUSED, 'too many')
        // At once, whatever a frame before it waits for: it asks for the line, not for the database.
        if (String(message) === PULSE) return void raw.send(PULSE)
        // One after the other: entering a conversation takes a query, and must be done when the next frame writes there.
        visitor.waiting++
        visitor.heard = visitor.heard
          .then(() => listen(visitor, message))
          .catch(error => failed(visitor, error))
          .finally(() => {
            visitor.waiting--
            visitor.settle()
          })
        await visitor.heard
      },
      close(raw) {
        mounted?.metrics.sockets.dec()
        leave(raw.data).catch(error => parts.log.error({ err: error }, 'a socket left untidily'))
      },
    },
    closeAll() {
      for (const visitor of visitors) visitor.close(1012, 'restarting')
    },
    async sweep() {
      await Promise.all([...visitors].map(({ entering }) => entering))
      const claims = [...visitors].flatMap(({ session }) => session ?? [])
      const ended = await findEndedSessions(parts, [...new Map(claims.map(one => [one.family, one])).values()])
      // Who came in meanwhile was looked at by the door.
      for (const visitor of visitors) {
        const reason = ended.get(visitor.session?.family ?? '')
        if (reason !== undefined) visitor.close(4401, reason)
      }
    },
  }
}

/** The name of a tab, made when it is first needed. */
function ensurePageId(visitor: SocketVisitor): string {
  visitor.pageId ??= crypto.randomUUID()
  return visitor.pageId
}

/** What a frame says; what is no JSON is refused by the check like any other nonsense. */
function parseFrame(message: string | Buffer): unknown {
  try {
    return JSON.parse(String(message))
  } catch {
    return message
  }
}
