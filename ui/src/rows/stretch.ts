// Messages without a gap between them. Pure.
export interface HistoryRow {
  readonly id: number
  readonly version: number
}

/** Oldest first; where it goes on to either side, null at the end. */
export interface HistoryPage<M> {
  readonly rows: readonly M[]
  readonly older: string | null
  readonly newer: string | null
  readonly unreadFrom?: number | null
}

/** What one event means here. `ours`: the row belongs to this conversation even if it is not known yet. */
export type HistoryChange<M> =
  | { readonly put: M; readonly ours: boolean }
  | { readonly gone: number }
  | { readonly without: (row: M) => boolean }
  /** What hangs on rows and has no version: the same row again where nothing is another. */
  | { readonly redrawn: (row: M) => M }

export class Stretch<M extends HistoryRow> {
  private readonly rows = new Map<number, M>()
  private sorted: readonly M[] | null = null
  older: string | null
  newer: string | null
  /** The ends as they were fetched: what lies beyond comes with its page, here it would stand above or below a gap. */
  private first: M | null
  private last: M | null

  constructor(
    page: HistoryPage<M>,
    private readonly order: (a: M, b: M) => number,
    private readonly gone: ReadonlySet<number>,
  ) {
    this.older = page.older
    this.newer = page.newer
    this.first = page.rows[0] ?? null
    this.last = page.rows.at(-1) ?? null
    for (const row of page.rows) this.answered(row)
  }

  get size(): number {
    return this.rows.size
  }

  has(id: number): boolean {
    return this.rows.has(id)
  }

  /** Oldest first. A fresh array after each change, the same one until then. */
  all(): readonly M[] {
    this.sorted ??= [...this.rows.values()].sort(this.order)
    return this.sorted
  }

  middle(): M | undefined {
    return this.all()[this.size >> 1]
  }

  addOlder(page: HistoryPage<M>) {
    for (const row of page.rows) this.answered(row)
    this.older = page.older
    this.first = page.rows[0] ?? this.first
  }

  addNewer(page: HistoryPage<M>) {
    for (const row of page.rows) this.answered(row)
    this.newer = page.newer
    this.last = page.rows.at(-1) ?? this.last
  }

  /** Whether it goes as far as the newest: it holds one of them, or there is nothing newer than it. */
  reaches(newest: Stretch<M>): boolean {
    return this.newer === null || [...this.rows.keys()].some(id => newest.rows.has(id))
  }

  /** Takes a stretch that reaches this one. */
  join(stretch: Stretch<M>) {
    for (const row of stretch.rows.values()) this.answered(row)
    const isFurther = this.first !== null && stretch.first !== null && this.order(stretch.first, this.first) < 0
    if (!isFurther && stretch.older !== null) return
    this.older = stretch.older
    this.first = stretch.first
  }

  change(change: HistoryChange<M>): boolean {
    if ('put' in change) return this.put(change.put, change.ours)
    if ('gone' in change) return this.drop(row => row.id === change.gone)
    if ('redrawn' in change) return this.redraw(change.redrawn)
    return this.drop(change.without)
  }

  /** Adds or replaces by id; an older or equal version changes nothing. */
  private put(row: M, ours: boolean): boolean {
    const known = this.rows.get(row.id)
    if (this.gone.has(row.id) || (known ? known.version >= row.version : !ours || this.isBeyond(row))) return false
    this.set(row)
    return true
  }

  /** Of the same version an answer counts: what hangs on a message has none. */
  private answered(row: M) {
    const known = this.rows.get(row.id)
    if (!this.gone.has(row.id) && !(known && known.version > row.version)) this.set(row)
  }

  private set(row: M) {
    this.rows.set(row.id, row)
    this.sorted = null
  }

  private drop(isSo: (row: M) => boolean): boolean {
    const left = [...this.rows.values()].filter(isSo)
    for (const { id } of left) this.rows.delete(id)
    if (left.length > 0) this.sorted = null
    return left.length > 0
  }

  private redraw(draw: (row: M) => M): boolean {
    const others = [...this.rows.values()].map(row => [row, draw(row)] as const).filter(([row, now]) => row !== now)
    for (const [, row] of others) this.set(row)
    return others.length > 0
  }

  private isBeyond(row: M): boolean {
    if (this.older !== null && this.first && this.order(row, this.first) < 0) return true
    return this.newer !== null && this.last !== null && this.order(row, this.last) > 0
  }
}
