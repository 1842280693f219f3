// The tickets on the screen: one table of those that are known, the lists of them, what live events mean for them, and the counts.
import type { LiveEvent, Ticket, TicketCounts } from '@balcao/contract'
import { Journal, type ListView, RowStore, RowTable, Signals, type TableChange } from '@balcao/ui/rows'
import type { DeskCalls, TicketsQuery } from '../server.ts'
import {
  findListOrder,
  getWaitStart,
  isInList,
  isLate,
  isLive,
  isOnlyLate,
  isOnlyUnread,
  LISTS,
  type ListFilters,
  type ListName,
  type ListViewer,
  STATUS_OF,
} from './is-in-list.ts'
import type { KeyedValues } from './signals.ts'

export type TicketListView = ListView<ListFilters>

const COUNTS_MS = 1000
const MOST_REFETCHED = 500

export class TicketStore {
  private readonly table = new RowTable<Ticket>()
  private readonly stores: Record<ListName, RowStore<Ticket, ListFilters>>
  private readonly signals = new Signals<'counts' | 'filters'>()
  private counted: TicketCounts | null = null
  private countTimer: ReturnType<typeof setTimeout> | undefined
  private lastCount = 0
  /** What stands on top of its list. */
  private pins: ReadonlySet<number> = new Set()
  private readonly pinning = new Journal<readonly [id: number, pinned: boolean]>()
  private openId: number | null = null
  private readonly counting = new Journal<never>()

  constructor(
    private readonly server: Pick<DeskCalls, 'tickets' | 'followed' | 'counts' | 'pinned' | 'ticket'>,
    private viewer: ListViewer,
    private chosen: ListFilters,
  ) {
    this.stores = {
      assigned: this.createList('assigned'),
      groups: this.createList('groups'),
      pending: this.createList('pending'),
      closed: this.createList('closed'),
      closedGroups: this.createList('closedGroups'),
      paused: this.createList('paused'),
      followed: this.createList('followed'),
    }
  }

  get filters(): ListFilters {
    return this.chosen
  }

  ticket = this.table.find
  list = (name: ListName): TicketListView => this.stores[name].list()
  counts = (): TicketCounts | null => this.counted
  onTicket = this.table.on
  readonly single: KeyedValues<number, Ticket | undefined> = { on: this.table.on, of: this.ticket }
  readonly lists: KeyedValues<ListName, TicketListView> = {
    on: (name, listener) => this.stores[name].subscribe(listener),
    of: this.list,
  }
  onCounts = (listener: () => void) => this.signals.on('counts', listener)
  onFilters = (listener: () => void) => this.signals.on('filters', listener)

  /** Who is given the toggle sees less until it is used; who loses it sees all there is to see. */
  offerShowAll(mayShowAll: boolean) {
    if (mayShowAll === this.viewer.mayShowAll) return
    this.viewer = { ...this.viewer, mayShowAll }
    if (mayShowAll) for (const name of LISTS) this.stores[name].narrow()
    else this.refilter({ ...this.chosen })
  }

  /** Other filters make other lists: all are empty until they are opened; the tickets stay known. */
  refilter(filters: ListFilters) {
    this.chosen = filters
    for (const name of LISTS) this.stores[name].clear(filters)
    this.signals.fire(['filters'])
    void this.refreshCounts()
  }

  /** The first page, unless the list is there or on its way. */
  open(name: ListName) {
    return this.stores[name].open()
  }

  loadFirst(name: ListName) {
    return this.stores[name].load()
  }

  /** As time goes by others are late. */
  renew(name: ListName) {
    void this.refreshCounts()
    return this.stores[name].look(MOST_REFETCHED)
  }

  loadMore(name: ListName) {
    return this.stores[name].more()
  }

  /** After a live `reset`: fetches what is shown afresh and swaps it in at once, so nothing jumps. */
  async refetch(shown: ListName | null, openTicket: number | null) {
    const ids = shown === null ? [] : this.list(shown).ids
    this.table.mistrust(openTicket === null ? ids : [...ids, openTicket])
    for (const name of LISTS) if (name !== shown) this.stores[name].clear()
    void this.refreshCounts()
    // The open one is asked for by itself.
    if (shown && (await this.stores[shown].refetch(MOST_REFETCHED)) === 'fetched') this.table.forgetStale(openTicket)
  }

  /** What is read here stays among what is unread for as long as it lies open. */
  lookAt(ticketId: number | null) {
    this.openId = ticketId
    for (const name of LISTS) if (isOnlyUnread(name, this.chosen)) this.stores[name].narrow()
  }

  isPinned = (id: number): boolean => this.pins.has(id)

  /** One was pinned or let go of, here or in another page. */
  takePin(id: number, pinned: boolean) {
    this.pinning.note([id, pinned])
    if (this.isPinned(id) === pinned) return
    this.setPins(addPin(this.pins, id, pinned))
    // What may not be seen, or is gone, stands nowhere.
    if (pinned && !this.ticket(id)) void this.fetch(() => this.server.ticket(id)).catch(() => undefined)
  }

  /** A ticket this person may not see any more, or that is gone. */
  forget(id: number) {
    this.table.forget([id])
  }

  /** The answer to what was done here. */
  take(ticket: Ticket) {
    this.table.take([{ put: ticket }])
  }

  /** Asks for one and takes it, with what came since it was asked for; throws as the call does. */
  fetch(ask: () => Promise<Ticket>) {
    return this.table.fetch(ask)
  }

  takeEvents(events: readonly LiveEvent[]) {
    this.table.take(events.flatMap(event => toTicketChange(event) ?? []))
    for (const event of events) {
      if (event.event === 'ticketPin') this.takePin(event.ticketId, event.pinned)
      // What closes is let go of, and comes back without it.
      if (event.event === 'ticket' && event.action !== 'delete' && event.ticket.status === 'closed')
        this.takePin(event.ticket.id, false)
    }
    if (events.some(event => event.event === 'ticket')) this.countSoon()
  }

  async refreshCounts() {
    clearTimeout(this.countTimer)
    this.countTimer = undefined
    this.lastCount = Date.now()
    const { showAll, queueIds, onlyUnread, onlyLate } = this.chosen
    const only = {
      ...(onlyUnread && { withUnreadMessages: 'true' as const }),
      ...(onlyLate && { late: 'true' as const }),
    }
    // Of two answers the one asked for last counts.
    this.counting.void()
    try {
      const came = await this.counting.during(() => this.server.counts({ showAll, queueIds, ...only }))
      if (!came) return
      this.counted = came.answer
      this.signals.fire(['counts'])
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

  /** Of those whose place changes the rows are drawn again. */
  private setPins(pins: ReadonlySet<number>) {
    const moved = new Set([...this.pins, ...pins].filter(id => this.pins.has(id) !== pins.has(id)))
    this.pins = pins
    if (moved.size > 0) this.table.take([{ redrawn: ticket => (moved.has(ticket.id) ? { ...ticket } : ticket) }])
  }

  /** The pinned ones, as they are and with what happened since they were asked for; those that are known where they cannot be asked for. */
  private async readPins(): Promise<readonly Ticket[]> {
    const came = await this.pinning.during(() => this.server.pinned()).catch(() => null)
    if (!came) return [...this.pins].flatMap(id => this.ticket(id) ?? [])
    const loadedIds = new Set(came.answer.map(({ id }) => id))
    this.setPins(
      came.meanwhile.reduce<ReadonlySet<number>>((pins, [id, pinned]) => addPin(pins, id, pinned), loadedIds),
    )
    return came.answer.filter(({ id }) => this.isPinned(id))
  }

  private createList(name: ListName) {
    const page = async (filters: ListFilters, cursor: string | null, _signal: AbortSignal, limit?: number) => {
      const pinned = isLive(name) && cursor === null ? this.readPins() : []
      const { tickets, nextCursor } =
        name === 'followed'
          ? { tickets: (await this.server.followed()).filter(ticket => matches(ticket, filters)), nextCursor: null }
          : await this.server.tickets(toTicketsQuery(name, filters, cursor, limit))
      const first = (await pinned).filter(ticket => matches(ticket, filters))
      return { rows: [...first, ...tickets.filter(({ id }) => !this.isPinned(id))], nextCursor }
    }
    const order = (a: Ticket, b: Ticket) =>
      Number(this.isPinned(b.id)) - Number(this.isPinned(a.id)) ||
      COMPARE[findListOrder(name, this.chosen) ?? 'newest'](a, b)
    const matches = (ticket: Ticket, filters: ListFilters, isListed = false) =>
      isInList(name, ticket, this.viewer, filters) &&
      (!isOnlyLate(name, filters) || isLate(ticket)) &&
      (!isOnlyUnread(name, filters) || ticket.unreadMessages > 0 || (isListed && ticket.id === this.openId))
    return new RowStore<Ticket, ListFilters>({ page, order, matches }, this.chosen, this.table)
  }
}

function toTicketsQuery(
  name: Exclude<ListName, 'followed'>,
  filters: ListFilters,
  cursor: string | null,
  limit: number | undefined,
): TicketsQuery {
  const order = findListOrder(name, filters)
  return {
    status: STATUS_OF[name],
    showAll: filters.showAll,
    queueIds: filters.queueIds,
    ...(order ? { order } : {}),
    ...(isOnlyUnread(name, filters) ? { withUnreadMessages: 'true' as const } : {}),
    ...(isOnlyLate(name, filters) ? { late: 'true' as const } : {}),
    ...(limit ? { limit } : {}),
    ...(cursor ? { cursor } : {}),
  }
}

function addPin(pins: ReadonlySet<number>, id: number, pinned: boolean): ReadonlySet<number> {
  const next = new Set(pins)
  if (pinned) next.add(id)
  else next.delete(id)
  return next
}

function toTicketChange(event: LiveEvent): TableChange<Ticket> | null {
  switch (event.event) {
    case 'ticket':
      if (event.action === 'delete') return { gone: event.ticketId, version: event.version }
      return { put: event.ticket, onlyNewer: true }
    case 'contact': {
      // Of those who stand in a list of tickets each is told by itself.
      if (event.action === 'delete' || event.action === 'reload') return null
      const { id, name, number, profilePicUrl, tags } = event.contact
      return {
        redrawn: ticket =>
          ticket.contactId === id
            ? { ...ticket, contact: { ...ticket.contact, name, number, profilePicUrl, tags } }
            : ticket,
      }
    }
    case 'queue': {
      if (event.action === 'delete') return null
      const { id, name, color } = event.queue
      return { redrawn: ticket => (ticket.queueId === id ? { ...ticket, queue: { id, name, color } } : ticket) }
    }
    case 'whatsapp': {
      if (event.action === 'delete') return null
      const { id, name } = event.whatsapp
      return {
        redrawn: ticket =>
          ticket.whatsappId === id && ticket.whatsapp.name !== name
            ? { ...ticket, whatsapp: { ...ticket.whatsapp, name } }
            : ticket,
      }
    }
    default:
      return null
  }
}

/** The order of `GET /tickets`: newest activity first, ties by the newer ticket. Instants on the wire compare as text. */
function compareNewestActivity(a: Ticket, b: Ticket): number {
  return a.lastMessageAt === b.lastMessageAt ? b.id - a.id : a.lastMessageAt < b.lastMessageAt ? 1 : -1
}

const COMPARE = {
  newest: compareNewestActivity,
  wait: (a: Ticket, b: Ticket) => compareTexts(getWaitStart(a), getWaitStart(b)) || a.id - b.id,
  // What has no target comes last.
  due: (a: Ticket, b: Ticket) => compareTexts(a.answerDueAt ?? '~', b.answerDueAt ?? '~') || a.id - b.id,
}

function compareTexts(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1
}
