// Collects live events and hands them over once per frame; in a storm eight times a second, so that scrolling and typing
// keep their frames.
import type { LiveEvent } from '@balcao/contract'

const HIDDEN_MS = 250
const STORM = 20
const STORM_MS = 125

export class Batch {
  private waiting: LiveEvent[] = []
  private scheduled = false
  private stormy = false

  constructor(private readonly take: (events: readonly LiveEvent[]) => void) {}

  add(event: LiveEvent) {
    this.waiting.push(event)
    if (this.scheduled) return
    this.scheduled = true
    // A hidden page gets no frames.
    if (this.stormy) setTimeout(() => this.flush(), STORM_MS)
    else if (document.visibilityState === 'visible') requestAnimationFrame(() => this.flush())
    else setTimeout(() => this.flush(), HIDDEN_MS)
  }

  flush() {
    this.scheduled = false
    const events = this.waiting
    this.waiting = []
    this.stormy = events.length > STORM
    if (events.length > 0) this.take(events)
  }
}
