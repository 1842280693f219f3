// The rows of a list: pages by key in the server's order, kept by live events so that what is shown always equals a fresh fetch of as
// much (decisions 0161, 0189). No I/O but the pages it asks for.
import { Feed } from './feed.ts'

export interface ListRow {
  readonly id: number
  readonly version: number
}

/** What an event, or the answer to what was done here, says of one row. */
export type RowChange<R> =
  | { readonly put: R; readonly isNew?: boolean }
  /** Without a version it was deleted here, and stays so. */
  | { readonly gone: number; readonly version?: number }

export interface RowPage<R> {
  readonly rows: readonly R[]
  /** Where the next page begins; null at the end. */
  readonly nextCursor: string | null
  /** Of all pages together, where the server tells it. */
  readonly count?: number
}

export interface RowOptions<R extends ListRow, Q> {
  readonly page: (query: Q, cursor: string | null, signal: AbortSignal) => Promise<RowPage<R>>
  /** The order of the server. */
  readonly order: (a: R, b: R) => number
  /** Whether the server's search would find the row. */
  readonly matches: (row: R, query: Q) => boolean
  /** What stays of a row that is known when an event brings it anew without it. */
  readonly keep?: (row: R, known: R | undefined) => R
}

export interface RowView<R, Q> {
  /** What the rows were asked for with. */
  readonly query: Q
  readonly rows: readonly R[]
  /** Ids of rows that were deleted since the page was opened, be they shown or not. */
  readonly gone: ReadonlySet<number>
  /** Exact once all pages are there; before, as the newest page told it and as far as events let it be known. */
  readonly count: number | null
  readonly nextCursor: string | null
  /** The last row of the last page while there are more: what sorts after it comes with its page. */
  readonly floor: R | null
  /** `failed` keeps the rows that were there. */
  readonly status: 'loading' | 'ready' | 'failed'
  readonly more: 'idle' | 'loading' | 'failed'
  readonly error: unknown
}

const NOBODY: ReadonlySet<number> = new Set()
const NOTHING = { rows: [], count: null, nextCursor: null, floor: null } as const

export class RowStore<R extends ListRow, Q> extends Feed<RowView<R, Q>, RowChange<R>> {
  /** The newest version heard of, also of rows that are not shown: an answer that comes late puts none of them back. */
  private readonly heard = new Map<number, number>()
  private running = new AbortController()

  constructor(
    private readonly means: RowOptions<R, Q>,
    query: Q,
  ) {
    super(
      { query, ...NOTHING, gone: NOBODY, status: 'loading', more: 'idle', error: null },
      (view, change) =>
        'put' in change ? this.with(view, change.put, change.isNew ?? false) : removeRow(view, change.gone),
      toRowVersion,
    )
  }

  /** The first page afresh; of another query where one is given. What is shown stays until the answer is there. */
  async load(query: Q = this.state.query): Promise<void> {
    const { signal } = this.again()
    this.show({ more: 'idle', ...(this.state.status === 'failed' ? { status: 'loading' } : {}) })
    try {
      await this.fetch(() => this.means.page(query, null, signal), putFirstPage(query), { afresh: true })
    } catch (error) {
      if (signal.aborted) return
      // What answered another question does not stand under this one.
      this.show({ ...(query === this.state.query ? {} : NOTHING), query, status: 'failed', error })
    }
  }

  /** The next page, where there is one. */
  async more(): Promise<void> {
    const { query, nextCursor, more } = this.state
    const { signal } = this.running
    if (nextCursor === null || more === 'loading') return
    this.show({ more: 'loading' })
    try {
      const put = (view: RowView<R, Q>, page: RowPage<R>): RowView<R, Q> => {
        // The first page came afresh meanwhile: this one goes on from another.
        if (view.query !== query || view.nextCursor !== nextCursor) return { ...view, more: 'idle' }
        const there = new Set(view.rows.map(row => row.id))
        const rows = [...view.rows, ...page.rows.filter(row => !there.has(row.id))].sort(this.means.order)
        return { ...view, ...toPageEnd(page), rows, more: 'idle' }
      }
      await this.fetch(() => this.means.page(query, nextCursor, signal), put)
    } catch (error) {
      if (!signal.aborted) this.show({ more: 'failed', error })
    }
  }

  /** As many rows as are shown once more, for what no event tells one by one; without an answer they stay as they are. */
  async look(): Promise<void> {
    if (this.state.status === 'ready')
      await this.fetch(() => this.pages(), putFirstPage(this.state.query)).catch(() => false)
  }

  private async pages(): Promise<RowPage<R>> {
    const { query, rows: shown } = this.state
    const { signal } = this.running
    const rows: R[] = []
    for (let cursor: string | null = null; ; ) {
      const page: RowPage<R> = await this.means.page(query, cursor, signal)
      rows.push(...page.rows)
      cursor = page.nextCursor
      if (cursor === null || rows.length >= shown.length) return { ...page, rows }
    }
  }

  /** Nobody looks any more. */
  stop() {
    this.running.abort()
  }

  private again(): AbortController {
    this.running.abort()
    this.running = new AbortController()
    return this.running
  }

  private show(change: Partial<RowView<R, Q>>) {
    this.state = { ...this.state, ...change }
    this.tell()
  }

  /** With this row in its place, or without it where it is not found or comes with a later page. */
  private with(view: RowView<R, Q>, row: R, isNew: boolean): RowView<R, Q> {
    const known = view.rows.find(({ id }) => id === row.id)
    if (Math.max(known?.version ?? 0, this.heard.get(row.id) ?? 0) > row.version) return view
    this.heard.set(row.id, row.version)
    const { order, matches, keep } = this.means
    const put = keep?.(row, known) ?? row
    const isFound = matches(row, view.query)
    const isBeyond = view.floor !== null && order(row, view.floor) > 0
    if (!known && (!isFound || (isBeyond && !isNew))) return view
    const others = known ? view.rows.filter(other => other !== known) : view.rows
    const rows = isFound && !isBeyond ? [...others, put].sort(order) : others
    const gone = view.gone.has(row.id) ? new Set([...view.gone].filter(id => id !== row.id)) : view.gone
    return changeCount({ ...view, rows, gone }, Number(isFound) - Number(known !== undefined))
  }
}

/** Puts the first page of a query. */
function putFirstPage<R extends ListRow, Q>(query: Q) {
  return (view: RowView<R, Q>, page: RowPage<R>): RowView<R, Q> => ({
    ...view,
    ...toPageEnd(page),
    ...{ query, rows: page.rows, status: 'ready', error: null },
  })
}

function removeRow<R extends ListRow, Q>(view: RowView<R, Q>, id: number): RowView<R, Q> {
  const rows = view.rows.filter(row => row.id !== id)
  const gone = new Set([...view.gone, id])
  return rows.length === view.rows.length ? { ...view, gone } : changeCount({ ...view, rows, gone }, -1)
}

function changeCount<R, Q>(view: RowView<R, Q>, change: number): RowView<R, Q> {
  if (view.count === null) return view
  return { ...view, count: view.nextCursor === null ? view.rows.length : Math.max(0, view.count + change) }
}

function toPageEnd<R>({
  rows,
  nextCursor,
  count = null,
}: {
  rows: readonly R[]
  nextCursor: string | null
  count?: number | null
}) {
  return { nextCursor, count, floor: nextCursor === null ? null : (rows.at(-1) ?? null) }
}

function toRowVersion<R extends ListRow>(change: RowChange<R>) {
  if ('put' in change) return { id: change.put.id, version: change.put.version, gone: false }
  return { id: change.gone, version: change.version ?? Number.MAX_SAFE_INTEGER, gone: true }
}
