// Runs the connections nobody else runs, one owner each, and does what is asked of them from any process (design "Owner of a connection").

import { capabilitiesOf } from '@balcao/contract'
import type { WebhookAnswer, WebhookRequest } from '../channels/driver.ts'
import { ChannelError } from '../channels/driver.ts'
import { inTransaction } from '../database/again.ts'
import { faultOf } from '../database/faults.ts'
import type { Notices } from '../database/notices.ts'
import { sqlOf } from '../database/raw.ts'
import { AppError } from '../http/errors.ts'
import { receive } from '../inbox/receive.ts'
import { giveUpWaiting } from '../outbox/give-up.ts'
import { type Asked, answer, ask, askedOf, CommandFailed, NoOwner } from './commands.ts'
import type { Supervisor } from './control.ts'
import { type Leases, openLeases } from './owner.ts'
import { fileOf, type RunningSession, type Runs, type SessionParts, startSession, UNDIGESTED } from './session.ts'
import { storeStatus } from './status.ts'
import { wantedConnections } from './wanted.ts'

export interface SupervisorOptions extends SessionParts {
  /** Address of the database: locks live on a session of their own. */
  readonly url: string
  readonly notices: Notices
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
const PICTURE_LIMIT = 2_000_000

/** Begins to look for connections to run. */
export async function startSupervisor(options: SupervisorOptions): Promise<RunningSupervisor> {
  const { db, notices, log } = options
  const sessions = new Map<number, RunningSession>()
  const busy = new Map<number, Promise<void>>()
  const notBefore = new Map<number, number>()
  let closed = false
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

  let looking = false
  let again = false
  function look(): void {
    again = true
    if (looking || closed) return
    looking = true
    lookUntilDone()
      .catch(error => {
        if (!closed) log.error({ err: error }, 'looking after the connections failed')
      })
      .finally(() => {
        looking = false
      })
  }

  async function lookUntilDone(): Promise<void> {
    while (again && !closed) {
      again = false
      await lookOnce()
    }
  }

  async function lookOnce(): Promise<void> {
    const wanted = await wantedConnections(options)
    const ids = new Set(wanted.map(runs => runs.id))
    for (const id of sessions.keys()) if (!ids.has(id) && !busy.has(id)) inTurn(id, () => release(id))
    const now = Date.now()
    const free = wanted.filter(({ id }) => !sessions.has(id) && !busy.has(id) && (notBefore.get(id) ?? 0) < now)
    const epochs = await leases.take(free.map(runs => runs.id))
    for (const runs of free) {
      const epoch = epochs.get(runs.id)
      if (epoch !== undefined)
        inTurn(runs.id, async () => {
          await begin({ ...runs, epoch })
        })
    }
    for (const asked of await askedOf(db, [...sessions.keys()]))
      if (!doing.has(asked.id)) inTurn(asked.whatsappId, () => obey(asked))
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

  async function begin(runs: Runs): Promise<RunningSession> {
    const session = await startSession(options, runs, () => fenced(runs.id)).catch(async error => {
      await couldNotBegin(runs, error)
      throw error
    })
    sessions.set(runs.id, session)
    log.info({ whatsappId: runs.id, epoch: runs.epoch }, 'this process runs a connection')
    try {
      await session.driver.start()
    } catch (error) {
      // What it had to write down is not there: it begins again, as if nobody had run it.
      await giveBack(runs.id, session)
      if (!faultOf(error)) await couldNotBegin(runs, error)
      throw error
    }
    look()
    return session
  }

  async function giveBack(id: number, session: RunningSession | undefined): Promise<void> {
    session?.abandon()
    if (sessions.get(id) === session) sessions.delete(id)
    await leases.give(id)
  }

  /** Kinds this server cannot run, for example: the screen says so, and it is tried again later. */
  async function couldNotBegin({ id, epoch }: Runs, error: unknown): Promise<void> {
    if (faultOf(error)) return leases.give(id)
    notBefore.set(id, Date.now() + TRY_AGAIN_MS)
    const code = error instanceof ChannelError ? error.code : 'error'
    const since = new Date().toISOString()
    const trouble = { code, reason: 'other' as const, since, attempt: 1, nextTryAt: null, next: 'ask_support' as const }
    await storeStatus(db, { whatsappId: id, epoch }, { type: 'status', status: 'DISCONNECTED', trouble }).catch(
      () => {},
    )
    options.ring()
    await leases.give(id)
  }

  /** Not wanted any more, or deleted: stop and let go. */
  async function release(id: number): Promise<void> {
    const session = sessions.get(id)
    if (!session) return
    const deleted = await isDeleted(id)
    sessions.delete(id)
    try {
      if (deleted) await unlink(session)
      await session.stop()
      if (deleted) await inTransaction(db, tx => giveUpWaiting(tx, id))
      await storeStatus(
        db,
        { whatsappId: id, epoch: session.epoch },
        { type: 'status', status: 'DISCONNECTED', trouble: null },
      ).catch(() => {})
    } finally {
      await leases.give(id)
    }
    options.ring()
  }

  /** A deleted connection is no linked device any more. */
  async function unlink({ driver }: RunningSession): Promise<void> {
    await Promise.race([driver.logout().catch(() => {}), Bun.sleep(LOGOUT_MS)])
  }

  async function isDeleted(id: number): Promise<boolean> {
    const rows = await sqlOf(db)`select 1 from whatsapp where id = ${id} and deleted_at is not null`
    return rows.length > 0
  }

  /** A new session under a new epoch, with what is stored now. `between` runs while nothing of the connection runs. */
  async function afresh(id: number, between: () => Promise<void> = async () => {}): Promise<RunningSession> {
    const old = sessions.get(id)
    sessions.delete(id)
    try {
      await old?.stop()
      await between()
      const epoch = await leases.renew(id)
      const [runs] = await wantedConnections(options, id)
      if (epoch === null || !runs) throw new NoOwner()
      return await begin({ ...runs, epoch })
    } catch (error) {
      // A lock that is held for nothing would keep everybody from running it.
      if (!sessions.has(id)) await leases.give(id)
      throw error
    }
  }

  const doing = new Set<number>()
  async function obey(asked: Asked): Promise<void> {
    if (doing.has(asked.id)) return
    doing.add(asked.id)
    try {
      await answer(db, asked.id, { answer: await carryOut(asked) })
    } catch (error) {
      const code = error instanceof ChannelError ? error.code : error instanceof Error ? error.message : 'error'
      await answer(db, asked.id, { error: code })
    } finally {
      setTimeout(() => doing.delete(asked.id), 5000)
      notices.ring('connection')
    }
  }

  async function carryOut({ whatsappId: id, command, argument }: Asked): Promise<unknown> {
    const session = sessions.get(id)
    if (!session) throw new NoOwner()
    switch (command) {
      case 'start':
        return await revive(session)
      case 'restart':
        await afresh(id)
        return null
      case 'recreate': {
        const fresh = await afresh(id, () => forgetPairing(id))
        return await showQr(fresh)
      }
      case 'logout':
        await session.driver.logout()
        return null
      case 'pair':
        return (await session.driver.pair({ phone: argument ?? '' })).code ?? null
      case 'check':
        return await session.driver.check(argument ?? '')
      case 'group':
        return await session.driver.group(argument ?? '')
      case 'picture':
        return await pictureOf(session, argument ?? '')
      case 'typing':
        return await typing(session, argument ?? '')
    }
  }

  /** Brings a session that waits back to work: a new QR code where one is needed, otherwise a new try at once. */
  async function revive(session: RunningSession): Promise<null> {
    if (session.status === null || session.status === 'OPENING') await session.settled()
    if (session.status === 'CONNECTED' || session.status === 'qrcode' || session.status === 'PAIRING') return null
    const needsPairing =
      session.trouble?.next === 'read_qr' || session.status === 'LOGGEDOUT' || session.status === 'TIMEOUT'
    return needsPairing ? showQr(session) : session.driver.start().then(() => null)
  }

  async function showQr({ driver }: RunningSession): Promise<null> {
    if (driver.capabilities.pair.includes('qr')) await driver.pair({ qr: true })
    return null
  }

  async function forgetPairing(id: number): Promise<void> {
    // The client's version is no part of a pairing.
    await sqlOf(db)`delete from whatsapp_auth where whatsapp_id = ${id} and type <> 'client-version'`
  }

  await notices.on('connection', () => {
    look()
    for (const session of sessions.values()) session.wakeFetcher()
  })
  await notices.on('outbox', () => {
    for (const session of sessions.values()) session.wakeSender()
  })
  const timer = setInterval(look, LOOK_MS)
  look()

  return {
    ...supervisorFor(options, id => sessions.get(id)),
    get running() {
      return [...sessions.keys()]
    },
    async close() {
      closed = true
      clearInterval(timer)
      await Promise.allSettled(busy.values())
      await Promise.allSettled([...sessions.values()].map(session => session.stop()))
      sessions.clear()
      await leases.close()
    },
  }
}

/** The asking side alone, for a process that runs no connections or does not know yet whether it does. */
function supervisorFor(options: SupervisorOptions, local: (id: number) => RunningSession | undefined): Supervisor {
  const { db, notices } = options
  const passive = new Map<number, { version: string; answer: (request: WebhookRequest) => Promise<WebhookAnswer> }>()
  const want = async (id: number, wanted: boolean) => {
    await sqlOf(db)`update whatsapp set wanted = ${wanted} where id = ${id} and wanted <> ${wanted}`
    notices.ring('connection')
  }
  const tell = (whatsappId: number, command: 'start' | 'restart' | 'recreate' | 'logout') =>
    ask(db, notices, { whatsappId, command }, 10_000).then(
      () => {},
      error => {
        // It is wanted: whichever process takes the connection starts it.
        if (!(error instanceof NoOwner)) throw refusalOf(error)
      },
    )
  return {
    async start(id) {
      await want(id, true)
      await tell(id, 'start')
    },
    async stop(id) {
      await want(id, false)
    },
    async restart(id) {
      await want(id, true)
      await tell(id, 'restart')
    },
    async recreate(id) {
      await want(id, true)
      await tell(id, 'recreate')
    },
    async logout(id) {
      const rows = await sqlOf(db)`select 1 from whatsapp where id = ${id} and deleted_at is null`
      // A deleted one logs out by itself when its owner lets it go.
      if (rows.length === 0) return notices.ring('connection')
      await want(id, true)
      await tell(id, 'logout')
    },
    async pair(id, phone) {
      await want(id, true)
      const code = await ask(db, notices, { whatsappId: id, command: 'pair', argument: phone }).catch(error => {
        throw refusalOf(error)
      })
      if (typeof code !== 'string') throw new AppError('ERR_WAPP_NOT_INITIALIZED')
      return code
    },
    async ask(id, command, argument) {
      return ask(db, notices, { whatsappId: id, command, argument }, 15_000).catch(error => {
        throw refusalOf(error)
      })
    },
    async webhook(id, request) {
      const running = local(id)?.driver
      if (running?.handleWebhook) return running.handleWebhook(request)
      return webhookElsewhere(options, passive, id, request)
    },
    async templates(id) {
      const running = local(id)?.driver
      if (running?.templates) return running.templates()
      const [runs] = await wantedConnections(options, id)
      if (!runs || !capabilitiesOf(runs.kind).templates) return []
      const session = await startPassive(options, runs)
      return (await session.templates?.()) ?? []
    },
  }
}

/** A webhook that reaches a process which does not run the connection: signatures and storing need no session. */
async function webhookElsewhere(
  options: SupervisorOptions,
  passive: Map<number, { version: string; answer: (request: WebhookRequest) => Promise<WebhookAnswer> }>,
  id: number,
  request: WebhookRequest,
): Promise<WebhookAnswer> {
  const [runs] = await wantedConnections(options, id)
  if (!runs) return { status: 503, events: 0 }
  const version = JSON.stringify(runs.connection)
  let known = passive.get(id)
  if (known?.version !== version) {
    const driver = startPassive(options, runs)
    if (!driver.handleWebhook) return { status: 400, events: 0 }
    known = { version, answer: driver.handleWebhook.bind(driver) }
    passive.set(id, known)
  }
  return known.answer(request)
}

/** A driver that is never started: it only takes what comes from outside. Its word on the status does not count. */
function startPassive(options: SupervisorOptions, runs: Omit<Runs, 'epoch'>) {
  const { db, config, log, media, notices } = options
  return options.createDriver(runs.kind, runs.connection, {
    connectionId: runs.id,
    epoch: -1,
    db,
    config,
    acceptsCalls: async () => true,
    rawMessage: async () => null,
    openMedia: mediaId => fileOf(media, mediaId),
    log,
    async emit(events) {
      const rest = events.filter(event => event.type !== 'status' && event.type !== 'typing')
      if (rest.length === 0) return
      const received = await receive(db, { id: runs.id }, rest)
      if (received.stored > 0) options.ring()
      if (received.undigested > 0) log.error({ whatsappId: runs.id, events: received.undigested }, UNDIGESTED)
      if (received.answered) notices.ring('outbox')
      if (received.withMedia) notices.ring('connection')
    },
  })
}

async function typing(session: RunningSession, argument: string): Promise<null> {
  const { to, state }: { to: string; state: 'typing' | 'recording' | 'paused' } = JSON.parse(argument)
  await session.driver.typing(to, state)
  return null
}

/** A picture as base64; too large or none: null. */
async function pictureOf(session: RunningSession, jid: string): Promise<string | null> {
  const stream = await session.driver.picture(jid)
  if (!stream) return null
  const bytes = await new Response(stream).bytes()
  return bytes.length > PICTURE_LIMIT ? null : Buffer.from(bytes).toString('base64')
}

function refusalOf(error: unknown): Error {
  if (error instanceof NoOwner) return new AppError('ERR_WAPP_NOT_INITIALIZED')
  if (error instanceof CommandFailed) return new AppError('ERR_WAPP_NOT_INITIALIZED', { reason: error.code })
  return error instanceof Error ? error : new Error(String(error))
}
