// What the hub is given and what it gives: sockets, what it asks the rest of the server, and what the server asks it.
import type { ChatFacts, Notice, TicketFacts, Viewer, VisibilitySettings, VolatileEvent } from '@balcao/contract'
import type { LiveRow } from './reader.ts'
import type { ViewedTicket } from './viewers.ts'

/** A socket as the hub sees it. `topic` calls are cheap: Bun fans a publish out by itself. */
export interface HubSocket {
  readonly userId: number
  send(text: string): void
  subscribe(topic: string): void
  unsubscribe(topic: string): void
  close(code: number, reason: string): void
}

/** What the hub asks the rest of the server. */
export interface HubSources {
  readonly settings: () => Promise<VisibilitySettings>
  /** The person as the policy sees it, null when gone or inactive. */
  readonly viewer: (userId: number) => Promise<Viewer | null>
  readonly publish: (topic: string, text: string) => void
  /** What some people are told of because of events (spec 1 §4 "Notifications"). */
  readonly notices?: (
    rows: readonly LiveRow[],
    viewers: readonly Viewer[],
  ) => Promise<readonly { userId: number; notice: Notice }[]>
  /** Events from before, without the words of what was taken back since (0198). */
  readonly dropTakenBack: (rows: readonly LiveRow[]) => Promise<readonly LiveRow[]>
  readonly failed: (error: unknown, doing: string) => void
  /** Told of every row, in order, before it goes to sockets. */
  readonly read?: (rows: readonly LiveRow[]) => void
  /** Who looks at what now, for whoever comes in. */
  readonly seen?: () => readonly ViewedTicket[]
  /** Who is there, as a frame, for whoever comes in; null before that is known. */
  readonly there?: () => string | null
}

export interface Hub {
  readonly sockets: number
  /** Lets a socket in; it gets events only after `hello`. */
  enter(socket: HubSocket): Promise<void>
  /** Begins or resumes: everything behind the cursor comes, or `reset`. */
  hello(socket: HubSocket, cursor: string | null): Promise<void>
  leave(socket: HubSocket): void
  /** Tells what happens now to everybody who may see the ticket, or is in the chat, in all processes. */
  tellVolatile(volatile: VolatileEvent, facts: TicketFacts | ChatFacts | null, except?: number): void
  /** Tells everybody connected here who may see these tickets who looks at them. */
  tellViewing(seen: readonly ViewedTicket[]): void
  /** Tells everybody connected here. */
  tellEverybody(frame: string): void
  viewerOf(socket: HubSocket): Viewer | null
  /** Whether who is at a socket may see such a ticket. */
  maySee(socket: HubSocket, facts: TicketFacts): boolean
  stop(): void
}
