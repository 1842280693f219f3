// Who looks at which ticket, who has begun to answer there, and who is connected at all: known in every process, stored nowhere.
// Each process tells the others what changed at its sockets, and every few seconds all of it; what is not told again is forgotten.
import type { PresenceViewer, TicketFacts, UserBrief } from '@balcao/contract'
import { retryWhileUnavailable } from '../database/faults.ts'
import type { Notices } from '../database/notices.ts'
import { createDebouncer } from './debounce.ts'

/** A ticket somebody looks at, with what decides who may be told. */
export interface ViewedTicket {
  readonly ticketId: number
  readonly facts: TicketFacts
  readonly users: PresenceViewer[]
}

/** What the register asks the rest of the server. */
export interface ViewersOptions {
  readonly facts: (ticketIds: readonly number[]) => Promise<ReadonlyMap<number, TicketFacts>>
  readonly people: (userIds: readonly number[]) => Promise<readonly UserBrief[]>
  /** Tells the sockets of this process. */
  readonly tell: (seen: readonly ViewedTicket[]) => void
  /** People who were connected and for a while are nowhere. */
  readonly gone: (userIds: readonly number[]) => void
  readonly failed: (error: unknown, doing: string) => void
}

/** Milliseconds; tests make them shorter. */
export interface ViewersTiming {
  /** Changes within this time travel as one. */
  readonly gather: number
  /** How often everything is told again. */
  readonly repeat: number
  /** How long another process may be silent. */
  readonly silence: number
  /** How long somebody who wrote counts as writing. */
  readonly writing: number
  /** How long somebody may be nowhere: a page that is loaded again is no absence. */
  readonly grace: number
}

/** One socket, as far as this register goes. */
export interface ViewerConnection {
  readonly userId: number
  readonly maySee: (facts: TicketFacts) => boolean
}

export interface Viewers {
  /** A socket came in; it may look at tickets from now on. */
  enter(present: ViewerConnection): void
  /** A socket is gone, with everything it looked at. */
  leave(present: ViewerConnection): void
  look(present: ViewerConnection, ticketId: number): void
  lookAway(present: ViewerConnection, ticketId: number): void
  /** Somebody who looks at a ticket writes there, or has given it up. */
  write(present: ViewerConnection, ticketId: number, writes: boolean): void
  /** A ticket moved, so others may see it now; null when it is deleted. */
  moved(ticketId: number, facts: TicketFacts | null): void
  /** Everything that is known, for whoever comes in. */
  seen(): readonly ViewedTicket[]
  /** Everybody connected to any process; null before this one has heard of all the others. */
  connected(): readonly number[] | null
  stop(): Promise<void>
}

/** On the wire: [ticket, [[user, writes], …]] */
type WireTicket = readonly [number, readonly (readonly [number, 0 | 1])[]]
interface Notice {
  readonly from: string
  readonly tickets?: readonly WireTicket[]
  readonly users?: readonly number[]
  /** Set when this is piece `[n, of]` of everything the process knows. */
  readonly whole?: readonly [number, number]
  readonly bye?: true
}

interface Process {
  heardAt: number
  tickets: Map<number, Map<number, boolean>>
  users: Set<number>
  /** Pieces of the next whole. */
  growing: { tickets: Map<number, Map<number, boolean>>; users: Set<number>; next: number } | null
}

const PACE: ViewersTiming = { gather: 150, repeat: 4000, silence: 10_000, writing: 20_000, grace: 8000 }
const BYTES = 7000

export async function startViewers(
  notices: Notices,
  sources: ViewersOptions,
  pace: ViewersTiming = PACE,
): Promise<Viewers> {
  const self = crypto.randomUUID().slice(0, 8)
  const startedAt = Date.now()
  /** Per socket here: ticket → until when its writing counts, 0 while it only looks. Null before it looks at anything: most never do. */
  const here = new Map<ViewerConnection, Map<number, number> | null>()
  const lookedAt = new Map<number, Set<ViewerConnection>>()
  const others = new Map<string, Process>()
  const facts = new Map<number, TicketFacts>()
  const people = new Map<number, UserBrief>()
  /** Tickets to tell anew: here and, where it began here, to the others. */
  const changed = new Set<number>()
  const changedHere = new Set<number>()
  const missing = new Map<number, ReturnType<typeof setTimeout>>()
  const broadcast = createDebouncer(pace.gather, tellChanges, error =>
    sources.failed(error, 'telling who looks at what'),
  )
  let stopped = false

  await notices.on('together', payload => payload && hear(JSON.parse(payload)))
  const repeating = setInterval(repeat, pace.repeat)
  repeat()

  function touch(ticketId: number, began: 'here' | 'elsewhere') {
    changed.add(ticketId)
    if (began === 'here') changedHere.add(ticketId)
    broadcast.soon()
  }

  async function tellChanges() {
    const ids = [...changed]
    const own = [...changedHere]
    changed.clear()
    changedHere.clear()
    await retryWhileUnavailable(
      () => know(ids),
      () => !stopped,
    )
    sources.tell(ids.flatMap(id => asSeen(id) ?? []))
    for (const id of ids) if (viewersOf(id).size === 0) facts.delete(id)
    await send(own.map(id => [id, toWireViewers(ownViewers(id))]))
  }

  /** Loads what is needed to tell about these tickets. Facts are read anew: they may have changed unheard. */
  async function know(ids: readonly number[]) {
    const read = await sources.facts(ids)
    for (const id of ids) {
      const found = read.get(id)
      if (found) facts.set(id, found)
      else facts.delete(id)
    }
    const unknown = [...new Set(ids.flatMap(id => [...viewersOf(id).keys()]))].filter(id => !people.has(id))
    if (unknown.length > 0) for (const person of await sources.people(unknown)) people.set(person.id, person)
  }

  function asSeen(ticketId: number): ViewedTicket | null {
    const known = facts.get(ticketId)
    if (!known) return null
    const users = [...viewersOf(ticketId)].flatMap(([id, writing]) => {
      const person = people.get(id)
      return person ? [{ ...person, writing }] : []
    })
    return { ticketId, facts: known, users }
  }

  function viewersOf(ticketId: number): Map<number, boolean> {
    const all = ownViewers(ticketId)
    for (const { tickets } of others.values())
      for (const [id, writing] of tickets.get(ticketId) ?? []) all.set(id, writing || all.get(id) === true)
    return all
  }

  /** Those at sockets of this process; who may not see the ticket any more does not look at it. */
  function ownViewers(ticketId: number): Map<number, boolean> {
    const own = new Map<number, boolean>()
    const known = facts.get(ticketId)
    for (const present of lookedAt.get(ticketId) ?? []) {
      if (known && !present.maySee(known)) continue
      const writing = (here.get(present)?.get(ticketId) ?? 0) > Date.now()
      own.set(present.userId, writing || own.get(present.userId) === true)
    }
    return own
  }

  /** Everything again, and an end to what was not repeated. */
  function repeat() {
    if (stopped) return
    const now = Date.now()
    for (const tickets of here.values())
      for (const [ticketId, until] of tickets ?? [])
        if (until > 0 && until <= now) {
          tickets?.set(ticketId, 0)
          touch(ticketId, 'here')
        }
    for (const [from, { heardAt }] of others) if (now - heardAt > pace.silence) forget(from)
    sendWhole(
      [...lookedAt.keys()].map(id => [id, toWireViewers(ownViewers(id))]),
      [...new Set([...here.keys()].map(({ userId }) => userId))],
    ).catch(error => sources.failed(error, 'repeating who is here'))
  }

  async function send(tickets: readonly WireTicket[]) {
    for (const piece of pieces(tickets)) await notices.send('together', JSON.stringify({ from: self, tickets: piece }))
  }

  async function sendWhole(tickets: readonly WireTicket[], users: readonly number[]) {
    const all: Pick<Notice, 'tickets' | 'users'>[] = [
      ...pieces(tickets).map(piece => ({ tickets: piece })),
      ...pieces(users).map(piece => ({ users: piece })),
    ]
    if (all.length === 0) all.push({})
    for (const [index, piece] of all.entries())
      await notices.send('together', JSON.stringify({ from: self, whole: [index, all.length], ...piece }))
  }

  function hear(notice: Notice) {
    const { from } = notice
    if (from === self || stopped) return
    if (notice.bye) return forget(from)
    const known = others.get(from)
    const process: Process = known ?? { heardAt: 0, tickets: new Map(), users: new Set(), growing: null }
    process.heardAt = Date.now()
    others.set(from, process)
    if (notice.whole) hearPiece(process, notice, notice.whole)
    else
      for (const [id, viewers] of notice.tickets ?? []) {
        put(process.tickets, id, viewers)
        touch(id, 'elsewhere')
      }
    // Whoever is new is told everything by the ones it has not heard of.
    if (!known) repeat()
  }

  function hearPiece(process: Process, { tickets = [], users = [] }: Notice, [index, of]: readonly [number, number]) {
    if (index === 0) process.growing = { tickets: new Map(), users: new Set(), next: 0 }
    const { growing } = process
    if (growing?.next !== index) {
      process.growing = null
      return
    }
    growing.next += 1
    for (const [id, viewers] of tickets) put(growing.tickets, id, viewers)
    for (const id of users) growing.users.add(id)
    if (growing.next < of) return
    const before = process.tickets
    const left = [...process.users].filter(id => !growing.users.has(id))
    process.tickets = growing.tickets
    process.users = growing.users
    process.growing = null
    for (const id of new Set([...before.keys(), ...process.tickets.keys()]))
      if (!same(before.get(id), process.tickets.get(id))) touch(id, 'elsewhere')
    noteMissing(left)
  }

  function forget(from: string) {
    const process = others.get(from)
    if (!process) return
    others.delete(from)
    for (const id of process.tickets.keys()) touch(id, 'elsewhere')
    noteMissing([...process.users])
  }

  function end(present: ViewerConnection, ticketId: number) {
    const all = lookedAt.get(ticketId)
    all?.delete(present)
    if (all?.size === 0) lookedAt.delete(ticketId)
    touch(ticketId, 'here')
  }

  function isConnected(userId: number): boolean {
    for (const present of here.keys()) if (present.userId === userId) return true
    for (const { users } of others.values()) if (users.has(userId)) return true
    return false
  }

  function noteMissing(userIds: readonly number[]) {
    for (const id of userIds) {
      if (isConnected(id)) continue
      clearTimeout(missing.get(id))
      missing.set(
        id,
        setTimeout(() => {
          missing.delete(id)
          people.delete(id)
          if (!isConnected(id)) sources.gone([id])
        }, pace.grace),
      )
    }
  }

  return {
    enter(present) {
      here.set(present, null)
      // Names and pictures may be new since the last time.
      people.delete(present.userId)
    },
    leave(present) {
      const tickets = here.get(present)
      here.delete(present)
      for (const id of tickets?.keys() ?? []) end(present, id)
      noteMissing([present.userId])
    },
    look(present, ticketId) {
      if (!here.has(present) || here.get(present)?.has(ticketId)) return
      here.set(present, (here.get(present) ?? new Map()).set(ticketId, 0))
      lookedAt.set(ticketId, (lookedAt.get(ticketId) ?? new Set()).add(present))
      touch(ticketId, 'here')
    },
    lookAway(present, ticketId) {
      if (here.get(present)?.delete(ticketId)) end(present, ticketId)
    },
    write(present, ticketId, writes) {
      const tickets = here.get(present)
      const until = tickets?.get(ticketId)
      if (!tickets || until === undefined) return
      const did = until > Date.now()
      tickets.set(ticketId, writes ? Date.now() + pace.writing : 0)
      if (did !== writes) touch(ticketId, 'here')
    },
    moved(ticketId, after) {
      const known = facts.get(ticketId)
      if (!known || Bun.deepEquals(known, after)) return
      touch(ticketId, lookedAt.has(ticketId) ? 'here' : 'elsewhere')
    },
    seen: () => [...facts.keys()].flatMap(id => asSeen(id) ?? []).filter(({ users }) => users.length > 0),
    connected() {
      if (Date.now() - startedAt < 2 * pace.silence) return null
      const all = new Set([...here.keys()].map(({ userId }) => userId))
      for (const { users } of others.values()) for (const id of users) all.add(id)
      return [...all]
    },
    async stop() {
      stopped = true
      clearInterval(repeating)
      for (const timer of missing.values()) clearTimeout(timer)
      await broadcast.stop()
      await notices
        .send('together', JSON.stringify({ from: self, bye: true }))
        .catch(error => sources.failed(error, 'saying goodbye'))
    },
  }
}

function toWireViewers(viewers: ReadonlyMap<number, boolean>): WireTicket[1] {
  return [...viewers].map(([id, writing]) => [id, writing ? 1 : 0] as const)
}

function put(tickets: Map<number, Map<number, boolean>>, id: number, viewers: WireTicket[1]) {
  if (viewers.length === 0) tickets.delete(id)
  else tickets.set(id, new Map(viewers.map(([userId, writes]) => [userId, writes === 1])))
}

function same(a: ReadonlyMap<number, boolean> | undefined, b: ReadonlyMap<number, boolean> | undefined): boolean {
  if (a?.size !== b?.size) return false
  for (const [id, writing] of a ?? []) if (b?.get(id) !== writing) return false
  return true
}

/** Cuts a list so that each piece fits into a notice. */
function pieces<T>(list: readonly T[]): T[][] {
  const cut: T[][] = []
  let size = BYTES
  for (const one of list) {
    const length = JSON.stringify(one).length + 1
    if (size + length > BYTES) {
      cut.push([])
      size = 0
    }
    cut.at(-1)?.push(one)
    size += length
  }
  return cut
}
