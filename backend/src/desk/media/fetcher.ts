// Fetches the files of received messages at once, while the provider still has them. Runs in the connection's owner, because only its
// driver can fetch; what is still to be fetched stands in the messages themselves, so nothing is forgotten over a crash.
import type { ErrorCode, MediaInfo } from '@balcao/contract'
import type { Driver, MediaHandle } from '../../platform/channel/driver.ts'
import { ChannelError } from '../../platform/channel/driver.ts'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { crashAtFailPoint } from '../../platform/fail-point.ts'
import { AppError } from '../../platform/http/errors.ts'
import { publishMessageEvents } from '../messages/present.ts'
import { claimUpload } from './claim.ts'
import { ensureDiskSpace } from './disk-space.ts'
import type { MediaStorage } from './storage.ts'
import { type StoredMedia, storeMedia } from './store.ts'

export interface Fetcher {
  /** Files may be waiting. */
  wake(): void
  stop(): void
}

export interface FetcherOptions {
  readonly db: Db
  readonly whatsappId: number
  readonly driver: Pick<Driver, 'download'>
  readonly media: MediaStorage
  readonly ring: () => void
  /** Nobody may fill the disk with one file: 256 MB unless told. */
  readonly mostBytes?: number
  readonly log: { warn(fields: object, text: string): void; error(fields: object, text: string): void }
}

const SIDE_BY_SIDE = 4
const LOOK_MS = 5000
const PAUSES_S = [1, 5, 15, 60, 300]
/** A full disk is nobody's failure: the file waits for room, however long that takes. */
const NO_ROOM_PAUSE_S = 15
const MOST_BYTES = 256 * 1024 * 1024

/**
 * Looks for files to fetch until stopped; each is tried six times over some minutes before its message says `failed`. While the
 * disk is full it waits, and the message stays `pending`.
 */
export function startFetcher(options: FetcherOptions): Fetcher {
  const { db, whatsappId, driver, media, ring, log, mostBytes = MOST_BYTES } = options
  const tries = new Map<number, { attempts: number; next: number }>()
  const onTheWay = new Set<number>()
  let stopped = false
  let looking = false
  let full = false
  let again = false
  const timer = setInterval(wake, LOOK_MS)
  const later = new Set<ReturnType<typeof setTimeout>>()

  function wake(): void {
    again = true
    if (looking || stopped) return
    check().catch(error => log.error({ err: error, whatsappId }, 'looking for files to fetch failed'))
  }

  function wakeIn(ms: number): void {
    const waking = setTimeout(() => {
      later.delete(waking)
      wake()
    }, ms)
    later.add(waking)
  }

  async function check(): Promise<void> {
    looking = true
    try {
      while (again && !stopped && onTheWay.size < SIDE_BY_SIDE) {
        again = false
        if (!(await hasRoom())) return
        for (const message of await waitingFiles()) {
          if (stopped || onTheWay.size >= SIDE_BY_SIDE) break
          start(message)
        }
      }
    } finally {
      looking = false
    }
  }

  /** Told once, however many files wait. */
  async function hasRoom(): Promise<boolean> {
    try {
      await ensureDiskSpace(media.dataDir)
      full = false
    } catch (error) {
      if (!isNoSpace(error)) throw error
      if (!full) log.warn({ whatsappId }, 'the disk is full: received files wait')
      full = true
    }
    return !full
  }

  function waitingFiles(): Promise<WaitingFile[]> {
    const notYet = [...tries].filter(([, { next }]) => next > Date.now()).map(([id]) => id)
    return getSql(db)<WaitingFile[]>`
      select id::float8 as id, ticket_id as "ticketId", media, raw->'handle' as handle from message
      where whatsapp_id = ${whatsappId} and media->>'state' = 'pending' and media_id is null
        and id <> all(${[...onTheWay, ...notYet]}::bigint[])
      order by message.id limit ${SIDE_BY_SIDE}`
  }

  function start(file: WaitingFile): void {
    onTheWay.add(file.id)
    fetchOne(file)
      .catch(error => log.error({ err: error, messageId: file.id }, 'a fetched file could not be noted'))
      .finally(() => {
        onTheWay.delete(file.id)
        wake()
      })
  }

  async function fetchOne(file: WaitingFile): Promise<void> {
    const attempts = (tries.get(file.id)?.attempts ?? 0) + 1
    try {
      if (!file.handle) throw new ChannelError('gone', 'There is nothing to fetch it with')
      const size = file.media.size ?? 0
      // Its sender's word: for one nobody could ever keep there will be no room, however long it waits.
      if (size > mostBytes) throw new AppError('ERR_FILE_TOO_LARGE', { most: mostBytes })
      await ensureDiskSpace(media.dataDir, size)
      crashAtFailPoint('media:before-fetch')
      const stored = await download(file, file.handle)
      crashAtFailPoint('media:stored')
      tries.delete(file.id)
      await note(file, { state: 'ready', error: null, ...toMediaInfo(stored) }, stored.id)
      crashAtFailPoint('media:noted')
    } catch (error) {
      if (stopped) return
      const noRoom = isNoSpace(error)
      const pause = noRoom ? NO_ROOM_PAUSE_S : PAUSES_S[attempts - 1]
      if (pause !== undefined && !isFinal(error)) {
        tries.set(file.id, { attempts: noRoom ? attempts - 1 : attempts, next: Date.now() + pause * 1000 })
        wakeIn(pause * 1000 + 1)
        log.warn({ messageId: file.id, attempts, reason: toReason(error) }, 'a file could not be fetched yet')
        return
      }
      tries.delete(file.id)
      log.warn({ messageId: file.id, attempts, reason: toReason(error) }, 'a file could not be fetched')
      await note(file, { state: 'failed', error: toErrorCode(error) }, null)
    }
  }

  async function download(file: WaitingFile, handle: MediaHandle): Promise<StoredMedia> {
    const options = { most: mostBytes, isReceived: true } as const
    const name = file.media.name || nameFile(file.media)
    try {
      return await storeMedia(media, await driver.download(handle), { ...options, name })
    } catch (error) {
      // What calls itself a picture and is none is kept all the same, as a plain file.
      if (!(error instanceof AppError && error.code === 'ERR_FILE_TYPE')) throw error
      return storeMedia(media, await driver.download(handle), { ...options, name: `${name}.bin` })
    }
  }

  async function note(
    file: WaitingFile,
    info: Partial<MediaInfo> & { thumb?: boolean },
    mediaId: string | null,
  ): Promise<void> {
    const changed = await db.transaction(async tx => {
      // A better file may have taken its place meanwhile; if that one cannot be had, what was there before stays.
      const rows = await getSql(tx)`
        update message set version = version + 1,
          media = case when ${mediaId === null} and raw ? 'before' then raw->'before'->'media' else media || ${JSON.stringify(info)}::text::jsonb end,
          media_id = coalesce(media_id, ${mediaId}, raw->'before'->>'mediaId')
        where id = ${file.id} and media->>'state' = 'pending'
          and raw->'handle' is not distinct from ${file.handle && JSON.stringify(file.handle)}::text::jsonb returning 1`
      if (rows.length === 0) return false
      if (mediaId !== null) await claimUpload(tx, null, mediaId, { ticketId: file.ticketId })
      await publishMessageEvents(tx, [file.id], 'update')
      return true
    })
    if (changed) ring()
  }

  wake()
  return {
    wake,
    stop() {
      stopped = true
      clearInterval(timer)
      for (const waking of later) clearTimeout(waking)
    },
  }
}

interface WaitingFile {
  id: number
  ticketId: number
  media: Omit<MediaInfo, 'thumbUrl'>
  handle: MediaHandle | null
}

function toMediaInfo({ name, mime, size, width, height, thumb }: StoredMedia): Partial<MediaInfo> & { thumb: boolean } {
  return { name, mime, size, thumb, ...(width === null ? {} : { width, height }) }
}

function isNoSpace(error: unknown): boolean {
  return error instanceof AppError && error.code === 'ERR_NO_SPACE'
}

/** Trying again would change nothing. */
function isFinal(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'ERR_FILE_TOO_LARGE' || error.code === 'ERR_VALIDATION'
  return error instanceof ChannelError && (error.code === 'gone' || error.code === 'not_supported')
}

/** What the message says of it, by the catalogue (spec 1 §8): a file that was refused is not worth asking for again. */
function toErrorCode(error: unknown): ErrorCode {
  const refused = error instanceof AppError && error.code === 'ERR_FILE_TOO_LARGE'
  return refused ? 'ERR_WAPP_DOWNLOAD_MEDIA_DENIED' : 'ERR_WAPP_DOWNLOAD_MEDIA'
}

function toReason(error: unknown): string {
  return error instanceof ChannelError || error instanceof AppError ? error.code : 'download'
}

const NAMES: Record<string, string> = { audio: 'audio', image: 'foto', video: 'video' }

/** What came without a name is called after what it is: 'audio.ogg'. */
export function nameFile({ mime }: Pick<MediaInfo, 'mime'>): string {
  return `${NAMES[mime.split('/')[0] ?? ''] ?? 'arquivo'}${toFileEnding(mime)}`
}

function toFileEnding(mime: string): string {
  const kind = /^\w+\/([\w-]+)/.exec(mime)?.[1] ?? ''
  return kind === '' ? '' : `.${kind === 'jpeg' ? 'jpg' : kind}`
}
