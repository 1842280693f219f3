// What the tickets of a list add up to.
import type { TicketStatus } from '@balcao/contract'
import type { TicketLine } from './tickets.ts'

export interface TotalShare {
  readonly name: string
  readonly color: string
  n: number
}

/** Sums of the tickets that are listed. */
export class TicketTotals {
  all = 0
  waits = 0
  waitMs = 0
  services = 0
  serviceMs = 0
  stars = 0
  ratings = 0
  readonly statuses = new Map<TicketStatus, number>()
  readonly queues = new Map<number | null, TotalShare>()
  readonly people = new Map<number | null, TotalShare>()
  readonly days = new Map<string, number>()

  constructor(private readonly dayOf: (line: TicketLine) => string) {}

  add(line: TicketLine): void {
    this.all++
    if (line.waitMs !== null) [this.waits, this.waitMs] = [this.waits + 1, this.waitMs + line.waitMs]
    if (line.serviceMs !== null) this.serviceMs += line.serviceMs
    this.services += line.services
    this.stars += line.stars
    this.ratings += line.ratings
    this.statuses.set(line.status, (this.statuses.get(line.status) ?? 0) + 1)
    more(this.queues, line.queueId, { name: line.queue, color: line.color })
    more(this.people, line.userId, { name: line.user, color: '' })
    const day = this.dayOf(line)
    this.days.set(day, (this.days.get(day) ?? 0) + 1)
  }
}

function more(shares: Map<number | null, TotalShare>, id: number | null, named: Omit<TotalShare, 'n'>): void {
  const known = shares.get(id)
  if (known) known.n++
  else shares.set(id, { ...named, n: 1 })
}

/** Who has most first; null last, by the name for none. */
export function sortShares(shares: ReadonlyMap<number | null, TotalShare>, none: string): TotalShare[] {
  const rows = [...shares].map(([id, share]) => ({ id, ...share, name: id === null ? none : share.name }))
  return rows.sort(
    (one, other) =>
      Number(one.id === null) - Number(other.id === null) || other.n - one.n || one.name.localeCompare(other.name),
  )
}
