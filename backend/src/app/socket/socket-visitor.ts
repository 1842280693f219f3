// One open socket, as small as it can be: there are thousands. What is one person's is kept once for all of the person's sockets.
import type { TicketFacts, UserBrief } from '@balcao/contract'
import type { Hub, HubSocket } from '../../platform/live/hub-parts.ts'
import type { ViewerConnection } from '../../platform/live/viewers.ts'
import type { Claims } from '../../policy/sessions/tokens.ts'

/** Bun's own socket; it carries its visitor and nothing of the request it began with. */
export type RawSocket = Bun.ServerWebSocket<SocketVisitor>

/** Somebody with at least one socket here. */
export interface OnlineUser {
  /** Name and picture as they were when the newest socket came in. */
  user: UserBrief
  readonly visitors: Set<SocketVisitor>
}

/** What hub and register see of a socket. Frames wait for `entering`: the token is looked at first. */
export class SocketVisitor implements HubSocket, ViewerConnection {
  raw: RawSocket | null = null
  /** Null before the token was looked at, and for ever when it was no good. */
  session: (Claims & { readonly person: OnlineUser }) | null = null
  entering: Promise<void> | null = null
  /** Done when the last frame is; shared by all that wait for nothing. */
  heard: Promise<void> = NOTHING_HEARD
  /** Frames that are not done. */
  waiting = 0
  /** Frames that were refused. */
  refused = 0
  private frames = 0
  private framesSince = 0
  /** Connected, but nobody has touched that screen for a while. */
  idle = false
  /** Names the tab once it has told whether somebody sees it. */
  pageId: string | null = null
  pageSeen = false

  /** `token` is good once and forgotten when it was used. */
  constructor(
    private readonly hub: () => Hub,
    public token: string,
  ) {}

  get userId(): number {
    return this.session?.userId ?? 0
  }

  maySee(facts: TicketFacts): boolean {
    return this.hub().maySee(this, facts)
  }

  /** Counts a frame; false for one more than `most` within `span` ms. */
  countFrame(most: number, span: number): boolean {
    const now = performance.now()
    if (now - this.framesSince > span) {
      this.framesSince = now
      this.frames = 0
    }
    return ++this.frames <= most
  }

  /** A chain of frames that is at its end is forgotten. */
  settle(): void {
    if (this.waiting === 0) this.heard = NOTHING_HEARD
  }

  send(text: string): void {
    this.raw?.send(text)
  }

  subscribe(topic: string): void {
    this.raw?.subscribe(topic)
  }

  unsubscribe(topic: string): void {
    this.raw?.unsubscribe(topic)
  }

  close(code: number, reason: string): void {
    this.raw?.close(code, reason)
  }
}

const NOTHING_HEARD = Promise.resolve()
