// Events and answers cross on their way: an answer may have been read before an event that came first, and must not undo it. What
// comes while a question is open is written down and taken once more after its answer (decision 0161). Pure: no I/O of its own.

interface OpenFetch<E> {
  readonly meanwhile: E[]
  isVoid: boolean
}

/** What is asked for: a page, a row, a list; with the events that came since it was asked. */
export interface FetchResult<A, E> {
  readonly answer: A
  readonly meanwhile: readonly E[]
}

export class Journal<E> {
  private readonly open = new Set<OpenFetch<E>>()

  note(event: E) {
    for (const ask of this.open) ask.meanwhile.push(event)
  }

  /** Events were missed, or the question is another one: no answer that is on its way counts any more. */
  void() {
    for (const ask of this.open) ask.isVoid = true
    this.open.clear()
  }

  /** Asks; null when the answer does not count any more, be it good or bad. */
  async during<A>(ask: () => Promise<A>): Promise<FetchResult<A, E> | null> {
    const own: OpenFetch<E> = { meanwhile: [], isVoid: false }
    this.open.add(own)
    try {
      const answer = await ask()
      return own.isVoid ? null : { answer, meanwhile: own.meanwhile }
    } catch (error) {
      if (own.isVoid) return null
      throw error
    } finally {
      this.open.delete(own)
    }
  }
}
