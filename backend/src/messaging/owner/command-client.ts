// What any process may ask of a connection, whoever owns it: the owner is told by a row, and what comes from outside needs no session.
import { KIND_TABLE } from '@balcao/contract'
import type { Supervisor } from '../../platform/channel/control.ts'
import type { Driver } from '../../platform/channel/driver.ts'
import type { Notices } from '../../platform/database/notices.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { readSettings } from '../../policy/settings/read.ts'
import { receiveEvents } from '../inbox/receive.ts'
import { CommandError, NoOwnerError, runCommand } from './commands.ts'
import { type ConnectionRun, openDriverFile, type SessionParts, UNDIGESTED } from './session.ts'
import { loadWantedConnections } from './wanted.ts'

interface AskingParts extends SessionParts {
  readonly notices: Notices
}

/** `local`: the driver of a connection that runs in this process. */
export function createCommandClient(
  parts: AskingParts,
  local: (id: number) => Driver | undefined,
): Omit<Supervisor, 'kindOf'> {
  const { db, notices } = parts
  const passive = passiveDrivers(parts)
  const driverOf = async (id: number) => local(id) ?? (await passive(id))

  async function want(id: number, wanted: boolean): Promise<void> {
    await getSql(db)`update whatsapp set wanted = ${wanted} where id = ${id} and wanted <> ${wanted}`
    notices.ring('connection')
  }

  function answered(asking: Parameters<typeof runCommand>[2], withinMs?: number): Promise<unknown> {
    return runCommand(db, notices, asking, withinMs).catch(error => {
      throw toRefusal(error)
    })
  }

  /** It is wanted: whichever process takes the connection starts it, so nobody has to answer. */
  function tell(command: 'start' | 'restart' | 'recreate' | 'logout') {
    return async (whatsappId: number): Promise<void> => {
      await want(whatsappId, true)
      await runCommand(db, notices, { whatsappId, command }, 10_000).catch(error => {
        if (!(error instanceof NoOwnerError)) throw toRefusal(error)
      })
    }
  }

  return {
    start: tell('start'),
    restart: tell('restart'),
    recreate: tell('recreate'),
    stop: id => want(id, false),
    async logout(id) {
      const rows = await getSql(db)`select 1 from whatsapp where id = ${id} and deleted_at is null`
      // A deleted one is logged out by its owner, or by whoever becomes that.
      if (rows.length === 0) return notices.ring('connection')
      await tell('logout')(id)
    },
    async pair(whatsappId, phone) {
      await want(whatsappId, true)
      const code = await answered({ whatsappId, command: 'pair', argument: phone })
      if (typeof code !== 'string') throw new AppError('ERR_WAPP_NOT_INITIALIZED')
      return code
    },
    ask: (whatsappId, command, argument) => answered({ whatsappId, command, argument }, 15_000),
    async webhook(id, request) {
      const driver = await driverOf(id)
      if (!driver) return { status: 503, events: 0 }
      return driver.handleWebhook?.(request) ?? { status: 400, events: 0 }
    },
    async templates(id) {
      return (await (await driverOf(id))?.templates?.()) ?? []
    },
  }
}

/**
 * Drivers that are never started, for what reaches a process that does not run the connection: signatures, storing and asking need no
 * session. Their word on the status does not count.
 */
function passiveDrivers(parts: AskingParts): (id: number) => Promise<Driver | null> {
  const known = new Map<number, { readonly made: string; readonly driver: Promise<Driver> }>()
  return async id => {
    const [runs] = await loadWantedConnections(parts, id)
    if (!runs || !KIND_TABLE[runs.kind].webhookPath) return null
    const made = JSON.stringify(runs.connection)
    const before = known.get(id)
    if (before?.made === made) return before.driver
    const driver = passiveDriver(parts, runs)
    known.set(id, { made, driver })
    return driver
  }
}

async function passiveDriver(parts: AskingParts, runs: Omit<ConnectionRun, 'epoch'>): Promise<Driver> {
  const { db, config, log, media, notices } = parts
  return parts.createDriver(runs.kind, runs.connection, {
    connectionId: runs.id,
    epoch: -1,
    isOwner: () => false,
    db,
    config,
    acceptsCalls: async () => (await readSettings(db)).call,
    rawMessage: async () => null,
    secretsOf: async () => [],
    openMedia: mediaId => openDriverFile(media, mediaId),
    log,
    async emit(events) {
      const rest = events.filter(event => event.type !== 'status' && event.type !== 'typing')
      if (rest.length === 0) return
      const received = await receiveEvents(db, { id: runs.id }, rest)
      if (received.stored > 0) parts.ring()
      if (received.undigested > 0) log.error({ whatsappId: runs.id, events: received.undigested }, UNDIGESTED)
      if (received.answered) notices.ring('outbox')
      if (received.withMedia) notices.ring('connection')
    },
  })
}

function toRefusal(error: unknown): Error {
  if (error instanceof NoOwnerError) return new AppError('ERR_WAPP_NOT_INITIALIZED')
  if (error instanceof CommandError) return new AppError('ERR_WAPP_NOT_INITIALIZED', { reason: error.code })
  return error instanceof Error ? error : new Error(String(error))
}
