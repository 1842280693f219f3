// A conversation as it is read: the newest messages without a gap, older ones in front as they are wanted, or a stretch around a
// message that was jumped to. Kept by live events so that what is shown always equals a fresh fetch of the same stretch. One for
// tickets and internal chats; no I/O but the pages it asks for.
import { Journal } from './journal.ts'
import { type HistoryChange, type HistoryPage, type HistoryRow, Stretch } from './stretch.ts'

export interface HistoryQuery {
  readonly cursor?: string
  readonly around?: number
  /** Around the first that was not read. */
  readonly unread?: true
  readonly limit?: number
}

export interface HistoryOptions<M> {
  readonly page: (query: HistoryQuery) => Promise<HistoryPage<M>>
  /** The order of the server. */
  readonly order: (a: M, b: M) => number
  /** Whether a failure says that the message asked for is not there. */
  readonly isMissing: (error: unknown) => boolean
  /** How many a page has unless more are asked for, and at most. */
  readonly usual: number
  readonly most: number
}

export interface HistoryLoad {
  readonly fresh?: boolean
  readonly anew?: boolean
  readonly atLeast?: number
  /** More are unread than a page holds: what is shown first is the stretch around the first of them. */
  readonly toUnread?: boolean
}

export interface HistoryView<M> {
  readonly messages: readonly M[]
  readonly status: 'idle' | 'loading' | 'ready' | 'failed'
  readonly hasMore: boolean
  readonly loadingOlder: boolean
  /** What is shown is a stretch around an older message; the newest ones are somewhere further down. */
  readonly hasNewer: boolean
  readonly loadingNewer: boolean
  /** The first message that was not read when it was opened, where that is further back than the newest page. */
  readonly unreadFrom: number | null
  readonly error: unknown
}

const AROUND = 80
/** More than so many are not fetched again at once: who has read further back begins there anew. */
const MOST_AGAIN = 1000

export class History<M extends HistoryRow> {
  private newest: Stretch<M> | null = null
  /** A stretch around a message that was jumped to, until it reaches the newest or the person goes back to them. */
  private aside: Stretch<M> | null = null
  /** What is deleted stays so in every stretch, whatever is fetched again. */
  private readonly gone = new Set<number>()
  private readonly journal = new Journal<HistoryChange<M>>()
  private readonly listeners = new Set<() => void>()
  private loads = 0
  private loading = false
  private current: HistoryView<M> = {
    messages: [],
    status: 'idle',
    hasMore: false,
    loadingOlder: false,
    hasNewer: false,
    loadingNewer: false,
    unreadFrom: null,
    error: null,
  }

  constructor(private readonly options: HistoryOptions<M>) {}

  view = (): HistoryView<M> => this.current

  subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  /**
   * The newest page, of so many at least. `fresh`: events were missed, so all that is held is asked for again and swapped at once.
   * `anew`: what may be seen of the past is another; what is shown stays until the answer is there, and not without one.
   */
  async load({ fresh = false, anew = false, atLeast = 0, toUnread = false }: HistoryLoad = {}) {
    if (!fresh && !anew && (this.loading || this.current.status === 'ready')) return
    if (fresh || anew) this.journal.void()
    if (anew) this.aside = null
    this.loads += 1
    const own = this.loads
    this.loading = true
    const isFirst = this.current.status !== 'ready'
    const waiting = this.current.status === 'ready' ? {} : { status: 'loading' as const, error: null }
    this.publish({ ...waiting, loadingOlder: false, loadingNewer: false })
    try {
      const held = Math.max(atLeast, this.newest?.size ?? 0)
      const came = await this.journal.during(() => this.afresh(held, isFirst && toUnread))
      if (!came) return
      this.newest = new Stretch(came.answer.newest, this.options.order, this.gone)
      const { around, unread } = came.answer
      const unreadFrom = unread?.unreadFrom ?? null
      if (unread && unreadFrom !== null && !this.newest.has(unreadFrom))
        this.show(new Stretch(unread, this.options.order, this.gone))
      else if (this.aside && around) this.show(new Stretch(around, this.options.order, this.gone))
      else this.aside = null
      this.apply(came.meanwhile)
      this.publish({ status: 'ready', error: null, ...(isFirst ? { unreadFrom } : {}) })
    } catch (error) {
      if (anew || this.current.status !== 'ready') this.publish({ status: 'failed', error })
    } finally {
      if (own === this.loads) this.loading = false
    }
  }

  async loadOlder(): Promise<boolean> {
    const { shown } = this
    const cursor = shown?.older
    if (!shown || !cursor || this.current.loadingOlder) return false
    this.publish({ loadingOlder: true })
    try {
      const came = await this.journal.during(() => this.options.page({ cursor }))
      // What was shown may be another stretch by now.
      if (!came || !this.holds(shown)) return false
      shown.addOlder(came.answer)
      this.apply(came.meanwhile)
      this.publish({ error: null })
      return true
    } catch (error) {
      this.publish({ error })
      return false
    } finally {
      this.publish({ loadingOlder: false })
    }
  }

  /** Goes on towards the newest; where the stretch reaches them, both are one. */
  async loadNewer() {
    const { aside } = this
    const cursor = aside?.newer
    if (!aside || !cursor || this.current.loadingNewer) return
    this.publish({ loadingNewer: true })
    try {
      const came = await this.journal.during(() => this.options.page({ cursor }))
      if (!came || !this.holds(aside)) return
      aside.addNewer(came.answer)
      this.show(aside)
      this.apply(came.meanwhile)
      this.publish({ error: null })
    } catch (error) {
      this.publish({ error })
    } finally {
      this.publish({ loadingNewer: false })
    }
  }

  /** Makes one message be among those shown, with the page around it; false if it is not in the history this person may see. */
  async reach(id: number): Promise<boolean> {
    if (this.shown?.has(id)) return true
    if (this.newest?.has(id)) this.aside = null
    else {
      try {
        const came = await this.journal.during(() => this.options.page({ around: id, limit: AROUND }))
        // Events were missed meanwhile: it may stand elsewhere now.
        if (!came) return this.reach(id)
        this.show(new Stretch(came.answer, this.options.order, this.gone))
        this.apply(came.meanwhile)
      } catch (error) {
        if (this.options.isMissing(error)) return false
        throw error
      }
    }
    this.publish({})
    return this.shown?.has(id) ?? false
  }

  /** Back to the newest messages. */
  toNewest() {
    if (!this.aside) return
    this.aside = null
    this.publish({ loadingNewer: false })
  }

  /** Takes what events or answers say, in their order. */
  change(changes: readonly HistoryChange<M>[]) {
    for (const change of changes) this.journal.note(change)
    if (this.apply(changes)) this.publish({})
  }

  /** Whether any of the newest is so. */
  protected some(isSo: (row: M) => boolean): boolean {
    return this.newest?.all().some(isSo) ?? false
  }

  private get shown(): Stretch<M> | null {
    return this.aside ?? this.newest
  }

  private holds(stretch: Stretch<M>): boolean {
    return stretch === this.newest || stretch === this.aside
  }

  /** As many as are held, and the stretch beside them where its middle was. */
  private async afresh(held: number, toUnread: boolean) {
    const { page, usual, most } = this.options
    const wanted = Math.min(held, MOST_AGAIN)
    const middle = this.aside?.middle()
    const first = await page(wanted > usual ? { limit: Math.min(wanted, most) } : {})
    let { rows, older } = first
    while (older !== null && rows.length < wanted) {
      const before: HistoryPage<M> = await page({ cursor: older, limit: most })
      rows = [...before.rows, ...rows]
      older = before.older
    }
    return {
      newest: { rows, older, newer: null },
      around: middle ? await this.around(middle.id) : null,
      unread: toUnread ? await page({ unread: true, limit: AROUND }) : null,
    }
  }

  private async around(id: number) {
    try {
      return await this.options.page({ around: id, limit: this.options.most })
    } catch (error) {
      if (this.options.isMissing(error)) return null
      throw error
    }
  }

  private show(stretch: Stretch<M>) {
    const { newest } = this
    const isReached = newest !== null && stretch.reaches(newest)
    if (isReached) newest.join(stretch)
    this.aside = isReached ? null : stretch
  }

  private apply(changes: readonly HistoryChange<M>[]): boolean {
    let changed = false
    for (const change of changes) {
      if ('gone' in change) this.gone.add(change.gone)
      changed = this.newest?.change(change) || changed
      changed = this.aside?.change(change) || changed
    }
    return changed
  }

  private publish(change: Partial<HistoryView<M>>) {
    const messages = this.shown?.all() ?? this.current.messages
    const hasMore = (this.shown?.older ?? null) !== null
    this.current = { ...this.current, ...change, messages, hasMore, hasNewer: this.aside !== null }
    for (const listener of this.listeners) listener()
  }
}
