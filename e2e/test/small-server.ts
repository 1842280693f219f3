// A server of nothing but memory, for the client's own stores and live line: rows with versions, pages by key, a log of events with
// a cursor, and a wire on which nothing comes when it should. All chance is of one seed.
import type { Live, LiveSocket } from '@balcao/client'
import type { ClientFrame, LiveEvent, ServerFrame } from '@balcao/contract/events'
import { createSeededRandom, type SeededRandom } from '../../backend/test/seeded-random.ts'

export interface Row {
  readonly id: number
  readonly version: number
}

/** How many rows a page has. */
export const PAGE = 4

export class SmallServer {
  readonly random: SeededRandom
  private readonly log: LiveEvent[] = []
  /** What happened before is known of no more: who was there last goes on from nothing. */
  private oldest = 0
  private readonly answers: (() => void)[] = []
  private wire: Wire | null = null
  /** The line of the client, for what its browser would tell it of the network. */
  line: Pick<Live, 'wake' | 'drop'> | null = null
  private isSilent = false
  private readonly haste: number
  isUp = true

  constructor(seed: number) {
    this.random = createSeededRandom(seed)
    this.haste = this.random.pick([0.2, 0.5, 0.8, 0.95])
  }

  /** A question: the answer is read at once or when it comes, and comes whenever. What `read` throws is the answer too. */
  ask<T>(read: () => T): Promise<T> {
    const early = this.random.chance(0.5) ? take(read) : null
    return new Promise((resolve, reject) => {
      this.answers.push(() => {
        const taken = early ?? take(read)
        if ('error' in taken) reject(taken.error)
        else resolve(taken.value)
      })
    })
  }

  /** The answer to a change made here: how it stood then, and it comes whenever; none comes to who has begun afresh since. */
  later<T>(value: T, then: (value: T) => void) {
    const { oldest } = this
    const { isUp } = this
    this.answers.push(() => {
      if (isUp && this.isUp && oldest === this.oldest) then(structuredClone(value))
    })
  }

  tell(event: LiveEvent) {
    this.log.push(event)
    if (!this.isSilent) this.wire?.push({ type: 'events', cursor: this.cursor, events: [event] })
  }

  /** Too much happens to tell it: a reset says so, at once or to who comes back. */
  silently(work: () => void) {
    this.isSilent = true
    work()
    this.isSilent = false
    this.oldest = this.log.length
    this.wire?.push({ type: 'reset', cursor: this.cursor })
  }

  cut() {
    this.isUp = false
    this.line?.drop()
  }

  mend() {
    this.isUp = true
    this.line?.wake()
  }

  /** Something that is on its way arrives; on some days the line is slow, on others the answers are. */
  arrive() {
    const { answers, random } = this
    if (random.chance(this.haste)) this.wire?.bring()
    else answers.splice(random.upTo(answers.length), 1)[0]?.()
  }

  get isBusy(): boolean {
    return this.answers.length > 0 || this.wire?.isBusy === true
  }

  opened(wire: Wire) {
    this.wire = wire
  }

  closed(wire: Wire) {
    if (this.wire === wire) this.wire = null
  }

  hear(wire: Wire, frame: ClientFrame) {
    if (frame.type !== 'hello') return
    const since = frame.cursor === null ? null : Number(frame.cursor)
    const { cursor } = this
    wire.greet()
    if (since !== null && since < this.oldest) return wire.push({ type: 'reset', cursor })
    const events = since === null ? [] : this.log.slice(since)
    if (events.length > 0) wire.push({ type: 'events', cursor, events })
    wire.push({ type: 'welcome', cursor })
  }

  private get cursor(): string {
    return String(this.log.length)
  }
}

/** The browser's end of a socket: what the server says comes in its order, when the day wants it. */
export class Wire implements LiveSocket {
  readyState = 0
  private readonly heard = new Map<string, (event: { readonly type: string; readonly data?: string }) => void>()
  private isGreeted = false
  private readonly coming: (() => void)[] = [
    () => {
      this.readyState = WebSocket.OPEN
      this.heard.get('open')?.({ type: 'open' })
    },
  ]

  constructor(private readonly server: SmallServer) {
    server.opened(this)
  }

  addEventListener(type: string, heard: (event: { readonly type: string }) => void) {
    this.heard.set(type, heard)
  }

  get isBusy(): boolean {
    return this.coming.length > 0
  }

  /** From the hello on it is told what happens. */
  greet() {
    this.isGreeted = true
  }

  push(frame: ServerFrame) {
    const data = JSON.stringify(frame)
    if (this.isGreeted) this.coming.push(() => this.heard.get('message')?.({ type: 'message', data }))
  }

  bring() {
    this.coming.shift()?.()
  }

  send(text: string) {
    this.server.hear(this, JSON.parse(text))
  }

  close() {
    this.readyState = 3
    this.coming.length = 0
    this.server.closed(this)
  }
}

/** The rows of one kind, of which each change is told. */
export class SmallRows<T extends Row> {
  private readonly rows = new Map<number, T>()
  /** Of all there ever were: who comes back does so in a newer version. */
  private readonly versions = new Map<number, number>()

  constructor(
    private readonly server: SmallServer,
    private readonly order: (a: T, b: T) => number,
    private readonly make: (row: Row, before: T | undefined) => T,
    private readonly toEvent: (row: T, action: 'create' | 'update' | 'delete', before: T | undefined) => LiveEvent,
  ) {}

  all(): readonly T[] {
    return [...this.rows.values()].sort(this.order)
  }

  find(id: number): T | undefined {
    return this.rows.get(id)
  }

  /** The id of some row that there is or was. */
  some(): number {
    return 1 + this.random.upTo(this.versions.size)
  }

  add() {
    this.put(this.versions.size + 1)
  }

  /** Some row is another; one that was gone is there again. */
  change({ back = true } = {}) {
    const id = this.some()
    if (this.versions.has(id) && (back || this.rows.has(id))) this.put(id)
  }

  /** Some row is changed from here; how it stands then. */
  save(): T | undefined {
    const id = this.some()
    if (this.rows.has(id)) this.put(id)
    return this.rows.get(id)
  }

  remove(id = this.some()) {
    const row = this.rows.get(id)
    if (!row) return
    this.rows.delete(row.id)
    const gone = { ...row, version: this.next(row.id) }
    this.server.tell(this.toEvent(gone, 'delete', row))
  }

  private put(id: number) {
    const before = this.rows.get(id)
    const row = this.make({ id, version: this.next(id) }, before)
    this.rows.set(id, row)
    this.server.tell(this.toEvent(row, before ? 'update' : 'create', before))
  }

  private next(id: number): number {
    const version = (this.versions.get(id) ?? 0) + 1
    this.versions.set(id, version)
    return version
  }

  private get random(): SeededRandom {
    return this.server.random
  }
}

/** A page of a list; its cursor is the last row of the page before. */
export function takePage<T>(all: readonly T[], order: (a: T, b: T) => number, cursor?: string | null) {
  const after: T | null = cursor ? JSON.parse(cursor) : null
  const rest = after === null ? all : all.filter(row => order(row, after) > 0)
  const rows = rest.slice(0, PAGE)
  const hasMore = rest.length > PAGE
  return { rows, count: rows.length, hasMore, nextCursor: hasMore ? JSON.stringify(rows.at(-1)) : null }
}

interface HistoryQuery {
  readonly cursor?: string | undefined
  readonly around?: number | undefined
  readonly limit?: number | undefined
}

/** A page of a conversation, oldest first; its cursors are the rows at its ends. Throws `missing` when there is nothing to be around of. */
export function takeHistoryPage<T extends Row>(
  all: readonly T[],
  order: (a: T, b: T) => number,
  { cursor, around, limit = PAGE }: HistoryQuery,
  missing: () => Error,
) {
  const { rows, older, newer } = cursor
    ? takeBeside(all, order, cursor, limit)
    : takeAround(all, around, limit, missing)
  return {
    messages: [...rows],
    count: rows.length,
    hasMore: older !== null,
    nextCursor: older && `o${JSON.stringify(older)}`,
    newerCursor: newer && `n${JSON.stringify(newer)}`,
  }
}

function takeBeside<T>(all: readonly T[], order: (a: T, b: T) => number, cursor: string, limit: number) {
  const place: T = JSON.parse(cursor.slice(1))
  if (cursor.startsWith('o')) {
    const rest = all.filter(row => order(row, place) < 0)
    const rows = rest.slice(-limit)
    return { rows, older: rest.length > limit ? (rows[0] ?? null) : null, newer: null }
  }
  const rest = all.filter(row => order(row, place) > 0)
  const rows = rest.slice(0, limit)
  return { rows, older: null, newer: rest.length > limit ? (rows.at(-1) ?? null) : null }
}

function takeAround<T extends Row>(all: readonly T[], around: number | undefined, limit: number, missing: () => Error) {
  const at = all.findIndex(({ id }) => id === around)
  if (around !== undefined && at === -1) throw missing()
  const from = around === undefined ? Math.max(0, all.length - limit) : Math.max(0, at - PAGE)
  const to = around === undefined ? all.length : Math.min(all.length, at + PAGE)
  const rows = all.slice(from, to)
  return { rows, older: from > 0 ? (rows[0] ?? null) : null, newer: to < all.length ? (rows.at(-1) ?? null) : null }
}

type CallOutcome<T> = { readonly value: T } | { readonly error: unknown }

/** As it goes over the wire: what changes here later changes nothing there. */
function take<T>(read: () => T): CallOutcome<T> {
  try {
    return { value: structuredClone(read()) }
  } catch (error) {
    return { error }
  }
}
