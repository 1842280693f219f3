// Which colleagues look at which ticket now, and who of them has begun to answer: the server says it, and nothing keeps it.
import type { PresenceViewer, VolatileEvent } from '@balcao/contract'
import { Signals } from '@balcao/ui/rows'

const NOBODY: readonly PresenceViewer[] = []

export class ViewerRegistry {
  private readonly now = new Map<number, readonly PresenceViewer[]>()
  private readonly signals = new Signals<number>()

  constructor(private readonly viewerId: number) {}

  /** The same list as long as nothing changes. */
  of = (ticketId: number): readonly PresenceViewer[] => this.now.get(ticketId) ?? NOBODY
  on = (ticketId: number, listener: () => void) => this.signals.on(ticketId, listener)

  hear({ all, tickets }: Extract<VolatileEvent, { kind: 'viewing' }>) {
    const viewers = new Map(tickets.map(({ ticketId, users }) => [ticketId, users]))
    if (all) for (const id of this.now.keys()) if (!viewers.has(id)) viewers.set(id, [])
    for (const [id, users] of viewers) {
      const others = users.filter(user => user.id !== this.viewerId)
      if (others.length > 0) this.now.set(id, others)
      else this.now.delete(id)
    }
    this.signals.fire(viewers.keys())
  }
}
