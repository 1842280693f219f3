import type { Presence } from '@balcao/contract'
import type { VolatileEvent } from '@balcao/contract/events'

type PresenceEvent = Extract<VolatileEvent, { kind: 'presence' }>

/** What is known of who is there. What the line tells is newer than any list, or what is newer still follows it within a round. */
export class Team {
  private readonly presences = new Map<number, Presence>()
  private readonly fetched = new Map<number, Presence>()
  private readonly listeners = new Set<() => void>()
  private isWhole = false

  constructor(private readonly ownId: number) {}

  /** Whoever is not named where all are is offline; the owner, whom nobody names, sees himself as the list says. */
  of(userId: number, fetched: Presence = this.fetched.get(userId) ?? 'offline'): Presence {
    return this.presences.get(userId) ?? (this.isWhole && userId !== this.ownId ? 'offline' : fetched)
  }

  readonly on = (listener: () => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  hear({ all, ...named }: PresenceEvent) {
    if (all) {
      this.presences.clear()
      this.isWhole = true
    }
    for (const status of ['online', 'away', 'offline'] as const)
      for (const id of named[status]) this.presences.set(id, status)
    this.changed()
  }

  take(users: readonly { readonly id: number; readonly status: Presence }[]) {
    for (const { id, status } of users) this.fetched.set(id, status)
    this.changed()
  }

  private changed() {
    for (const listener of this.listeners) listener()
  }
}
