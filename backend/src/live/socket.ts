// The live connection: `/socket?token=…`. A token is good once; what may be seen is the hub's business, this is the door.
import {
  ClientFrame,
  maySeeChat,
  maySeeTicket,
  mayWriteChat,
  type ServerFrame,
  type TicketFacts,
  type UserBrief,
} from '@balcao/contract'
import type { App } from '../app.ts'
import { loadChatFacts } from '../chats/access.ts'
import { sqlOf } from '../database/raw.ts'
import { AppError } from '../http/errors.ts'
import { checkerOf } from '../http/validate.ts'
import type { Parts } from '../parts.ts'
import { closePage, notePage } from '../push/open-pages.ts'
import { takeSocketToken } from '../sessions/socket-token.ts'
import type { Claims } from '../sessions/tokens.ts'
import { loadFacts } from '../tickets/present.ts'
import { noteSeen } from '../users/presence.ts'
import type { Hub, HubSocket } from './hub.ts'
import type { Present, Together } from './together.ts'

export interface SocketDoor {
  readonly mount: (app: App) => void
  /** Closes every socket, for a restart: clients come back by themselves. */
  readonly closeAll: () => void
  /** Closes sockets whose session was ended meanwhile; to be called now and then. */
  readonly sweep: () => Promise<void>
}

/** What is known of one open socket. Frames wait for `entered`: the token is looked at first. */
interface Visitor {
  readonly socket: HubSocket
  readonly claims: Claims
  readonly user: UserBrief
  readonly present: Present
  /** Connected, but nobody has touched that screen for a while. */
  idle: boolean
  /** Names the tab; `seen` while somebody sees it. */
  readonly page: { readonly id: string; seen: boolean }
  /** Done when the last frame is. */
  heard: Promise<void>
}

/** What is used of Bun's socket. */
interface Raw {
  readonly readyState: number
  send(text: string): unknown
  subscribe(topic: string): unknown
  unsubscribe(topic: string): unknown
  close(code: number, reason: string): unknown
}
const checkFrame = checkerOf(ClientFrame)
const FRAME_LIMIT = 16_384

/** The door of a hub. `hub` is asked for late: it publishes through the server this door hangs in. */
export function openDoor(parts: Parts, hub: () => Hub, together: () => Together): SocketDoor {
  const visitors = new Map<Raw, Promise<Visitor | null>>()

  async function letIn(raw: Raw, token: string): Promise<Visitor | null> {
    const claims = await takeSocketToken(parts, token)
    const user = claims && (await userBrief(parts, claims))
    if (!claims || !user) {
      raw.close(4401, 'signed out')
      return null
    }
    const socket: HubSocket = {
      userId: claims.userId,
      send: text => void raw.send(text),
      subscribe: topic => void raw.subscribe(topic),
      unsubscribe: topic => void raw.unsubscribe(topic),
      close: (code, reason) => void raw.close(code, reason),
    }
    await hub().enter(socket)
    const present = { userId: claims.userId, maySee: (facts: TicketFacts) => hub().maySee(socket, facts) }
    // Who went before the token was looked at leaves after this, so nobody stays behind.
    together().enter(present)
    await noteSeen(parts, claims.userId, 'online')
    const page = { id: crypto.randomUUID(), seen: false }
    return { socket, claims, user, present, idle: false, page, heard: Promise.resolve() }
  }

  async function hear(visitor: Visitor, given: unknown): Promise<void> {
    const frame = checkFrame(given)
    switch (frame.type) {
      case 'hello':
        return hub().hello(visitor.socket, frame.cursor)
      case 'user-heartbeat':
        visitor.idle = frame.idle ?? false
        if (visitor.page.seen) await notePage(parts.db, visitor.page.id, visitor.user.id)
        return noteSeen(parts, visitor.claims.userId, (await isIdle(visitor)) ? 'away' : 'online')
      case 'page':
        visitor.page.seen = frame.visible
        if (frame.visible) return notePage(parts.db, visitor.page.id, visitor.user.id)
        return closePage(parts.db, visitor.page.id)
      case 'joinChatBox':
        // What one may not see cannot be looked at.
        if (await factsFor(visitor, frame.ticketId)) together().look(visitor.present, frame.ticketId)
        return
      case 'leaveChatBox':
        return together().lookAway(visitor.present, frame.ticketId)
      case 'typing': {
        const { ticketId, state } = frame
        together().write(visitor.present, ticketId, state !== 'paused')
        const facts = await factsFor(visitor, frame.ticketId)
        if (!facts) return
        hub().tellVolatile({ kind: 'typing', ticketId, by: 'user', user: visitor.user, state }, facts, visitor.user.id)
        return
      }
      case 'joinChatBoxChat':
        return enterChat(visitor, frame.chatId)
      case 'typingChat': {
        const { chatId, state } = frame
        const facts = await loadChatFacts(parts.db, chatId)
        if (!facts || !mayWriteChat({ id: visitor.user.id }, facts)) return
        const volatile = { kind: 'typingChat', chatId, user: visitor.user, state } as const
        return hub().tellVolatile(volatile, { userIds: facts.userIds }, visitor.user.id)
      }
    }
  }

  /** What is in a chat comes to whoever is in it without entering; who may not see it is told so. */
  async function enterChat(visitor: Visitor, chatId: number): Promise<void> {
    const viewer = hub().viewerOf(visitor.socket)
    const facts = await loadChatFacts(parts.db, chatId)
    if (!facts) throw new AppError('ERR_NO_CHAT_FOUND')
    if (!viewer || !maySeeChat(viewer, facts, await parts.accessSettings())) throw new AppError('ERR_NO_PERMISSION')
  }

  /** Whether nobody touches any of this person's screens here. */
  async function isIdle({ user }: Visitor): Promise<boolean> {
    const all = await Promise.all(visitors.values())
    return all.every(visitor => visitor?.user.id !== user.id || visitor.idle)
  }

  async function factsFor(visitor: Visitor, ticketId: number) {
    const viewer = hub().viewerOf(visitor.socket)
    const facts = (await loadFacts(parts.db, [ticketId])).get(ticketId)
    const access = await parts.accessSettings()
    return viewer && facts && maySeeTicket(viewer, facts, access) ? facts : null
  }

  async function leave(raw: Raw): Promise<void> {
    const visitor = await visitors.get(raw)
    visitors.delete(raw)
    if (!visitor) return
    hub().leave(visitor.socket)
    together().leave(visitor.present)
    await visitor.heard
    if (visitor.page.seen) await closePage(parts.db, visitor.page.id)
  }

  function failed(raw: Raw, error: unknown): void {
    const known = error instanceof Error && error.name === 'AppError'
    if (!known) parts.log.error({ err: error }, 'a live frame failed')
    const frame: ServerFrame = {
      type: 'error',
      error: known ? error.message : 'ERR_INTERNAL',
      message: 'Frame recusado',
    }
    if (raw.readyState === 1) raw.send(JSON.stringify(frame))
  }

  return {
    mount(app) {
      app.elysia.ws('/socket', {
        beforeHandle: ({ request }) => {
          if (app.draining) return new Response(null, { status: 503 })
          if (!sameOrigin(request, parts.config.publicUrl)) return new Response(null, { status: 403 })
        },
        open(ws) {
          const raw: Raw = ws.raw
          app.metrics.sockets.inc()
          const entering = letIn(raw, String(ws.data.query.token ?? '')).catch(error => {
            failed(raw, error)
            raw.close(1011, 'failed')
            return null
          })
          visitors.set(raw, entering)
        },
        async message(ws, message) {
          const raw: Raw = ws.raw
          const visitor = await visitors.get(raw)
          if (!visitor) return
          if (typeof message === 'string' && message.length > FRAME_LIMIT) return raw.close(1009, 'too large')
          // One after the other: entering a conversation takes a query, and must be done when the next frame writes there.
          visitor.heard = visitor.heard.then(() => hear(visitor, message)).catch(error => failed(raw, error))
          await visitor.heard
        },
        close(ws) {
          app.metrics.sockets.dec()
          leave(ws.raw).catch(error => parts.log.error({ err: error }, 'a socket left untidily'))
        },
      })
    },
    closeAll() {
      for (const raw of visitors.keys()) raw.close(1012, 'restarting')
    },
    async sweep() {
      const all = await Promise.all([...visitors].map(async ([raw, entering]) => ({ raw, visitor: await entering })))
      const families = [...new Set(all.flatMap(({ visitor }) => (visitor ? [visitor.claims.family] : [])))]
      if (families.length === 0) return
      const alive = await sqlOf(parts.db)<{ family: string }[]>`
        select distinct family from refresh_token
        where family = any(${families}::text[]) and revoked_at is null and expires_at > now()`
      const known = new Set(alive.map(row => row.family))
      for (const { raw, visitor } of all) {
        if (visitor && !known.has(visitor.claims.family)) raw.close(4401, 'signed out')
      }
    },
  }
}

async function userBrief(parts: Parts, { userId, family }: Claims): Promise<UserBrief | null> {
  const [row] = await sqlOf(parts.db)<{ id: number; name: string; profilePicUrl: string | null }[]>`
    select u.id, u.name, u.profile_pic_url as "profilePicUrl" from "user" u
    where u.id = ${userId} and u.active and u.deleted_at is null
      and exists (select 1 from refresh_token r where r.family = ${family} and r.revoked_at is null)`
  return row ? { ...row } : null
}

/** Sockets know no CORS: a page of another site must not open one with a token it got hold of. Programs send no origin. */
function sameOrigin(request: Request, publicUrl: string | null): boolean {
  const origin = request.headers.get('origin')
  if (origin === null) return true
  if (!URL.canParse(origin)) return false
  return new URL(origin).host === request.headers.get('host') || origin === publicUrl
}
