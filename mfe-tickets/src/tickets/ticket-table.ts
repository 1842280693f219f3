// Every ticket the screen knows, once, by id; and the lists as sorted ids. No I/O: what goes in is pages and live events.
// It is changed in place (a page of 100,000 rows is not copied for one event); what is read out are fresh arrays.
import type { LiveEvent, Ticket } from '@balcao/contract'
import { isInList, isOrderedByWait, LISTS, type ListFilters, type ListName, type ListViewer } from './is-in-list.ts'

interface ListState {
  ids: number[]
  /** The last row fetched while there are more: what sorts after it is not known yet and must not be shown. */
  floor: Rank | null
  loaded: boolean
}

interface Rank {
  readonly at: string
  readonly id: number
  /** The oldest first, not the newest. */
  readonly rising: boolean
}

interface PageFacts {
  readonly first: boolean
  readonly hasMore: boolean
}

/** What one step changed, so only that is drawn again. */
export interface Changes {
  readonly tickets: Set<number>
  readonly lists: Set<ListName>
}

/** So many that nobody looks at may be known. */
const SPARE = 200

export class TicketTable {
  private readonly tickets = new Map<number, Ticket>()
  private readonly gone = new Map<number, number>()
  /** Held since before a live `reset` and not heard of again: they may be gone, or be others. */
  private stale = new Set<number>()
  private readonly lists = new Map<ListName, ListState>(LISTS.map(name => [name, emptyList()]))

  constructor(
    private viewer: ListViewer,
    private filters: ListFilters,
  ) {}

  ticket(id: number): Ticket | undefined {
    return this.tickets.get(id)
  }

  ids(list: ListName): readonly number[] {
    return this.list(list).ids.slice()
  }

  isLoaded(list: ListName): boolean {
    return this.list(list).loaded
  }

  /** Other filters make other lists: all are empty until fetched again; the tickets stay known. */
  refilter(viewer: ListViewer, filters: ListFilters): Changes {
    this.viewer = viewer
    this.filters = filters
    for (const name of LISTS) this.lists.set(name, emptyList())
    return { tickets: new Set(), lists: new Set(LISTS) }
  }

  /** What stood there without the toggle and does not with it leaves; nothing is fetched. */
  narrow(viewer: ListViewer): Changes {
    this.viewer = viewer
    const changes = createChanges()
    for (const [name, list] of this.lists) {
      const left = list.ids.filter(id => {
        const ticket = this.tickets.get(id)
        return ticket !== undefined && isInList(name, ticket, viewer, this.filters)
      })
      if (left.length === list.ids.length) continue
      list.ids = left
      changes.lists.add(name)
    }
    return changes
  }

  /**
   * Takes a page of a list. `first` replaces what was there. A ticket that is known in a newer version keeps it,
   * and stands where that version belongs; of the same version the page's counts, since what hangs on a ticket has none. After a `reset` what
   * the list held and the page does not is gone.
   */
  takePage(name: ListName, page: readonly Ticket[], { first, hasMore }: PageFacts): Changes {
    const changes = createChanges()
    const came = new Set(page.map(ticket => ticket.id))
    if (first) for (const id of this.ids(name)) if (this.stale.has(id) && !came.has(id)) this.drop(id, changes)
    const last = page.at(-1)
    if (first) this.lists.set(name, emptyList())
    const list = this.list(name)
    list.loaded = true
    list.floor = hasMore && last ? this.rankOf(name, last) : null
    for (const ticket of page) {
      if (this.put(ticket, changes, true)) this.placeEverywhere(ticket, changes)
      else this.placeIn(name, this.tickets.get(ticket.id), changes)
    }
    // The page reaches further than the list did: what became known meanwhile may stand there too.
    for (const ticket of this.tickets.values()) if (!this.stale.has(ticket.id)) this.placeIn(name, ticket, changes)
    changes.lists.add(name)
    return changes
  }

  /** Takes one ticket; an older or equal version changes nothing, but for an equal one that was asked for, as with a page's. */
  take(ticket: Ticket, wasAsked = false): Changes {
    const changes = createChanges()
    if (this.put(ticket, changes, wasAsked)) this.placeEverywhere(ticket, changes)
    return changes
  }

  /** Forgets what stands in no list and is not shown elsewhere, once that is most of what is known. */
  forgetUnlisted(isShown: (id: number) => boolean) {
    const listed = new Set([...this.lists.values()].flatMap(({ ids }) => ids))
    if (this.tickets.size < 2 * listed.size + SPARE) return
    for (const id of this.tickets.keys()) if (!listed.has(id) && !isShown(id)) this.tickets.delete(id)
    for (const id of this.gone.keys()) {
      if (this.gone.size <= SPARE) break
      this.gone.delete(id)
    }
  }

  /** Takes live events in their order. */
  takeEvents(events: readonly LiveEvent[]): Changes {
    const changes = createChanges()
    for (const event of events) this.takeEvent(event, changes)
    return changes
  }

  /**
   * After a live `reset` nothing known may be trusted: only the shown list and the open ticket stay, until they are fetched afresh.
   */
  forgetUnshown(shown: ListName | null, openTicket: number | null) {
    for (const name of LISTS) if (name !== shown) this.lists.set(name, emptyList())
    const ids = shown === null ? [] : this.list(shown).ids
    const kept = new Set(openTicket === null ? ids : [...ids, openTicket])
    for (const id of this.tickets.keys()) if (!kept.has(id)) this.tickets.delete(id)
    this.gone.clear()
    this.stale = kept
  }

  /** The server says that this person may not see it any more, or that it is gone. */
  forget(id: number): Changes {
    const changes = createChanges()
    this.drop(id, changes)
    return changes
  }

  private takeEvent(event: LiveEvent, changes: Changes) {
    switch (event.event) {
      case 'ticket':
        if (event.action === 'delete') this.remove(event.ticketId, event.version, changes)
        else if (this.put(event.ticket, changes)) this.placeEverywhere(event.ticket, changes)
        return
      case 'contact':
        // Of those who stand in a list of tickets each is told by itself.
        if (event.action === 'delete' || event.action === 'reload') return
        return this.patch(changes, ticket =>
          ticket.contactId === event.contact.id
            ? {
                ...ticket,
                contact: {
                  ...ticket.contact,
                  name: event.contact.name,
                  number: event.contact.number,
                  profilePicUrl: event.contact.profilePicUrl,
                  tags: event.contact.tags,
                },
              }
            : ticket,
        )
      case 'queue':
        if (event.action === 'delete') return
        return this.patch(changes, ticket =>
          ticket.queueId === event.queue.id
            ? { ...ticket, queue: { id: event.queue.id, name: event.queue.name, color: event.queue.color } }
            : ticket,
        )
      case 'whatsapp':
        if (event.action === 'delete') return
        return this.patch(changes, ticket =>
          ticket.whatsappId === event.whatsapp.id && ticket.whatsapp.name !== event.whatsapp.name
            ? { ...ticket, whatsapp: { ...ticket.whatsapp, name: event.whatsapp.name } }
            : ticket,
        )
      default:
        return
    }
  }

  private put(ticket: Ticket, changes: Changes, orSame = false): boolean {
    const known = this.tickets.get(ticket.id)
    if (known && (orSame ? known.version > ticket.version : known.version >= ticket.version)) return false
    if ((this.gone.get(ticket.id) ?? -1) >= ticket.version) return false
    this.gone.delete(ticket.id)
    this.stale.delete(ticket.id)
    if (known) this.takeOut(known, changes)
    this.tickets.set(ticket.id, ticket)
    changes.tickets.add(ticket.id)
    return true
  }

  private remove(id: number, version: number, changes: Changes) {
    const known = this.tickets.get(id)
    if (known && known.version > version) return
    this.gone.set(id, Math.max(version, this.gone.get(id) ?? 0))
    this.drop(id, changes)
  }

  private drop(id: number, changes: Changes) {
    const known = this.tickets.get(id)
    if (!known) return
    this.takeOut(known, changes)
    this.tickets.delete(id)
    changes.tickets.add(id)
  }

  /** What hangs on a ticket changed, not the ticket: its version and place stay. */
  private patch(changes: Changes, change: (ticket: Ticket) => Ticket) {
    for (const ticket of this.tickets.values()) {
      const patched = change(ticket)
      if (patched === ticket) continue
      this.tickets.set(ticket.id, patched)
      changes.tickets.add(ticket.id)
    }
  }

  /** A known ticket leaves its old place in every list; where it belongs now it is put by `placeIn`. */
  private takeOut(ticket: Ticket, changes: Changes) {
    for (const [name, list] of this.lists) {
      const index = this.indexOf(name, list, this.rankOf(name, ticket))
      if (list.ids[index] !== ticket.id) continue
      list.ids.splice(index, 1)
      changes.lists.add(name)
    }
  }

  private placeEverywhere(ticket: Ticket, changes: Changes) {
    for (const name of LISTS) this.placeIn(name, ticket, changes)
  }

  private placeIn(name: ListName, ticket: Ticket | undefined, changes: Changes) {
    if (!ticket) return
    const list = this.list(name)
    if (!list.loaded || !isInList(name, ticket, this.viewer, this.filters)) return
    const rank = this.rankOf(name, ticket)
    if (list.floor && compare(rank, list.floor) > 0) return
    const index = this.indexOf(name, list, rank)
    if (list.ids[index] === ticket.id) return
    list.ids.splice(index, 0, ticket.id)
    changes.lists.add(name)
  }

  private rankOf(name: ListName, { id, createdAt, lastMessageAt }: Ticket): Rank {
    const rising = isOrderedByWait(name, this.filters)
    return { at: rising ? createdAt : lastMessageAt, id, rising }
  }

  /** Where a rank is or would be among the sorted ids of a list. */
  private indexOf(name: ListName, { ids }: ListState, rank: Rank): number {
    let low = 0
    let high = ids.length
    while (low < high) {
      const middle = (low + high) >> 1
      const ticket = this.tickets.get(ids[middle] ?? 0)
      if (ticket && compare(this.rankOf(name, ticket), rank) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  private list(name: ListName): ListState {
    const known = this.lists.get(name)
    if (known) return known
    const list = emptyList()
    this.lists.set(name, list)
    return list
  }
}

function emptyList(): ListState {
  return { ids: [], floor: null, loaded: false }
}

export function createChanges(): Changes {
  return { tickets: new Set(), lists: new Set() }
}

/** Newest activity first, ties by the newer ticket, or the other way round: the order of `GET /tickets`. Instants on the wire compare as text. */
function compare(a: Rank, b: Rank): number {
  const falling = a.at !== b.at ? (a.at < b.at ? 1 : -1) : b.id - a.id
  return a.rising ? -falling : falling
}
