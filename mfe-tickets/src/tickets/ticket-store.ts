// The tickets on the screen: loads pages, takes live events, tells rows and lists what changed.
import type { LiveEvent, Ticket, TicketCounts } from '@balcao/contract'
import { type FetchResult, Journal } from '@balcao/ui/rows'
import type { Server } from '../server.ts'
import { isOrderedByWait, type ListFilters, type ListName, type ListViewer, STATUS_OF } from './is-in-list.ts'
import { type KeyedValues, Signals } from './signals.ts'
import { type Changes, TicketTable } from './ticket-table.ts'

export interface ListView {
  readonly ids: readonly number[]
  readonly status: 'idle' | 'loading' | 'ready' | 'failed'
  readonly hasMore: boolean
  readonly loadingMore: boolean
  readonly error: unknown
}

interface Page {
  readonly tickets: readonly Ticket[]
  readonly nextCursor: string | null
}

const EMPTY: ListView = { ids: [], status: 'idle', hasMore: false, loadingMore: false, error: null }
const COUNTS_MS = 1000
const MOST_REFETCHED = 500

export class TicketStore {
  private readonly table: TicketTable
  private readonly views = new Map<ListName, ListView>()
  private readonly cursors = new Map<ListName, string | null>()
  private readonly rowSignals = new Signals<number>()
  private readonly listSignals = new Signals<ListName | 'counts' | 'filters'>()
  private counted: TicketCounts | null = null
  private countTimer: ReturnType<typeof setTimeout> | undefined
  private lastCount = 0
  /** Pages end with another choice of filters, single tickets do not. */
  private readonly pages = new Journal<LiveEvent>()
  private readonly singles = new Journal<LiveEvent>()
  private readonly counting = new Journal<never>()

  constructor(
    private readonly server: Pick<Server, 'tickets' | 'counts'>,
    private viewer: ListViewer,
    private chosen: ListFilters,
  ) {
    this.table = new TicketTable(viewer, chosen)
  }

  get filters(): ListFilters {
    return this.chosen
  }

  ticket = (id: number): Ticket | undefined => this.table.ticket(id)
  list = (name: ListName): ListView => this.views.get(name) ?? EMPTY
  counts = (): TicketCounts | null => this.counted
  onTicket = (id: number, listener: () => void) => this.rowSignals.on(id, listener)
  onList = (name: ListName | 'counts', listener: () => void) => this.listSignals.on(name, listener)
  readonly single: KeyedValues<number, Ticket | undefined> = { on: this.onTicket, of: this.ticket }
  readonly lists: KeyedValues<ListName, ListView> = { on: this.onList, of: this.list }
  onFilters = (listener: () => void) => this.listSignals.on('filters', listener)

  /** Who is given the toggle sees less until it is used; who loses it sees all there is to see. */
  offerShowAll(mayShowAll: boolean) {
    if (mayShowAll === this.viewer.mayShowAll) return
    this.viewer = { ...this.viewer, mayShowAll }
    if (mayShowAll) this.publish(this.table.narrow(this.viewer))
    else this.refilter({ ...this.chosen })
  }

  refilter(filters: ListFilters) {
    this.chosen = filters
    this.pages.void()
    this.cursors.clear()
    this.views.clear()
    this.publish(this.table.refilter(this.viewer, filters))
    this.listSignals.fire(['filters'])
    void this.refreshCounts()
  }

  /** The first page, unless the list is there or on its way. */
  async open(name: ListName) {
    const { status } = this.list(name)
    if (status === 'loading' || status === 'ready') return
    await this.loadFirst(name)
  }

  async loadFirst(name: ListName) {
    this.setView(name, { status: 'loading', error: null })
    try {
      const came = await this.pages.during(() => this.server.tickets(this.query(name)))
      if (came) this.takePage(name, came, true)
    } catch (error) {
      this.setView(name, { status: 'failed', error })
    }
  }

  async loadMore(name: ListName) {
    const now = this.list(name)
    const cursor = this.cursors.get(name)
    if (now.status !== 'ready' || !now.hasMore || now.loadingMore || !cursor) return
    this.setView(name, { loadingMore: true, error: null })
    try {
      const came = await this.pages.during(() => this.server.tickets({ ...this.query(name), cursor }))
      if (came && this.cursors.get(name) === cursor) this.takePage(name, came, false)
    } catch (error) {
      this.setView(name, { loadingMore: false, error })
    }
  }

  /** After a live `reset`: fetches what is shown afresh and swaps it in at once, so nothing jumps. */
  async refetch(shown: ListName | null, openTicket: number | null) {
    this.pages.void()
    this.singles.void()
    this.table.forgetUnshown(shown, openTicket)
    void this.refreshCounts()
    for (const name of [...this.views.keys()]) if (name !== shown) this.forgetList(name)
    if (shown) await this.refetchList(shown)
  }

  /** A ticket this person may not see any more, or that is gone. */
  forget(id: number) {
    this.publish(this.table.forget(id))
  }

  take(ticket: Ticket) {
    this.note({ event: 'ticket', action: 'update', version: ticket.version, ticket })
    this.publish(this.table.take(ticket))
  }

  /** Asks for one and takes it, with what came since it was asked for; throws as the call does. */
  async fetch(ask: () => Promise<Ticket>) {
    const came = await this.singles.during(ask)
    if (!came) return
    this.publish(this.table.take(came.answer, true))
    this.publish(this.table.takeEvents(came.meanwhile))
  }

  takeEvents(events: readonly LiveEvent[]) {
    for (const event of events) this.note(event)
    this.publish(this.table.takeEvents(events))
    this.table.forgetUnlisted(id => this.rowSignals.has(id))
    if (events.some(event => event.event === 'ticket')) this.countSoon()
  }

  private note(event: LiveEvent) {
    this.pages.note(event)
    this.singles.note(event)
  }

  async refreshCounts() {
    clearTimeout(this.countTimer)
    this.countTimer = undefined
    this.lastCount = Date.now()
    const { showAll, queueIds } = this.chosen
    // Of two answers the one asked for last counts.
    this.counting.void()
    try {
      const came = await this.counting.during(() => this.server.counts({ showAll, queueIds }))
      if (!came) return
      this.counted = came.answer
      this.listSignals.fire(['counts'])
    } catch {
      // The old numbers stay; the next event asks again.
    }
  }

  private countSoon() {
    this.countTimer ??= setTimeout(
      () => void this.refreshCounts(),
      Math.max(150, this.lastCount + COUNTS_MS - Date.now()),
    )
  }

  private async refetchList(name: ListName) {
    // What was to be added belongs to the list of before.
    this.cursors.delete(name)
    this.setView(name, { loadingMore: false })
    try {
      const came = await this.pages.during(() => this.firstRows(name))
      if (came) this.takePage(name, came, true)
    } catch (error) {
      if (this.list(name).ids.length === 0) this.setView(name, { status: 'failed', error })
    }
  }

  /** Puts a page, and what came since it was asked for. */
  private takePage(name: ListName, { answer, meanwhile }: FetchResult<Page, LiveEvent>, first: boolean) {
    const { tickets, nextCursor } = answer
    const hasMore = nextCursor !== null
    this.cursors.set(name, nextCursor)
    const changes = this.table.takePage(name, tickets, { first, hasMore })
    this.setView(name, { status: 'ready', hasMore, loadingMore: false, error: null })
    this.publish(changes)
    this.publish(this.table.takeEvents(meanwhile))
  }

  /** As many as are shown now, and where it goes on. */
  private async firstRows(name: ListName): Promise<Page> {
    const wanted = Math.min(MOST_REFETCHED, Math.max(40, this.list(name).ids.length))
    const tickets: Ticket[] = []
    let nextCursor: string | null = null
    do {
      const cursor: string | null = nextCursor
      const page = await this.server.tickets({ ...this.query(name), limit: 100, ...(cursor ? { cursor } : {}) })
      tickets.push(...page.tickets)
      nextCursor = page.nextCursor
    } while (nextCursor !== null && tickets.length < wanted)
    return { tickets, nextCursor }
  }

  private forgetList(name: ListName) {
    this.views.delete(name)
    this.cursors.delete(name)
    this.listSignals.fire([name])
  }

  private query(name: ListName) {
    const { showAll, queueIds } = this.chosen
    const order = isOrderedByWait(name, this.chosen) ? { order: 'wait' as const } : {}
    return { status: STATUS_OF[name], showAll, queueIds, ...order }
  }

  private setView(name: ListName, change: Partial<ListView>) {
    this.views.set(name, { ...this.list(name), ...change })
    this.listSignals.fire([name])
  }

  private publish(changes: Changes) {
    for (const name of changes.lists) {
      const known = this.views.get(name)
      if (known) this.views.set(name, { ...known, ids: this.table.ids(name) })
    }
    this.rowSignals.fire(changes.tickets)
    this.listSignals.fire(changes.lists)
  }
}
