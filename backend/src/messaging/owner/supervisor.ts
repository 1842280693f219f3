// Runs the connections nobody else runs, one owner each (design "Owner of a connection").
import {
  type ConnectionStatus,
  type ConnectionTrouble,
  getCapabilities,
  isLinkedDevice,
  type Kind,
} from '@balcao/contract'
import { endUnfinished } from '../../desk/connections/delete.ts'
import type { Supervisor } from '../../platform/channel/control.ts'
import { ChannelError } from '../../platform/channel/driver.ts'
import { findDatabaseFault } from '../../platform/database/faults.ts'
import type { Notices } from '../../platform/database/notices.ts'
import { getSql } from '../../platform/database/raw.ts'
import { runInTransaction } from '../../platform/database/transaction.ts'
import { getKindModule } from '../channels/registry.ts'
import { Trouble } from '../channels/shared/trouble.ts'
import { giveUpWaiting } from '../outbox/give-up.ts'
import { createCommandClient } from './command-client.ts'
import { answerCommand, listPendingCommands, NoOwnerError, type PendingCommand } from './commands.ts'
import { executeCommand } from './execute-command.ts'
import { createKindCache } from './kind-cache.ts'
import { type Leases, openLeases } from './leases.ts'
import { type ConnectionRun, type RunningSession, type SessionParts, startSession } from './session.ts'
import { storeStatus } from './status.ts'
import { loadAllWantedConnections, loadWantedConnections } from './wanted.ts'

export interface SupervisorOptions extends SessionParts {
  /** Address of the database: locks live on a session of their own. */
  readonly url: string
  readonly notices: Notices
  /** The pause before what could not begin, or not be logged out, is tried again. */
  readonly tryAgainMs?: number
}

export interface RunningSupervisor extends Supervisor {
  /** Connections this process runs. */
  readonly running: readonly number[]
  /** Stops all sessions and gives the locks back: another process takes over at once. */
  close(): Promise<void>
}

/** Without a ring it looks by itself: a connection whose owner was killed is taken over within this time. */
const LOOK_MS = 1000
/** What could not even begin is not tried again at once. */
const TRY_AGAIN_MS = 30_000
const LOGOUT_MS = 8000
/** A browser that opens its page, or a line that is away for a moment, is open by then. */
const OPENING_MS = 60_000
/** A deleted connection that never opens is forgotten after this time, though its phone may still be linked. */
const LOGOUT_TRIES_MS = 24 * 3_600_000

/** Begins to look for connections to run. */
export async function startSupervisor(options: SupervisorOptions): Promise<RunningSupervisor> {
  const { db, notices, log, tryAgainMs = TRY_AGAIN_MS } = options
  const sessions = new Map<number, RunningSession>()
  const busy = new Map<number, Promise<void>>()
  const notBefore = new Map<number, number>()
  const ending = new AbortController()
  const leases: Leases = openLeases({ url: options.url, lost, log })

  /** The lock session ended: others may run these connections already. */
  function lost(): void {
    for (const session of sessions.values()) session.abandon()
    sessions.clear()
  }

  function fenced(id: number): void {
    log.warn({ whatsappId: id }, 'a newer owner runs this connection')
    sessions.get(id)?.abandon()
    sessions.delete(id)
    void leases.give(id).catch(() => {})
  }

  let looking: Promise<void> | undefined
  let again = false
  function check(): void {
    again = true
    if (ending.signal.aborted) return
    looking ??= lookUntilDone()
      .catch(error => {
        if (!ending.signal.aborted) log.error({ err: error }, 'looking after the connections failed')
      })
      .finally(() => {
        looking = undefined
      })
  }

  async function lookUntilDone(): Promise<void> {
    while (again && !ending.signal.aborted) {
      again = false
      await lookOnce()
    }
  }

  async function lookOnce(): Promise<void> {
    const wanted = await loadAllWantedConnections(options)
    const ids = new Set(wanted.flatMap(runs => (runs.isDeleted ? [] : runs.id)))
    for (const id of sessions.keys()) if (!ids.has(id) && !busy.has(id)) inTurn(id, () => release(id))
    const now = Date.now()
    const free = wanted.filter(({ id }) => !sessions.has(id) && !busy.has(id) && (notBefore.get(id) ?? 0) < now)
    const epochs = await leases.take(free.map(runs => runs.id))
    for (const runs of free) {
      const epoch = epochs.get(runs.id)
      if (epoch !== undefined)
        inTurn(runs.id, async () => {
          if (runs.isDeleted) await endDeleted({ ...runs, epoch })
          else await begin({ ...runs, epoch })
        })
    }
    for (const command of await listPendingCommands(db, [...sessions.keys()]))
      if (!doing.has(command.id)) inTurn(command.whatsappId, () => obey(command))
  }

  /** What is done to one connection is done one after another; nobody else waits for it. */
  function inTurn(id: number, work: () => Promise<void>): void {
    const turn = (busy.get(id) ?? Promise.resolve())
      .then(work)
      .catch(error => log.error({ err: error, whatsappId: id }, 'a connection could not be looked after'))
      .finally(() => {
        if (busy.get(id) === turn) busy.delete(id)
      })
    busy.set(id, turn)
  }

  async function begin(runs: ConnectionRun): Promise<RunningSession> {
    const ownership = { isOwner: leases.isFresh, fenced: () => fenced(runs.id) }
    const session = await startSession(options, runs, ownership).catch(async error => {
      await couldNotBegin(runs, error)
      throw error
    })
    sessions.set(runs.id, session)
    const line = { whatsappId: runs.id, name: runs.name, kind: runs.kind, epoch: runs.epoch }
    if (runs.epoch === 1) log.info(line, 'this process runs a connection')
    else {
      log.info(line, 'this process took a connection over or began it anew')
      options.metrics.restarts.inc({ kind: runs.kind })
    }
    try {
      await session.driver.start()
    } catch (error) {
      // What it had to write down is not there: it begins again, as if nobody had run it.
      await giveBack(runs.id, session)
      if (!findDatabaseFault(error)) await couldNotBegin(runs, error)
      throw error
    }
    check()
    return session
  }

  async function giveBack(id: number, session: RunningSession | undefined): Promise<void> {
    session?.abandon()
    if (sessions.get(id) === session) sessions.delete(id)
    await leases.give(id)
  }

  /** Kinds this server cannot run, for example: the screen says so, and it is tried again later. */
  async function couldNotBegin({ id, epoch }: ConnectionRun, error: unknown): Promise<void> {
    if (findDatabaseFault(error)) return leases.give(id)
    notBefore.set(id, Date.now() + tryAgainMs)
    const code = error instanceof ChannelError ? error.code : 'error'
    await disconnected({ id, epoch }, new Trouble(1).describe({ code, reason: 'other', next: 'ask_support' }))
    options.ring()
    await leases.give(id)
  }

  /** Not wanted any more, or deleted: stop and let go. A deleted one that cannot be logged out yet keeps its keys, and is begun once more. */
  async function release(id: number): Promise<void> {
    const session = sessions.get(id)
    if (!session) return
    const deletion = await findDeletion(id)
    const until = Date.now() + (deletion?.hasTime ? OPENING_MS : 0)
    while (!ending.signal.aborted && sessions.get(id) === session && isOpening(session) && Date.now() < until)
      await session.settled()
    if (sessions.get(id) !== session) return
    sessions.delete(id)
    if (deletion) notBefore.set(id, Date.now() + tryAgainMs)
    // Where the pairing lies on another machine's disk, that none is here says nothing of it.
    const isAnswered = deletion?.isAbsent ? hasAnswered(session) : canLogOut(session)
    const isForgotten = deletion !== null && (!deletion.hasTime || isAnswered || isTakenOver(session))
    try {
      if (isForgotten && !isTakenOver(session)) await unlink(session)
      await session.stop()
      await disconnected({ id, epoch: session.epoch }, isForgotten ? new Trouble(1).describe(UNLINKED) : null)
      if (deletion && (await endTraffic(id)) && isForgotten) await forgetDeleted(id, session.driver.kind)
    } finally {
      await leases.give(id)
    }
    options.ring()
  }

  /** Another process takes it over at once, whatever this one is still busy with. */
  async function handOver(id: number): Promise<void> {
    try {
      await sessions.get(id)?.stop()
    } finally {
      sessions.delete(id)
      await leases.give(id)
    }
  }

  /** Whoever owns it now says how it stands. */
  async function disconnected({ id, epoch }: Pick<ConnectionRun, 'id' | 'epoch'>, trouble: ConnectionTrouble | null) {
    const event = { type: 'status', status: 'DISCONNECTED', trouble } as const
    await storeStatus(db, { whatsappId: id, epoch }, event).catch(() => {})
  }

  /** Deleted while nobody ran it, or by a process that ended before that was over: one that is paired is begun once more to log it out. */
  async function endDeleted(runs: ConnectionRun): Promise<void> {
    const { id, kind } = runs
    try {
      const deletion = await findDeletion(id)
      if (!deletion) return
      notBefore.set(id, Date.now() + tryAgainMs)
      if (deletion.isPaired) {
        const isOurs = !deletion.isAbsent || !deletion.hasTime
        const session = isOurs && (await begin(runs).catch(passUnlessAway))
        if (session) return await release(id)
        // Its pairing lies on another machine's disk, or it could not begin here, where its browser is missing for example: another process
        // may do better while there is time.
        if (deletion.hasTime || !(await leases.take([id])).has(id)) return
      }
      if (await endTraffic(id)) await forgetDeleted(id, kind)
    } finally {
      await leases.give(id)
    }
    options.ring()
  }

  /** Nothing goes out by a deleted one any more, and nothing more comes. False where this process ends first: the next one goes on. */
  async function endTraffic(id: number): Promise<boolean> {
    await runInTransaction(db, tx => giveUpWaiting(tx, id))
    await endUnfinished(id, work => runInTransaction(db, work), ending.signal)
    return !ending.signal.aborted
  }

  /** Its keys are kept until here, so that whoever comes next can log it out when we are killed before. */
  async function forgetDeleted(id: number, kind: Kind): Promise<void> {
    await getKindModule(kind).forget?.(db, id, options.config)
    const sql = getSql(db)
    await sql`delete from whatsapp_auth where whatsapp_id = ${id}`
    await sql`update whatsapp set wanted = false, config = '{}' where id = ${id} and deleted_at is not null`
  }

  /** A deleted connection is no linked device any more. */
  async function unlink({ driver }: RunningSession): Promise<void> {
    const gone = driver.remove?.() ?? driver.logout()
    await Promise.race([gone.catch(() => {}), Bun.sleep(LOGOUT_MS)])
  }

  /** Null: it is not deleted. */
  async function findDeletion(id: number): Promise<Deletion | null> {
    const [row] = await getSql(db)<{ kind: Kind; isYoung: boolean; isUnlinked: boolean; hasNumber: boolean }[]>`
      select api as kind, wanted and deleted_at > now() - ${LOGOUT_TRIES_MS} * interval '1 ms' as "isYoung",
        coalesce(trouble->>'reason' in ('restored', 'replaced', ${UNLINKED.reason}), false) as "isUnlinked", number is not null as "hasNumber"
      from whatsapp where id = ${id} and deleted_at is not null`
    if (!row) return null
    const isPaired = isLinkedDevice(getCapabilities(row.kind)) && !row.isUnlinked
    const isHere = getKindModule(row.kind).isPairedHere?.(id, options.config) ?? true
    return { isPaired, hasTime: isPaired && row.isYoung, isAbsent: isPaired && row.hasNumber && !isHere }
  }

  /** A new session under a new epoch, with what is stored now; the pairing is forgotten while nothing of the connection runs. */
  async function afresh(id: number, forgetPairing = false): Promise<RunningSession> {
    const old = sessions.get(id)
    sessions.delete(id)
    try {
      if (forgetPairing) await old?.driver.remove?.()
      await old?.stop()
      const [runs] = await loadWantedConnections(options, id)
      if (forgetPairing && runs) await getKindModule(runs.kind).forget?.(db, id, options.config)
      const epoch = await leases.renew(id)
      if (epoch === null || !runs) throw new NoOwnerError()
      return await begin({ ...runs, epoch })
    } catch (error) {
      // A lock that is held for nothing would keep everybody from running it.
      if (!sessions.has(id)) await leases.give(id)
      throw error
    }
  }

  const doing = new Set<number>()
  async function obey(command: PendingCommand): Promise<void> {
    if (doing.has(command.id)) return
    doing.add(command.id)
    try {
      const { whatsappId: id } = command
      const session = sessions.get(id)
      if (!session) throw new NoOwnerError()
      await answerCommand(db, command.id, {
        answer: await executeCommand(command, session, forgetPairing => afresh(id, forgetPairing)),
      })
    } catch (error) {
      const code = error instanceof ChannelError ? error.code : error instanceof Error ? error.message : 'error'
      await answerCommand(db, command.id, { error: code })
    } finally {
      setTimeout(() => doing.delete(command.id), 5000)
      notices.ring('connection')
    }
  }

  const kinds = createKindCache(db)
  await notices.on('connection', () => {
    kinds.forget()
    check()
    for (const session of sessions.values()) session.wakeFetcher()
  })
  await notices.on('outbox', () => {
    for (const session of sessions.values()) session.wakeSender()
  })
  const timer = setInterval(check, LOOK_MS)
  check()

  return {
    ...createCommandClient(options, id => sessions.get(id)?.driver),
    kindOf: kinds.of,
    get running() {
      return [...sessions.keys()]
    },
    async close() {
      ending.abort()
      clearInterval(timer)
      // What it has just taken is begun, and ended with the others.
      await looking
      for (const id of new Set([...busy.keys(), ...sessions.keys()])) inTurn(id, () => handOver(id))
      await Promise.allSettled(busy.values())
      await leases.close()
    },
  }
}

interface Deletion {
  /** Its phone may still be linked, to us alone. */
  readonly isPaired: boolean
  /** And that is not given up yet. */
  readonly hasTime: boolean
  /** It had a number, and what it was paired with is not on this machine. */
  readonly isAbsent: boolean
}

/** How a deleted one stands once its phone is linked to us no more: whoever goes on with it begins it no more. */
const UNLINKED = { code: 'none', reason: 'logged_out', next: 'read_qr' } as const

function passUnlessAway(error: unknown): null {
  if (findDatabaseFault(error)) throw error
  return null
}

/** It may be open in a moment. */
function isOpening(session: RunningSession): boolean {
  const { status, trouble } = session
  return (
    !canLogOut(session) &&
    !isTakenOver(session) &&
    (status === null || status === 'OPENING' || (trouble?.nextTryAt ?? null) !== null)
  )
}

/** The provider hears of it, or there is no pairing to end. Any other line is away, and the phone stays linked. */
function canLogOut(session: RunningSession): boolean {
  const { status, trouble } = session
  if (status === null || status === 'OPENING') return false
  return hasAnswered(session) || trouble?.next === 'read_qr'
}

function hasAnswered({ status }: RunningSession): boolean {
  return status !== null && HAS_ANSWERED.includes(status)
}

/** Another program has the line. It is not taken back for a log-out, which would end that one's pairing, too. */
function isTakenOver({ status, trouble }: RunningSession): boolean {
  return status === 'DISCONNECTED' && trouble?.reason === 'replaced'
}

const HAS_ANSWERED: readonly ConnectionStatus[] = ['CONNECTED', 'LOGGEDOUT', 'qrcode', 'TIMEOUT']
