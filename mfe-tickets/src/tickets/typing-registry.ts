// Who is writing in a conversation right now. A sign of it is good for a few seconds; the end is not always told.
import { Signals } from '@balcao/ui/rows'

const LASTS_MS = 8000

interface TypingSign {
  readonly says: string
  readonly timer: ReturnType<typeof setTimeout>
}

export class TypingRegistry {
  private readonly now = new Map<number, Map<number, TypingSign>>()
  private readonly signals = new Signals<number>()

  /** What they are said to be or do in one text, null when nobody writes: compared by value, so nothing is drawn in vain. */
  of = (placeId: number): string | null =>
    [...(this.now.get(placeId)?.values() ?? [])].map(({ says }) => says).join(', ') || null

  on = (placeId: number, listener: () => void) => this.signals.on(placeId, listener)

  /** Null: that it ended. */
  hear(placeId: number, by: number, says: string | null) {
    const signs = this.now.get(placeId) ?? new Map<number, TypingSign>()
    clearTimeout(signs.get(by)?.timer)
    if (says === null && !signs.delete(by)) return
    if (says !== null) signs.set(by, { says, timer: setTimeout(() => this.hear(placeId, by, null), LASTS_MS) })
    this.now.set(placeId, signs)
    this.signals.fire([placeId])
  }
}
