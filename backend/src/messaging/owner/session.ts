// One running connection in its owner: the driver, the way into the inbox, the sender and the fetcher of files.
import type { ConnectionStatus, ConnectionTrouble, Kind } from '@balcao/contract'
import type { Logger } from 'pino'
import { FencedError, type OwnedConnection } from '../../desk/connections/ownership.ts'
import { type Fetcher, startFetcher } from '../../desk/media/fetcher.ts'
import type { MediaStorage } from '../../desk/media/storage.ts'
import { ensureLocalFiles, openMedia } from '../../desk/media/store.ts'
import {
  ChannelError,
  type ChannelEvent,
  type Driver,
  type DriverConnection,
  type DriverHost,
} from '../../platform/channel/driver.ts'
import type { Config } from '../../platform/config.ts'
import type { Db } from '../../platform/database/client.ts'
import { retryWhileUnavailable } from '../../platform/database/faults.ts'
import { getSql } from '../../platform/database/raw.ts'
import type { Metrics } from '../../platform/http/metrics.ts'
import { readSettings } from '../../policy/settings/read.ts'
import { createInboxBatcher } from '../inbox/batcher.ts'
import type { Claim } from '../outbox/claim.ts'
import { type Sender, startSender } from '../outbox/sender.ts'
import type { SendOutcome } from '../outbox/settle.ts'
import { dispatchNext } from '../sends/pace.ts'
import { type StatusEvent, storeStatus } from './status.ts'
import { publishTyping, type VolatilePublisher } from './typing.ts'

/** What a session is given by its process. */
export interface SessionParts {
  readonly db: Db
  readonly config: Config
  readonly log: Logger
  readonly metrics: Metrics
  readonly media: MediaStorage
  readonly createDriver: (kind: Kind, connection: DriverConnection, host: DriverHost) => Driver | Promise<Driver>
  /** Live events were appended. */
  readonly ring: () => void
  /** Tells what happens now to whoever may see a ticket; nothing is stored. */
  readonly tellVolatile: VolatilePublisher
}

export interface ConnectionRun {
  readonly id: number
  readonly name: string
  readonly kind: Kind
  readonly epoch: number
  readonly connection: DriverConnection
}

export interface RunningSession {
  readonly epoch: number
  readonly driver: Driver
  /** What the driver said last. */
  readonly status: ConnectionStatus | null
  readonly trouble: ConnectionTrouble | null
  /** When the code that is shown runs out, in ms. */
  readonly qrExpiresAt: number
  /** Something may be due in the outbox. */
  wakeSender(): void
  /** Files may be waiting to be fetched. */
  wakeFetcher(): void
  /** Resolves when the driver has said anything but OPENING, or after a while. */
  settled(): Promise<void>
  /** Ends it in order: what is on its way is waited for a little. */
  stop(): Promise<void>
  /** Ends it at once and without a word to the database: it is not ours any more. */
  abandon(): void
}

/** For the log; in the conversation a card stands for a message. */
export const UNDIGESTED = 'events could not be taken in: they are kept with their error in raw_event'

const SETTLED_MS = 3000

/** What a session asks and tells its process: whether it is still sure to run the connection, and that a newer owner showed up. */
export interface Ownership {
  readonly isOwner: () => boolean
  readonly fenced: () => void
}

/** Puts a session together; the caller starts its driver. */
export async function startSession(
  parts: SessionParts,
  runs: ConnectionRun,
  { isOwner, fenced }: Ownership,
): Promise<RunningSession> {
  const { db, log, metrics } = parts
  const line = { whatsappId: runs.id, kind: runs.kind }
  const owned: OwnedConnection = { whatsappId: runs.id, epoch: runs.epoch }
  let status: ConnectionStatus | null = null
  let trouble: ConnectionTrouble | null = null
  let qrExpiresAt = Number.POSITIVE_INFINITY
  let sender: Sender | undefined
  let fetcher: Fetcher | undefined
  let over = false
  let saying: Promise<void> = Promise.resolve()
  const heard = new Set<() => void>()

  const taker = createInboxBatcher(
    db,
    { id: runs.id },
    {
      taken(received) {
        if (received.stored > 0) parts.ring()
        for (const { at, ...message } of received.messages) {
          log.info({ ...line, ...message, latencyMs: Date.now() - at }, 'message received')
          if (!message.fromMe) metrics.received.inc({ kind: runs.kind })
        }
        if (received.undigested > 0) log.error({ whatsappId: runs.id, events: received.undigested }, UNDIGESTED)
        if (received.answered) sender?.wake()
        if (received.withMedia) fetcher?.wake()
      },
      failed: (error, attempt) =>
        log.error({ err: error, whatsappId: runs.id, attempt }, 'the inbox could not take events yet'),
    },
  )

  /** A try that is repeated is told as what it comes to in the end. */
  function settled({ messageId, operation, createdAt }: Claim, outcome: SendOutcome): void {
    if (operation !== 'message' || outcome.state === 'queued') return
    const sent = { ...line, messageId, latencyMs: Date.now() - createdAt }
    if (outcome.state === 'failed') {
      log.warn({ ...sent, code: outcome.error.code }, 'message failed')
      metrics.notSent(runs.kind, String(outcome.error.code))
    } else if (outcome.state === 'unknown') log.warn(sent, 'message of which nobody knows whether it went out')
    else {
      log.info(sent, 'message sent')
      metrics.sent.inc({ kind: runs.kind })
    }
  }

  async function emit(events: readonly ChannelEvent[]): Promise<void> {
    if (over) throw new FencedError()
    const rest: ChannelEvent[] = []
    for (const event of events) {
      if (event.type === 'status') await takeStatus(event)
      else if (event.type === 'typing') await publishTyping(db, runs.id, event, parts.tellVolatile)
      else rest.push(event)
    }
    if (rest.length > 0) await taker.take(rest)
  }

  /** One after the other, and each is stored in the end: a connection whose word was lost would stand still. */
  function takeStatus(event: StatusEvent): Promise<void> {
    const taken = saying.then(() => noteStatus(event))
    saying = taken.catch(() => {})
    return taken
  }

  async function noteStatus(event: StatusEvent): Promise<void> {
    try {
      await retryWhileUnavailable(
        () => storeStatus(db, owned, event),
        () => !over,
      )
    } catch (error) {
      if (error instanceof FencedError) fenced()
      throw error
    }
    status = event.status
    qrExpiresAt = event.qrExpiresAt ?? Number.POSITIVE_INFINITY
    if (event.trouble !== undefined) trouble = event.trouble
    if (status === 'CONNECTED') trouble = null
    parts.ring()
    sender?.setConnected(status === 'CONNECTED')
    if (status === 'CONNECTED') fetcher?.wake()
    if (status !== 'OPENING') for (const tell of heard) tell()
  }

  const driver = await parts.createDriver(runs.kind, runs.connection, createDriverHost(parts, runs, isOwner, emit))
  const handPaced = () => dispatchNext(db, owned, parts.config.sendPaceMs)
  const bringFiles = (ids: readonly string[]) => ensureLocalFiles(parts.media, ids)
  sender = await startSender({
    db,
    owned,
    driver,
    ring: parts.ring,
    fenced,
    isOwner,
    handPaced,
    bringFiles,
    settled,
    log,
  })
  fetcher = startFetcher({ db, whatsappId: runs.id, driver, media: parts.media, ring: parts.ring, log })

  return {
    epoch: runs.epoch,
    driver,
    get status() {
      return status
    },
    get trouble() {
      return trouble
    },
    wakeSender: () => sender?.wake(),
    wakeFetcher: () => fetcher?.wake(),
    get qrExpiresAt() {
      return qrExpiresAt
    },
    settled() {
      return new Promise(done => {
        const timer = setTimeout(finish, SETTLED_MS)
        function finish(): void {
          clearTimeout(timer)
          heard.delete(finish)
          done()
        }
        heard.add(finish)
      })
    },
    async stop() {
      await sender?.stop()
      fetcher?.stop()
      await driver.settle?.()
      await driver.stop()
      await taker.stop()
      over = true
    },
    abandon() {
      over = true
      fetcher?.stop()
      for (const ending of [sender?.stop(0), driver.stop()]) ending?.catch(() => {})
    },
  }
}

function createDriverHost(
  { db, config, log, media }: SessionParts,
  { id, epoch }: ConnectionRun,
  isOwner: Ownership['isOwner'],
  emit: (events: readonly ChannelEvent[]) => Promise<void>,
): DriverHost {
  return {
    connectionId: id,
    epoch,
    isOwner,
    db,
    config,
    acceptsCalls: async () => (await readSettings(db)).call,
    emit,
    rawMessage: async providerId => {
      const [row] = await getSql(db)<{ raw: { event?: unknown } | null }[]>`
        select raw from message where whatsapp_id = ${id} and provider_id = ${providerId} order by id desc limit 1`
      return row?.raw?.event ?? null
    },
    secretsOf: async providerId => {
      const rows = await getSql(db)<{ secret: string }[]>`
        select secret from message where whatsapp_id = ${id} and provider_id = ${providerId} and secret is not null limit 5`
      return rows.map(row => row.secret)
    },
    openMedia: mediaId => openDriverFile(media, mediaId),
    log,
  }
}

/** A stored file for a driver to send. */
export async function openDriverFile(media: MediaStorage, mediaId: string) {
  const file = await openMedia(media, mediaId)
  if (!file) throw new ChannelError('no_file', 'The file is gone')
  const { path, size, mime, name } = file
  return { path, size, mime, name }
}
