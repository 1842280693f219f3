// Brings live events to sockets. Sockets whose people see the same share an audience: the policy is asked once for all of them.
import {
  type ChatFacts,
  canSeeTicket,
  type ServerFrame,
  type TicketFacts,
  toAudienceKey,
  type Viewer,
  type VolatileEvent,
} from '@balcao/contract'
import type { Db } from '../database/client.ts'
import { retryWhileUnavailable } from '../database/faults.ts'
import type { Notices } from '../database/notices.ts'
import { ERROR_TEXTS } from '../http/texts.ts'
import { type Cursor, createViewMark, formatCursor, isPast, parseCursor } from './cursor.ts'
import { buildFrame, isPersonal, readEventUser } from './frames.ts'
import { type Attendant, type AudienceGroup, AudienceGroups, type AudienceMember, EVERYBODY } from './groups.ts'
import type { Hub, HubSocket, HubSources } from './hub-parts.ts'
import { type LiveRow, measureGap, readBetween, readCurrentPosition, startLiveReader } from './reader.ts'
import type { ViewedTicket } from './viewers.ts'

/** More missed events than this are not worth sending one by one. */
const MOST_MISSED = 5000
const CATCH_UP_PAGE = 500

/** Starts reading and publishing. */
export async function startHub(db: Db, notices: Notices, sources: HubSources): Promise<Hub> {
  const groups = new AudienceGroups()
  const members = new Map<HubSocket, AudienceMember>()
  const attendants = new Map<number, Attendant>()
  let readings = 0
  /** The reading before which a change of a person was told: whoever was read earlier is read again. */
  const changes = new Map<number, number>()
  let stopped = false
  const going = () => !stopped
  /** How far this process has told; taken before the settings are read, so that a change of them is behind it. */
  let position = await readCurrentPosition(db)
  let settings = await sources.settings()
  /** How many times something that decides what people see was changed. */
  let turns = 0
  const reader = await startLiveReader(db, notices, position, {
    hand: publishAll,
    lost,
    failed: error => sources.failed(error, 'reading live events'),
  })
  await notices.on('volatile', payload => heardVolatile(payload))

  /** In order, and what comes behind a changed setting by that setting: the rows wait until it is read. */
  async function publishAll(rows: readonly LiveRow[]): Promise<void> {
    let from = 0
    for (const [at, { payload }] of rows.entries()) {
      if (!payload.startsWith('{"event":"settings"')) continue
      publishRows(rows.slice(from, at + 1))
      from = at + 1
      await retryWhileUnavailable(renewSettings, going).catch(error => sources.failed(error, 'reading what changed'))
    }
    publishRows(rows.slice(from))
  }

  function publishRows(rows: readonly LiveRow[]): void {
    const last = rows.at(-1)
    if (!last) return
    position = { xid: last.xid, id: last.id }
    sources.read?.(rows)
    for (const { payload } of rows) if (payload.startsWith('{"event":"user"')) suspend(payload)
    for (const attendant of attendants.values()) if (attendant.suspended) tellOwn(rows, attendant)
    for (const group of groups) {
      const cursor = formatCursor(position, markOf(group.viewer))
      // A group outlives who began it: what is for single people is asked of those who are in it now.
      if (rows.some(isPersonal)) publishEach(rows, group, cursor)
      else {
        const text = buildFrame(rows, group.viewer, settings, cursor)
        if (text) sources.publish(group.topic, text)
      }
    }
    // Who may see what must follow, and nobody tells it twice.
    retryWhileUnavailable(() => afterwards(rows), going).catch(error => sources.failed(error, 'after live events'))
    retryWhileUnavailable(() => tellNotices(rows), going).catch(error => sources.failed(error, 'telling what waits'))
  }

  /** Who has other rights by what is told gets nothing more by the old ones. */
  function suspend(payload: string): void {
    const attendant = attendants.get(readEventUser(payload))
    if (!attendant || keepsRights(attendant.viewer, payload)) return
    attendant.suspended = true
    for (const member of attendant.members) if (member.listening) groups.leave(member)
  }

  /** What is for this person alone, such as what became of the own rights. */
  function tellOwn(rows: readonly LiveRow[], { viewer, members: own }: Attendant): void {
    const personal = rows.filter(({ audience }) => audience.to === 'user' && audience.userId === viewer.id)
    const text = buildFrame(personal, viewer, settings, formatCursor(position, markOf(viewer)))
    for (const { socket, listening } of own) if (text && listening) socket.send(text)
  }

  /** To everybody's own sockets, after the events: who was away meanwhile finds it in the bells. */
  async function tellNotices(rows: readonly LiveRow[]): Promise<void> {
    const there = [...attendants.values()].flatMap(({ viewer, members: own }) => {
      const listening = [...own].filter(member => member.listening)
      return listening.length > 0 ? [{ viewer, listening }] : []
    })
    const listeners = new Map(there.map(({ viewer, listening }) => [viewer.id, listening]))
    const viewers = there.map(({ viewer }) => viewer)
    for (const { userId, notice } of (await sources.notices?.(rows, viewers)) ?? []) {
      const text = JSON.stringify({ type: 'volatile', volatile: { kind: 'notice', notice } })
      for (const { socket } of listeners.get(userId) ?? []) if (members.has(socket)) socket.send(text)
    }
  }

  /** Administrators share an audience for tickets, but what is for some people only is not for all of them. */
  function publishEach(rows: readonly LiveRow[], group: AudienceGroup, cursor: string): void {
    const texts = new Map<number, string | null>()
    for (const { socket, attendant } of group.members) {
      const { viewer } = attendant
      const text = texts.has(viewer.id) ? texts.get(viewer.id) : buildFrame(rows, viewer, settings, cursor)
      texts.set(viewer.id, text ?? null)
      if (text) socket.send(text)
    }
  }

  /** Where a setting changes who sees what everybody begins afresh. */
  async function renewSettings(): Promise<void> {
    const now = await sources.settings()
    if (JSON.stringify(now) === JSON.stringify(settings)) return
    settings = now
    beginAfresh()
  }

  /** A database that is another one: nobody knows what was missed. */
  function lost(from: Cursor): void {
    position = from
    beginAfresh()
  }

  /** Who is being read anew begins afresh by that. */
  function beginAfresh(): void {
    turns++
    for (const { suspended, members: own } of attendants.values())
      if (!suspended) for (const member of own) if (member.listening) sendReset(member)
  }

  /** Events about people change who sees what: their sockets begin afresh. */
  async function afterwards(rows: readonly LiveRow[]): Promise<void> {
    const changed = new Set<number>()
    for (const { payload } of rows) if (payload.startsWith('{"event":"user"')) changed.add(readEventUser(payload))
    for (const userId of changed) changes.set(userId, ++readings)
    for (const [userId, attendant] of [...attendants]) if (changed.has(userId)) await refresh(userId, attendant)
  }

  async function refresh(userId: number, attendant: Attendant): Promise<void> {
    const asOf = ++readings
    const viewer = await sources.viewer(userId)
    if (asOf < attendant.asOf) return
    if (!viewer) {
      for (const { socket } of [...attendant.members]) {
        closeInactive(socket)
        leave(socket)
      }
      return
    }
    renew(attendant, viewer, asOf)
  }

  /** The person as of now: a change that was told meanwhile may be newer than what was read. */
  async function readViewer(userId: number): Promise<{ readonly asOf: number; readonly viewer: Viewer | null }> {
    for (;;) {
      const asOf = ++readings
      const viewer = await sources.viewer(userId)
      if ((changes.get(userId) ?? 0) < asOf) return { asOf, viewer }
    }
  }

  function renew(attendant: Attendant, viewer: Viewer, asOf: number): void {
    const moved = attendant.suspended || toAudienceKey(viewer) !== toAudienceKey(attendant.viewer)
    if (moved) attendant.turns++
    const listening = [...attendant.members].filter(member => member.listening)
    if (moved) for (const member of listening) groups.leave(member)
    attendant.viewer = viewer
    attendant.asOf = asOf
    attendant.suspended = false
    if (!moved) return
    for (const member of listening) groups.join(member)
    for (const member of listening) sendReset(member)
  }

  function sendReset(member: AudienceMember): void {
    const cursor = formatCursor(position, markOf(member.attendant.viewer))
    member.socket.send(JSON.stringify({ type: 'reset', cursor }))
    sendSeen(member)
  }

  function markOf(viewer: Viewer): string {
    return createViewMark(viewer, settings)
  }

  function viewOf({ attendant }: AudienceMember): string {
    return `${turns}.${attendant.turns}`
  }

  /** Sends what was missed, page by page, until nothing lies between the client and this process; then lets it listen. */
  async function hello(socket: HubSocket, text: string | null): Promise<void> {
    const member = members.get(socket)
    if (!member) return
    if (member.listening) groups.leave(member)
    // What is read of the person now lets it listen.
    member.listening = member.attendant.suspended
    if (member.listening) return
    const from = text === null ? null : parseCursor(text)
    const view = viewOf(member)
    const afresh =
      text !== null && (!from || from.mark !== markOf(member.attendant.viewer) || (await missedTooMuch(from)))
    const reached = from && !afresh ? await catchUp(member, from) : null
    if (!members.has(socket)) return
    listen(member)
    if (member.attendant.suspended) return
    // What it may see may have changed while it caught up, and changed back: what it got was not told by one rule.
    if (afresh || view !== viewOf(member)) return sendReset(member)
    const at = reached && isPast(reached, position) ? reached : position
    socket.send(JSON.stringify({ type: 'welcome', cursor: formatCursor(at, markOf(member.attendant.viewer)) }))
    sendSeen(member)
  }

  function sendSeen({ socket, attendant }: AudienceMember): void {
    const text = sources.seen && viewingText(attendant.viewer, sources.seen(), true)
    if (text) socket.send(text)
    const there = sources.there?.()
    if (there) socket.send(there)
  }

  /** Null when there is nothing to tell. */
  function viewingText(viewer: Viewer, seen: readonly ViewedTicket[], all: boolean): string | null {
    const tickets = seen.flatMap(({ ticketId, facts, users }) =>
      canSeeTicket(viewer, facts, settings) ? [{ ticketId, users }] : [],
    )
    if (tickets.length === 0 && !all) return null
    const volatile: VolatileEvent = { kind: 'viewing', all, tickets: [...tickets] }
    return JSON.stringify({ type: 'volatile', volatile })
  }

  async function missedTooMuch(at: Cursor): Promise<boolean> {
    const gap = await measureGap(db, at, MOST_MISSED)
    return gap === 'gone' || gap > MOST_MISSED
  }

  async function catchUp(member: AudienceMember, from: Cursor): Promise<Cursor> {
    let at = from
    let remaining = Number(await measureGap(db, at, MOST_MISSED))
    while (members.has(member.socket) && !member.attendant.suspended) {
      // Up to what this process has published: the rest comes from there.
      const before = position
      const rows = await sources.dropTakenBack(await readBetween(db, at, before, CATCH_UP_PAGE))
      const last = rows.at(-1)
      if (!last) {
        // What was published while we looked would fall between: look again.
        if (position === before) return at
        continue
      }
      at = { xid: last.xid, id: last.id }
      remaining = Math.max(0, remaining - rows.length)
      const frame = buildFrame(
        rows,
        member.attendant.viewer,
        settings,
        formatCursor(at, markOf(member.attendant.viewer)),
        remaining,
      )
      if (frame) member.socket.send(frame)
      if (!isPast(position, at)) return at
    }
    return at
  }

  function listen(member: AudienceMember): void {
    member.listening = true
    if (!member.attendant.suspended) groups.join(member)
  }

  function leave(socket: HubSocket): void {
    const member = members.get(socket)
    if (!member) return
    members.delete(socket)
    if (member.listening) groups.leave(member)
    const { attendant } = member
    attendant.members.delete(member)
    // One that was left by everybody may have been replaced meanwhile.
    if (attendant.members.size === 0 && attendants.get(socket.userId) === attendant) attendants.delete(socket.userId)
  }

  function heardVolatile(payload: string): void {
    if (!payload) return
    const notice: { volatile: VolatileEvent; facts: TicketFacts | ChatFacts | null; except?: number } =
      JSON.parse(payload)
    const text = JSON.stringify({ type: 'volatile', volatile: notice.volatile })
    const { facts } = notice
    if (facts && 'userIds' in facts) {
      for (const userId of facts.userIds)
        for (const { socket, listening } of attendants.get(userId)?.members ?? [])
          if (listening && userId !== notice.except) socket.send(text)
      return
    }
    for (const group of groups) {
      if (facts && !canSeeTicket(group.viewer, facts, settings)) continue
      if (notice.except === undefined) sources.publish(group.topic, text)
      else for (const { socket } of group.members) if (socket.userId !== notice.except) socket.send(text)
    }
  }

  return {
    get sockets() {
      return members.size
    },
    async enter(socket) {
      const { asOf, viewer } = await readViewer(socket.userId)
      if (!viewer) return closeInactive(socket)
      const attendant = attendants.get(socket.userId) ?? {
        viewer,
        asOf,
        suspended: false,
        turns: 0,
        members: new Set<AudienceMember>(),
      }
      attendants.set(socket.userId, attendant)
      // What is newer holds for the sockets that were there before, too.
      if (asOf > attendant.asOf) renew(attendant, viewer, asOf)
      const member: AudienceMember = { socket, attendant, listening: false }
      attendant.members.add(member)
      members.set(socket, member)
    },
    hello,
    leave,
    tellVolatile(volatile, facts, except) {
      notices
        .send('volatile', JSON.stringify({ volatile, facts, except }))
        .catch(error => sources.failed(error, 'telling what happens now'))
    },
    tellViewing(seen) {
      if (seen.length === 0) return
      for (const group of groups) {
        const text = viewingText(group.viewer, seen, false)
        if (text) sources.publish(group.topic, text)
      }
    },
    tellEverybody: frame => sources.publish(EVERYBODY, frame),
    maySee(socket, facts) {
      const member = members.get(socket)
      return member !== undefined && canSeeTicket(member.attendant.viewer, facts, settings)
    },
    viewerOf: socket => members.get(socket)?.attendant.viewer ?? null,
    stop() {
      stopped = true
      reader.stop()
      for (const { socket } of [...members.values()]) socket.close(1012, 'restarting')
      members.clear()
      attendants.clear()
      groups.clear()
    },
  }
}

/** Whether a person has the same rights by what an event tells. */
function keepsRights(viewer: Viewer, payload: string): boolean {
  const { user }: { user?: Viewer & { readonly active: boolean } } = JSON.parse(payload)
  return user?.active === true && toAudienceKey(user) === toAudienceKey(viewer)
}

/** Says why (spec 2 §4), and ends it. */
function closeInactive(socket: HubSocket): void {
  const frame: ServerFrame = { type: 'error', error: 'ERR_USER_NO_ACTIVE', message: ERROR_TEXTS.pt.ERR_USER_NO_ACTIVE }
  socket.send(JSON.stringify(frame))
  socket.close(4401, 'ERR_USER_NO_ACTIVE')
}
