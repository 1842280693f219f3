// Who is writing in an internal chat right now. A sign of it is good for a few seconds; the end is not always told.
import type { UserBrief } from '@balcao/contract'
import { Signals } from '../tickets/signals.ts'

const LASTS_MS = 8000

interface Writer {
  readonly name: string
  readonly timer: ReturnType<typeof setTimeout>
}

export class Writers {
  private readonly now = new Map<number, Map<number, Writer>>()
  private readonly signals = new Signals<number>()

  /** Their names in one text, null when nobody writes: compared by value, so nothing is drawn in vain. */
  of = (chatId: number): string | null => {
    const writers = [...(this.now.get(chatId)?.values() ?? [])]
    return writers.length === 0 ? null : writers.map(({ name }) => name.split(' ')[0]).join(', ')
  }

  on = (chatId: number, listener: () => void) => this.signals.on(chatId, listener)

  hear(chatId: number, user: UserBrief, state: 'typing' | 'paused') {
    if (state === 'paused') return this.end(chatId, user.id)
    const writers = this.now.get(chatId) ?? new Map<number, Writer>()
    clearTimeout(writers.get(user.id)?.timer)
    writers.set(user.id, { name: user.name, timer: setTimeout(() => this.end(chatId, user.id), LASTS_MS) })
    this.now.set(chatId, writers)
    this.signals.fire([chatId])
  }

  end(chatId: number, userId: number) {
    const writers = this.now.get(chatId)
    clearTimeout(writers?.get(userId)?.timer)
    if (writers?.delete(userId)) this.signals.fire([chatId])
  }
}
