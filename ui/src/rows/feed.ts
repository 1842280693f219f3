// A state that is fetched once and then kept by live events, so that it always equals what a fresh fetch would give.
import { Journal } from './journal.ts'

interface RowVersion {
  readonly id: number
  readonly version: number
  /** It is deleted, or not for this person any more. */
  readonly gone: boolean
}

export class Feed<S, E> {
  private readonly journal = new Journal<E>()
  private readonly gone = new Map<number, number>()
  private readonly listeners = new Set<() => void>()

  /** `after` is the state after one event; `about` names the row of an event, so that a late one brings back nothing deleted. */
  constructor(
    protected state: S,
    private readonly after: (state: S, event: E) => S,
    private readonly about: (event: E) => RowVersion | null = () => null,
  ) {}

  now = (): S => this.state

  subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  take(event: E) {
    this.journal.note(event)
    this.step(event)
    this.tell()
  }

  /** Puts an answer into the state, and what came since it was asked for. `afresh`: what was asked for before counts no more. False when this does not count any more. */
  async fetch<A>(ask: () => Promise<A>, put: (state: S, answer: A) => S, { afresh = false } = {}): Promise<boolean> {
    if (afresh) this.journal.void()
    const came = await this.journal.during(ask)
    if (!came) return false
    this.state = put(this.state, came.answer)
    for (const event of came.meanwhile) this.step(event)
    this.tell()
    return true
  }

  private step(event: E) {
    const about = this.about(event)
    // That it is gone is taken once more too: the answer that crossed with it may have brought it back.
    if (about?.gone) this.gone.set(about.id, Math.max(about.version, this.gone.get(about.id) ?? 0))
    else if (about && (this.gone.get(about.id) ?? -1) >= about.version) return
    this.state = this.after(this.state, event)
  }

  protected tell() {
    for (const listener of this.listeners) listener()
  }
}
