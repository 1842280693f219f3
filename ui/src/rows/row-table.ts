// The rows that are known, each once, by id; lists (`RowStore`) show some of them in an order. A row is replaced by a newer version only,
// and what is gone leaves its version behind, so nothing late brings it back (decision 0161). No I/O but the rows it is asked to fetch.
import { type FetchResult, Journal } from './journal.ts'
import { Signals } from './signals.ts'

export interface ListRow {
  readonly id: number
  readonly version: number
}

/** What an event, or the answer to what was done here, says of one row. */
export type RowChange<R> =
  /** `onlyNewer`: it may be older than what hangs on the row, as an event is, and does not replace the same version. */
  | { readonly put: R; readonly isNew?: boolean; readonly onlyNewer?: boolean }
  /** Without a version it was deleted here, and stays so. */
  | { readonly gone: number; readonly version?: number }

/** Or what hangs on rows and has no version, or a part of one: the same row again where nothing is another. */
export type TableChange<R> = RowChange<R> | { readonly redrawn: (row: R) => R }

/** The ids that changes name; true where the row is a new one. */
export type TouchedRows = Map<number, boolean>

/** A list of rows, told of all changes. */
interface RowList<R> {
  readonly journal: Journal<TableChange<R>>
  readonly ids: readonly number[]
  arrange(touched: TouchedRows): void
}

/** So many that nobody looks at may be known. */
const SPARE = 200

export class RowTable<R extends ListRow> {
  private readonly rows = new Map<number, R>()
  private readonly gone = new Map<number, number>()
  /** Held since before events were missed and not heard of again: they may be gone, or be others. */
  private stale = new Set<number>()
  private readonly lists = new Set<RowList<R>>()
  private readonly singles = new Journal<TableChange<R>>()
  private readonly signals = new Signals<number>()
  /** Calls back when the row is another one. */
  readonly on = this.signals.on

  /** @param keep what stays of a row that is known when it comes anew without it */
  constructor(private readonly keep: (row: R, known: R | undefined) => R = row => row) {}

  find = (id: number): R | undefined => this.rows.get(id)

  isGone(id: number): boolean {
    return this.gone.has(id)
  }

  add(list: RowList<R>) {
    this.lists.add(list)
  }

  /** Takes what events or answers say, in their order. */
  take(changes: readonly TableChange<R>[]) {
    for (const journal of [this.singles, ...[...this.lists].map(list => list.journal)])
      for (const change of changes) journal.note(change)
    this.apply(changes)
    this.forgetUnlisted()
  }

  /** Asks for one and takes it, with what came since it was asked for; throws as the call does. */
  async fetch(ask: () => Promise<R>) {
    const came = await this.singles.during(async () => [await ask()])
    if (came) this.answer(came)
  }

  /** Takes rows that were asked for, of a list that places them itself, and takes what came meanwhile once more. */
  answer({ answer, meanwhile }: FetchResult<readonly R[], TableChange<R>>, list?: RowList<R>, place?: () => void) {
    this.apply(
      answer.map(put => ({ put })),
      list,
      place,
    )
    this.apply(meanwhile)
  }

  /** Rows that this person may not see any more, or that are gone. */
  forget(ids: Iterable<number>) {
    const own = [...ids]
    this.apply(own.map(gone => ({ gone })))
    for (const id of own) this.gone.delete(id)
  }

  /** Events were missed: only these stay, as they are, until they are heard of again. */
  mistrust(ids: readonly number[]) {
    this.singles.void()
    this.gone.clear()
    this.stale = new Set(ids)
    for (const id of this.rows.keys()) if (!this.stale.has(id)) this.rows.delete(id)
  }

  /** What was not heard of again is gone, but for what is asked for by itself. */
  forgetStale(but: number | null) {
    this.forget([...this.stale].filter(id => id !== but))
  }

  private apply(changes: readonly TableChange<R>[], placed?: RowList<R>, place?: () => void) {
    const touched: TouchedRows = new Map()
    const changed = new Set<number>()
    for (const change of changes) this.step(change, touched, changed)
    place?.()
    for (const list of this.lists) if (list !== placed) list.arrange(touched)
    this.signals.fire(changed)
  }

  private step(change: TableChange<R>, touched: TouchedRows, changed: Set<number>) {
    if ('redrawn' in change) return this.redraw(change.redrawn, touched, changed)
    const id = 'put' in change ? change.put.id : change.gone
    const isOther = 'put' in change ? this.put(change.put, change.onlyNewer) : this.remove(id, change.version)
    const isNew = isOther && 'put' in change && change.isNew === true
    touched.set(id, isNew || touched.get(id) === true)
    if (isOther) changed.add(id)
  }

  private put(row: R, onlyNewer = false): boolean {
    const known = this.rows.get(row.id)
    if (known && (known.version > row.version || (onlyNewer && known.version === row.version))) return false
    if ((this.gone.get(row.id) ?? -1) >= row.version) return false
    this.gone.delete(row.id)
    this.stale.delete(row.id)
    this.rows.set(row.id, this.keep(row, known))
    return true
  }

  private remove(id: number, version = Number.MAX_SAFE_INTEGER): boolean {
    const known = this.rows.get(id)
    if (known && known.version > version) return false
    this.gone.set(id, Math.max(version, this.gone.get(id) ?? 0))
    this.stale.delete(id)
    return this.rows.delete(id)
  }

  /** Of what may not be trusted a part is no account. */
  private redraw(draw: (row: R) => R, touched: TouchedRows, changed: Set<number>) {
    for (const [id, row] of this.rows) {
      const next = this.stale.has(id) ? row : draw(row)
      if (next === row) continue
      this.rows.set(id, next)
      touched.set(id, touched.get(id) ?? false)
      changed.add(id)
    }
  }

  /** Forgets what stands in no list and is not shown elsewhere, once that is most of what is known. */
  private forgetUnlisted() {
    const lists = [...this.lists]
    if (this.rows.size < 2 * lists.reduce((sum, { ids }) => sum + ids.length, 0) + SPARE) return
    const listed = new Set(lists.flatMap(({ ids }) => ids))
    for (const id of this.rows.keys()) if (!listed.has(id) && !this.signals.has(id)) this.rows.delete(id)
    for (const id of this.gone.keys()) {
      if (this.gone.size <= SPARE) break
      this.gone.delete(id)
    }
  }
}
