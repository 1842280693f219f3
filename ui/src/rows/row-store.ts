// The rows of a list: pages by key in the server's order, kept by live events so that what is shown always equals a fresh fetch of as
// much (decisions 0161, 0189). No I/O but the pages it asks for.
import { type FetchResult, Journal } from './journal.ts'
import { type ListRow, type RowChange, RowTable, type TableChange, type TouchedRows } from './row-table.ts'

export interface RowPage<R> {
  readonly rows: readonly R[]
  /** Where the next page begins; null at the end. */
  readonly nextCursor: string | null
  /** Of all pages together, where the server tells it. */
  readonly count?: number
  /** Counting stopped there: so many, or more. */
  readonly isCapped?: boolean
}

/** `overtaken`: something else was asked for since. */
type RefetchResult = 'fetched' | 'failed' | 'overtaken'

export type RowCount = Pick<RowPage<never>, 'count' | 'isCapped'>

export interface RowOptions<R extends ListRow, Q> {
  /** `limit`: more than a page usually has are wanted. */
  readonly page: (query: Q, cursor: string | null, signal: AbortSignal, limit?: number) => Promise<RowPage<R>>
  /** How many there are, asked once the first rows stand: for pages that come without it. */
  readonly count?: (query: Q, signal: AbortSignal) => Promise<RowCount>
  /** The order of the server. */
  readonly order: (a: R, b: R) => number
  /** Whether the server's search would find the row; `isListed` where it does not know better than what was answered. */
  readonly matches: (row: R, query: Q, isListed?: boolean) => boolean
  /** What stays of a row that is known when an event brings it anew without it. */
  readonly keep?: (row: R, known: R | undefined) => R
}

/** What is shown of a list but for its rows; the same object as long as none of it changed. */
export interface ListView<Q> {
  /** What the rows were asked for with. */
  readonly query: Q
  readonly ids: readonly number[]
  /** Exact once all pages are there; before, as the newest page told it and as far as events let it be known. */
  readonly count: number | null
  /** There are so many, or more. */
  readonly isCapped: boolean
  readonly nextCursor: string | null
  /** `failed` keeps the rows that were there. */
  readonly status: 'loading' | 'ready' | 'failed'
  readonly more: 'idle' | 'loading' | 'failed'
  readonly error: unknown
}

export interface RowView<R, Q> extends ListView<Q> {
  readonly rows: readonly R[]
}

const NOTHING = { ids: [], count: null, isCapped: false, nextCursor: null } as const
/** With many rows in one answer as many as are shown come sooner. */
const LARGE_PAGE = 100

export class RowStore<R extends ListRow, Q> {
  readonly journal = new Journal<TableChange<R>>()
  private readonly listeners = new Set<() => void>()
  private current: ListView<Q>
  /** What was asked for last; `current.query` is what was answered last. */
  private wanted: Q
  private rows: readonly R[] = []
  private view: RowView<R, Q> | null = null
  /** The last row of the last page while there are more: what sorts after it comes with its page. */
  private floor: R | null = null
  /** A first page was there. */
  private hasRows = false
  private isLoading = false
  private running = new AbortController()

  /** @param table the rows of other lists too, where there are such */
  constructor(
    private readonly options: RowOptions<R, Q>,
    query: Q,
    readonly table = new RowTable<R>(options.keep),
  ) {
    this.wanted = query
    this.current = { query, ...NOTHING, status: 'loading', more: 'idle', error: null }
    table.add(this)
  }

  /** The list without what its rows hold. */
  list = (): ListView<Q> => this.current

  now = (): RowView<R, Q> => {
    this.view ??= { ...this.current, rows: this.rows }
    return this.view
  }

  get ids(): readonly number[] {
    return this.current.ids
  }

  subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  take(change: RowChange<R>) {
    this.table.take([change])
  }

  /** The first page, unless the list is there or on its way. */
  async open() {
    if (this.current.status !== 'ready' && !this.isLoading) await this.load()
  }

  /** The first page afresh; of another query where one is given. What is shown stays until the answer is there. */
  async load(query: Q = this.wanted): Promise<void> {
    this.wanted = query
    this.begin()
    const { signal } = this.running
    this.isLoading = true
    this.show({ more: 'idle', ...(this.current.status === 'failed' ? { status: 'loading', error: null } : {}) })
    try {
      const came = await this.journal.during(() => this.options.page(query, null, signal))
      if (came) this.takePage(came, query)
    } catch (error) {
      if (signal.aborted) return
      // What answered another question does not stand under this one.
      if (query !== this.current.query) this.empty()
      this.show({ query, status: 'failed', error })
    } finally {
      if (!signal.aborted) this.isLoading = false
    }
  }

  /** The next page, where there is one. */
  async more(): Promise<void> {
    const { query, nextCursor, more } = this.current
    const { signal } = this.running
    if (nextCursor === null || more === 'loading') return
    this.show({ more: 'loading' })
    try {
      const came = await this.journal.during(() => this.options.page(query, nextCursor, signal))
      if (!came) return
      // The first page came afresh meanwhile: this one goes on from another.
      if (query !== this.current.query || nextCursor !== this.current.nextCursor) this.show({ more: 'idle' })
      else this.takePage(came, query, this.rows)
    } catch (error) {
      if (!signal.aborted) this.show({ more: 'failed', error })
    }
  }

  /** As many rows as are shown once more, up to `most`; without an answer they stay as they are. @returns whether they came */
  async look(most = Number.MAX_SAFE_INTEGER): Promise<boolean> {
    const { query, ids } = this.current
    const { signal } = this.running
    if (!this.hasRows) return false
    const ask = () => this.pages(query, Math.min(most, ids.length), signal)
    const came = await this.journal.during(ask).catch(() => null)
    if (!came || query !== this.current.query) return false
    this.takePage(came, query)
    return true
  }

  /** After events were missed: what is shown, up to `most` rows, afresh and swapped at once. */
  async refetch(most?: number): Promise<RefetchResult> {
    const isSameList = this.hasRows && this.wanted === this.current.query
    if (isSameList) {
      this.begin()
      this.show({ more: 'idle' })
    }
    const coming = isSameList ? this.look(most) : this.load().then(() => this.current.status === 'ready')
    const { signal } = this.running
    const isThere = await coming
    if (signal.aborted) return 'overtaken'
    return isThere ? 'fetched' : 'failed'
  }

  /** Another list, empty until it is opened. */
  clear(query: Q = this.wanted) {
    this.wanted = query
    this.begin()
    this.isLoading = false
    this.empty()
    this.show({ query, status: 'loading', more: 'idle', error: null })
  }

  /** What is not found any more leaves; nothing is fetched. */
  narrow() {
    this.place(this.rows.filter(row => this.options.matches(row, this.current.query, true)))
  }

  /** Nobody looks any more. */
  stop() {
    this.running.abort()
  }

  /** Puts the touched rows in their places: out of the list where they are not found or come with a later page. */
  arrange(touched: TouchedRows) {
    if (touched.keys().some(id => this.table.isGone(id))) this.show({})
    if (!this.hasRows) return
    const { query, count } = this.current
    const listed = new Set(this.rows.filter(row => touched.has(row.id)).map(row => row.id))
    const came: R[] = []
    let more = 0
    for (const [id, isNew] of touched) {
      const row = this.table.find(id)
      const isListed = listed.has(id)
      const isFound = row !== undefined && this.options.matches(row, query, isListed)
      const isPlaced = isFound && !this.isBeyond(row)
      if (isPlaced) came.push(row)
      more += Number(isPlaced || (isFound && (isNew || isListed))) - Number(isListed)
    }
    if (listed.size > 0 || came.length > 0) this.place([...this.rows.filter(row => !touched.has(row.id)), ...came])
    if (count === null || this.current.isCapped) return
    const total = this.current.nextCursor === null ? this.rows.length : Math.max(0, count + more)
    if (total !== count) this.show({ count: total })
  }

  /** Puts a page as it was answered behind these rows, but for what is known to be another by now. */
  private takePage(came: FetchResult<RowPage<R>, TableChange<R>>, query: Q, before?: readonly R[]) {
    const { rows, nextCursor } = came.answer
    const isCounted = this.options.count === undefined || came.answer.count !== undefined
    const isSameList = query === this.current.query
    const { count = null, isCapped = false } = isCounted || !isSameList ? came.answer : this.current
    this.table.answer({ answer: rows, meanwhile: came.meanwhile }, this, () => {
      this.hasRows = true
      this.floor = nextCursor === null ? null : (rows.at(-1) ?? null)
      this.current = { ...this.current, query, nextCursor, count, isCapped, status: 'ready', more: 'idle', error: null }
      const there = new Set(rows.map(({ id }) => id))
      const put = rows.flatMap(({ id, version }) => {
        const row = this.table.find(id)
        if (!row || (row.version > version && (!this.options.matches(row, query, true) || this.isBeyond(row))))
          return []
        return row
      })
      this.place([...(before ?? []).filter(({ id }) => !there.has(id)), ...put])
      this.show(isCounted || nextCursor !== null ? {} : { count: this.rows.length, isCapped: false })
    })
    if (!isCounted && nextCursor !== null && !before) void this.countRows(query)
  }

  /** Rows that changed while they were counted are counted once more; a number that does not come is not shown. */
  private async countRows(query: Q, isAgain = false): Promise<void> {
    const { signal } = this.running
    const came = await this.journal.during(async () => this.options.count?.(query, signal)).catch(() => null)
    if (!came || query !== this.current.query || this.current.nextCursor === null) return
    if (came.meanwhile.length > 0 && !isAgain) await this.countRows(query, true)
    else this.show({ count: null, ...came.answer })
  }

  private async pages(query: Q, wanted: number, signal: AbortSignal): Promise<RowPage<R>> {
    const rows: R[] = []
    for (let cursor: string | null = null; ; ) {
      const page: RowPage<R> = await this.options.page(query, cursor, signal, LARGE_PAGE)
      rows.push(...page.rows)
      cursor = page.nextCursor
      if (cursor === null || rows.length >= wanted) return { ...page, rows }
    }
  }

  private isBeyond(row: R): boolean {
    return this.floor !== null && this.options.order(row, this.floor) > 0
  }

  private place(rows: readonly R[]) {
    const { ids } = this.current
    const sorted = rows.toSorted(this.options.order)
    if (isSame(sorted, this.rows)) return
    this.rows = sorted
    const now = sorted.map(({ id }) => id)
    this.show(isSame(now, ids) ? {} : { ids: now })
  }

  private empty() {
    this.rows = []
    this.floor = null
    this.hasRows = false
    this.current = { ...this.current, ...NOTHING }
  }

  /** No answer that is on its way counts any more. */
  private begin() {
    this.journal.void()
    this.running.abort()
    this.running = new AbortController()
  }

  private show(change: Partial<ListView<Q>>) {
    if (Object.keys(change).length > 0) this.current = { ...this.current, ...change }
    this.view = null
    for (const listener of this.listeners) listener()
  }
}

function isSame<T>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && one.every((item, at) => item === other[at])
}
