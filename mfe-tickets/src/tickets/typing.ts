// Which customers are writing right now. A sign of it is good for a few seconds; the end is not always told.
import { Signals } from './signals.ts'

export type TypingState = 'typing' | 'recording'

const LASTS_MS = 8000

export class Typing {
  private readonly now = new Map<number, { state: TypingState; timer: ReturnType<typeof setTimeout> }>()
  private readonly signals = new Signals<number>()

  of = (ticketId: number): TypingState | null => this.now.get(ticketId)?.state ?? null
  on = (ticketId: number, listener: () => void) => this.signals.on(ticketId, listener)

  hear(ticketId: number, state: TypingState | 'paused') {
    if (state === 'paused') return this.end(ticketId)
    clearTimeout(this.now.get(ticketId)?.timer)
    this.now.set(ticketId, { state, timer: setTimeout(() => this.end(ticketId), LASTS_MS) })
    this.signals.fire([ticketId])
  }

  end(ticketId: number) {
    clearTimeout(this.now.get(ticketId)?.timer)
    if (this.now.delete(ticketId)) this.signals.fire([ticketId])
  }
}
