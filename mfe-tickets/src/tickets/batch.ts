// Collects live events and hands them over once per frame; in a storm eight times a second, so that scrolling and typing
// keep their frames. A hidden page gets no frames, and its timers come late: it takes its events with the task that brought them.
import type { LiveEvent } from '@balcao/contract'

const STORM = 20
const STORM_MS = 125

export class EventBatch {
  private waiting: LiveEvent[] = []
  private stormy = false
  /** Takes back the flush that is due. */
  private cancel: (() => void) | null = null

  constructor(private readonly take: (events: readonly LiveEvent[]) => void) {
    document.addEventListener('visibilitychange', this.turned)
  }

  add(event: LiveEvent) {
    this.waiting.push(event)
    if (this.cancel) return
    if (document.visibilityState === 'hidden') {
      this.cancel = () => undefined
      queueMicrotask(() => this.flush())
    } else if (this.stormy) {
      const timer = setTimeout(() => this.flush(), STORM_MS)
      this.cancel = () => clearTimeout(timer)
    } else {
      const frame = requestAnimationFrame(() => this.flush())
      this.cancel = () => cancelAnimationFrame(frame)
    }
  }

  flush() {
    this.cancel?.()
    this.cancel = null
    const events = this.waiting
    this.waiting = []
    this.stormy = events.length > STORM
    if (events.length > 0) this.take(events)
  }

  stop() {
    this.cancel?.()
    document.removeEventListener('visibilitychange', this.turned)
  }

  /** What waited for a frame would wait until the page is seen again. */
  private readonly turned = () => {
    if (document.visibilityState === 'hidden') this.flush()
  }
}
