// The messages of one conversation: load (older ones in front), add or replace by id, in the provider's order (spec 1 §4). No I/O.
import type { AnswerOf, LiveEvent, Message, Ticket } from '@balcao/contract'

/** Settings that narrow the history of a conversation to less than the contact's whole one (decisions §5). */
export interface HistoryScope {
  readonly onlyThisTicket: boolean
}

type MessagePage = AnswerOf<'GET /messages/:ticketId'>

export class MessageTable {
  private readonly messages = new Map<number, Message>()
  private readonly gone = new Set<number>()
  private order: number[] = []
  private sorted: readonly Message[] | null = null
  hasMore = false
  cursor: string | null = null
  /** Where newer ones go on, while this is a stretch that does not reach the newest. */
  newerCursor: string | null = null

  /** Sorted, oldest first. A fresh array after each change, the same one until then. */
  all(): readonly Message[] {
    this.sorted ??= this.order.flatMap(id => this.messages.get(id) ?? [])
    return this.sorted
  }

  get(id: number): Message | undefined {
    return this.messages.get(id)
  }

  /** What is held now; given back with a fresh page it tells what is missing there from what came meanwhile. */
  held(): ReadonlySet<number> {
    return new Set(this.order)
  }

  get size(): number {
    return this.order.length
  }

  /** Takes a page; `fresh` is the newest page after a reset: what it should contain and does not is gone. */
  takePage(
    page: { messages: readonly Message[]; hasMore: boolean; nextCursor: string | null },
    fresh = false,
    before: ReadonlySet<number> = new Set(),
  ): boolean {
    if (fresh) this.dropMissing(page.messages, before)
    let changed = false
    for (const message of page.messages) changed = this.put(message) || changed
    if (!fresh || !this.hasOlderThan(page.messages[0])) {
      this.hasMore = page.hasMore
      this.cursor = page.nextCursor
    }
    return changed
  }

  /** Takes the page around one message: what is held begins with it. */
  static around(page: MessagePage): MessageTable {
    const table = new MessageTable()
    table.takePage(page)
    table.newerCursor = page.newerCursor
    return table
  }

  /** Takes a page of newer messages, which goes on where this stretch ends. */
  takeNewer(page: MessagePage) {
    for (const message of page.messages) this.put(message)
    this.newerCursor = page.newerCursor
  }

  /** Takes a stretch that reaches the newest here, and goes further back. */
  join(stretch: MessageTable) {
    for (const message of stretch.all()) this.put(message)
    this.hasMore = stretch.hasMore
    this.cursor = stretch.cursor
  }

  /** Whether a stretch reaches these: it holds one of them, or there is nothing newer than it. */
  isReachedBy(stretch: MessageTable): boolean {
    return stretch.newerCursor === null || stretch.order.some(id => this.messages.has(id))
  }

  /** Adds or replaces by id; an older or equal version changes nothing. */
  put(message: Message): boolean {
    const known = this.messages.get(message.id)
    if ((known && known.version >= message.version) || this.gone.has(message.id)) return false
    this.sorted = null
    this.messages.set(message.id, message)
    if (!known || compareMessages(known, message) !== 0) this.place(message)
    return true
  }

  remove(id: number): boolean {
    this.gone.add(id)
    if (!this.messages.delete(id)) return false
    this.sorted = null
    this.order = this.order.filter(other => other !== id)
    return true
  }

  /** Takes one live event, if it is of this conversation. */
  takeEvent(event: LiveEvent, ticket: Pick<Ticket, 'id' | 'contactId'>, scope: HistoryScope): boolean {
    if (event.event === 'ticket') return event.action === 'delete' && this.forgetTicket(event.ticketId)
    if (event.event !== 'appMessage') return false
    if (event.action === 'delete') return this.remove(event.messageId)
    const { message } = event
    const known = this.messages.has(message.id)
    const ours = message.ticketId === ticket.id || (!scope.onlyThisTicket && message.contactId === ticket.contactId)
    if (!known && this.hasMore && this.hasNoneBefore(message)) return false
    if (!known && this.newerCursor !== null && this.hasNoneAfter(message)) return false
    return known || ours ? this.put(message) : false
  }

  /** Whether an event tells of an earlier ticket of this contact that could not be seen until now: its messages are to be fetched. */
  lacks(event: LiveEvent, ticket: Pick<Ticket, 'id' | 'contactId'>, scope: HistoryScope): boolean {
    if (event.event !== 'ticket' || event.action === 'delete' || event.action === 'create') return false
    const { id, contactId } = event.ticket
    if (scope.onlyThisTicket || this.hasMore || contactId !== ticket.contactId || id === ticket.id) return false
    return !this.holds(id)
  }

  private holds(ticketId: number): boolean {
    return this.order.some(id => this.messages.get(id)?.ticketId === ticketId)
  }

  /** A ticket is deleted, or not for this person any more: what is known of it goes. */
  private forgetTicket(ticketId: number): boolean {
    if (!this.holds(ticketId)) return false
    for (const [id, message] of this.messages) if (message.ticketId === ticketId) this.messages.delete(id)
    this.order = this.order.filter(id => this.messages.has(id))
    this.sorted = null
    return true
  }

  /** Older than everything loaded: it comes with its page, here it would hide a gap. */
  private hasNoneBefore(message: Message): boolean {
    const oldest = this.messages.get(this.order[0] ?? 0)
    return oldest !== undefined && compareMessages(message, oldest) < 0
  }

  /** Newer than a stretch that does not reach the newest: between them is a gap. */
  private hasNoneAfter(message: Message): boolean {
    const newest = this.messages.get(this.order.at(-1) ?? 0)
    return newest !== undefined && compareMessages(message, newest) > 0
  }

  private place(message: Message) {
    const order = this.order.filter(id => id !== message.id)
    let low = 0
    let high = order.length
    while (low < high) {
      const middle = (low + high) >> 1
      const other = this.messages.get(order[middle] ?? 0)
      if (other && compareMessages(other, message) < 0) low = middle + 1
      else high = middle
    }
    order.splice(low, 0, message.id)
    this.order = order
  }

  private dropMissing(page: readonly Message[], before: ReadonlySet<number>) {
    this.sorted = null
    const first = page[0]
    const last = page.at(-1)
    const kept = new Set(page.map(message => message.id))
    // Where the page does not join what was there is a hole: the older ones are fetched again when they are wanted.
    const joins = first === undefined || this.messages.has(first.id)
    for (const id of this.order) {
      const message = this.messages.get(id)
      if (!message || kept.has(id)) continue
      if (joins && first && compareMessages(message, first) < 0) continue
      // Newer than the page: it came by the live line while the page was on its way.
      if (!before.has(id) && last && compareMessages(message, last) > 0) continue
      this.messages.delete(id)
    }
    this.order = this.order.filter(id => this.messages.has(id))
    this.gone.clear()
  }

  private hasOlderThan(first: Message | undefined): boolean {
    const oldest = this.messages.get(this.order[0] ?? 0)
    return Boolean(first && oldest && compareMessages(oldest, first) < 0)
  }
}

/** By the provider's time, ties by ticket and the per-ticket sequence (decisions §1). */
export function compareMessages(a: Message, b: Message): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? -1 : 1
  return a.ticketId - b.ticketId || a.seq - b.seq
}
