// The server from nothing to listening, and back. `main.ts`, the demo and the tests all start it here.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../desk/media/folder.ts'
import { createMediaStorage } from '../desk/media/storage.ts'
import { startUploader } from '../desk/media/uploader.ts'
import { type FirstOwner, makeFirstOwner } from '../desk/users/first-owner.ts'
import { markUsersGone, sweepPresence } from '../desk/users/presence.ts'
import { refreshCalendar } from '../insight/figures/calendar.ts'
import { createDriver } from '../messaging/channels/registry.ts'
import { startSupervisor } from '../messaging/owner/supervisor.ts'
import { startWebhookDispatcher } from '../messaging/webhooks-out/dispatcher.ts'
import { buildNotices, isNoticeable } from '../operations/notifications/from-events.ts'
import { enqueuePush } from '../operations/push/jobs.ts'
import { type Config, readConfig } from '../platform/config.ts'
import { ConfigError } from '../platform/config-error.ts'
import { closeDatabase, type Db, openDatabase } from '../platform/database/client.ts'
import { checkEdition } from '../platform/database/edition.ts'
import { migrate } from '../platform/database/migrate.ts'
import { openNotices } from '../platform/database/notices.ts'
import { openOwnDatabase } from '../platform/database/own-database.ts'
import { createMetrics } from '../platform/http/metrics.ts'
import type { Mount } from '../platform/http/mounts.ts'
import { createDebouncer } from '../platform/live/debounce.ts'
import { startHub } from '../platform/live/hub.ts'
import type { Hub } from '../platform/live/hub-parts.ts'
import { type PresenceBroadcast, startPresenceBroadcast } from '../platform/live/presence-broadcast.ts'
import { startViewers, type Viewers } from '../platform/live/viewers.ts'
import { createLogger } from '../platform/logger.ts'
import type { JobKind } from '../platform/worker/kind.ts'
import { makeJobTables, startWorker } from '../platform/worker/run.ts'
import { loadFacts } from '../policy/access/ticket-facts.ts'
import type { Parts } from '../policy/kit/parts.ts'
import { type License, startLicense } from '../policy/license/license.ts'
import { clearSettingsCache, pickVisibilitySettings, readSettings } from '../policy/settings/read.ts'
import { findViewer, loadUserBriefs } from '../policy/users/viewer.ts'
import { createApp } from './app.ts'
import { featureJobs } from './jobs.ts'
import { removeRevokedContent } from './socket/revoked-content.ts'
import { openSocketUpgrade } from './socket/socket.ts'

export interface ServerOptions {
  /** The environment; the process's own unless given. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly mounts?: readonly Mount[]
  readonly demoAccounts?: Parts['demoAccounts']
  /** The folder that holds shell/ and mfe-*; the checkout's unless given. */
  readonly frontendRoot?: string
  /** Kinds of jobs besides the product's. */
  readonly jobs?: (parts: Parts) => readonly JobKind[]
}

export interface RunningServer {
  /** Where people reach it: PUBLIC_URL, or the local address. */
  readonly url: string
  /** The port it really listens on. */
  readonly port: number
  readonly config: Config
  readonly db: Db
  /** The first owner, when this start made one: its password is known only here. */
  readonly firstOwner: FirstOwner | null
  readonly license: License
  /** Where the embedded database lies; null for one of somebody else's. */
  readonly databaseFolder: string | null
  readonly stop: () => Promise<void>
}

const AWAY_AFTER_MS = 300_000
const SWEEP_MS = 30_000
const DRAIN_MS = 10_000
const LET_IN_MS = 20
const COUNT_MS = 2000
const PUSH_GATHER_MS = 200

/** What a server begins with. Throws `ConfigError` with every problem of the environment, and where its port is taken. */
export function readServerConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const config = readConfig(env)
  refuseTaken(config)
  return config
}

/** Two servers on one port would each get half the calls: who comes second is told so before anything is touched. */
function refuseTaken({ host: hostname, port }: Config): void {
  try {
    Bun.listen({ hostname, port, socket: { data() {} } }).stop(true)
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? error.code : error
    throw new ConfigError([
      `PORT ${port} on HOST ${hostname} cannot be taken (${why}): another server may be running there`,
    ])
  }
}

/** Starts everything; resolves when the server answers. Throws `ConfigError`, and `DatabaseMissingError` where its database cannot be used. */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const config = readServerConfig(options.env ?? process.env)
  const log = createLogger(config)
  const { url: databaseUrl, engine } = await openOwnDatabase(config)
  const databaseFolder = engine?.folder ?? null
  await makeFolder(config.dataDir).catch(err => log.error({ err }, 'there is no folder for files'))
  await checkEdition(databaseUrl, ['empty', 'older', 'newer'])
  await migrate(databaseUrl, text => log.warn(text))
  await makeJobTables({ url: databaseUrl, log })
  const db = openDatabase(databaseUrl, { purpose: 'web' })
  const work = openDatabase(databaseUrl, { purpose: 'work' })
  const live = openDatabase(databaseUrl, { purpose: 'live' })
  const openCopy = (purpose: 'web' | 'work') =>
    config.databaseReadUrl === null ? {} : { readDb: openDatabase(config.databaseReadUrl, { purpose }) }
  const [readByPeople, readAtWork] = [openCopy('web'), openCopy('work')]
  const firstOwner = await makeFirstOwner(db, config)
  // A small desk has its days at the start; of a large one the job counts the rest.
  await refreshCalendar(work, new Date(), AbortSignal.timeout(COUNT_MS))
  const notices = openNotices(live)
  const metrics = createMetrics()

  let hub: Hub | undefined
  const theHub = () => {
    if (!hub) throw new Error('The live hub is not started')
    return hub
  }
  const media = createMediaStorage({ db: work, config })
  const supervisor = await startSupervisor({
    url: databaseUrl,
    db: work,
    config,
    log,
    metrics,
    notices,
    media,
    createDriver,
    ring: () => notices.ring('live'),
    tellVolatile: (volatile, facts) => hub?.tellVolatile(volatile, facts),
  })
  const license = startLicense({
    url: config.licenseUrl,
    taxId: config.taxId,
    dataDir: config.dataDir,
    onBlocked: () => door.closeAll(),
    log,
  })
  const parts: Parts = {
    db,
    live,
    ...readByPeople,
    config,
    log,
    metrics,
    ring: () => {
      notices.ring('live')
      notices.ring('outbox')
    },
    supervisor,
    license,
    closeEndedSockets: () => void door.sweep().catch(error => log.error({ err: error }, 'a sweep failed')),
    presenceChanged: () => notices.ring('presence'),
    fetchMedia: async () => notices.ring('connection'),
    demoAccounts: options.demoAccounts ?? [],
  }
  let viewers: Viewers | undefined
  let presence: PresenceBroadcast | undefined
  const theViewers = () => {
    if (!viewers) throw new Error('The register of viewers is not started')
    return viewers
  }
  const door = openSocketUpgrade({ ...parts, db: live }, theHub, theViewers)
  const frontendRoot = options.frontendRoot ?? join(import.meta.dir, '../../..')
  if (!existsSync(join(frontendRoot, 'shell/dist/index.html'))) log.warn('the front end is not built')
  const app = createApp(parts, { frontendRoot, mounts: options.mounts ?? [], socket: door })
  app.elysia.listen({ port: config.port, hostname: config.host, reusePort: false, websocket: door.listeners })
  const server = app.elysia.server
  if (!server) throw new Error('The server did not start')
  const atWork: Parts = { ...parts, db: work, ...readAtWork }
  // Nobody waits for sweeps to begin.
  const worker = startWorker({
    url: databaseUrl,
    kinds: [...featureJobs(atWork), ...(options.jobs?.(atWork) ?? [])],
    log,
  })
  const push = createDebouncer(
    PUSH_GATHER_MS,
    () => enqueuePush(work),
    error => log.warn({ err: error }, 'web push was not asked for'),
  )
  hub = await startHub(live, notices, {
    settings: async () => {
      clearSettingsCache(live)
      return pickVisibilitySettings(await readSettings(live))
    },
    viewer: userId => findViewer(live, userId),
    publish: (topic, text) => void server.publish(topic, text),
    notices: (rows, people) => {
      if (rows.some(isNoticeable)) push.soon()
      return buildNotices(live, rows, people)
    },
    dropTakenBack: rows => removeRevokedContent(live, rows),
    failed: (error, doing) => log.error({ err: error, doing }, 'live events'),
    read: rows => {
      for (const { audience } of rows) if (audience.to === 'ticket') viewers?.moved(audience.ticketId, audience.after)
    },
    seen: () => viewers?.seen() ?? [],
    there: () => presence?.there() ?? null,
  })
  viewers = await startViewers(notices, {
    facts: ids => loadFacts(live, ids),
    people: ids => loadUserBriefs(live, ids),
    tell: seen => theHub().tellViewing(seen),
    gone: ids => void markUsersGone(atWork, ids).catch(error => log.error({ err: error }, 'noting who went failed')),
    failed: (error, doing) => log.error({ err: error, doing }, 'who is here'),
  })
  presence = await startPresenceBroadcast(live, notices, {
    tell: frame => theHub().tellEverybody(frame),
    failed: error => log.error({ err: error }, 'telling who is there'),
  })
  const keeping = startUploader(media, log)
  const webhooks = await startWebhookDispatcher(atWork, notices)
  const sweeping = setInterval(() => {
    const failed = (error: unknown) => log.error({ err: error }, 'a sweep failed')
    sweepPresence(atWork, AWAY_AFTER_MS, theViewers().connected()).catch(failed)
    door.sweep().catch(failed)
  }, SWEEP_MS)
  const url = config.publicUrl ?? `http://${config.host}:${server.port}`

  /** In the order in which nothing is lost: no new work, sessions, sockets, requests in flight, then what they stand on. */
  async function stop(): Promise<void> {
    app.draining = true
    // Who shares out requests sees that this one is not ready, and turns to another; until then it serves as ever.
    await Bun.sleep(config.drainMs)
    app.closing = true
    await push.stop()
    clearInterval(sweeping)
    await keeping.stop()
    license.stop()
    await webhooks.stop()
    await worker.stop()
    await supervisor.close()
    door.closeAll()
    theHub().stop()
    await presence?.stop()
    await theViewers().stop()
    // Whoever has connected meanwhile is let in: a listener that closes cuts off those who wait before it.
    await Bun.sleep(LET_IN_MS)
    await Promise.race([server?.stop(false), Bun.sleep(DRAIN_MS)])
    await server?.stop(true)
    await notices.close()
    const copies = [readByPeople, readAtWork].flatMap(({ readDb: copy }) => copy ?? [])
    await Promise.all([db, work, live, ...copies].map(closeDatabase))
    await engine?.stop()
    log.info('ended in order')
  }
  return { url, port: server.port ?? config.port, config, db, firstOwner, license, databaseFolder, stop: once(stop) }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let doing: Promise<void> | undefined
  return () => {
    doing ??= work()
    return doing
  }
}
