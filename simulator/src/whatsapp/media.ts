/** Encrypted files: how phones make them, where they lie, how they are opened again. */
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { getMediaKeys, type proto } from '@whiskeysockets/baileys'
import type { PhoneContent } from './content'

export type PhoneMediaKind = 'image' | 'video' | 'audio' | 'voice' | 'document' | 'sticker'

/** A file in the media host and the key to open it. */
export interface MediaRef {
  path: string
  key: Uint8Array
  kind: PhoneMediaKind
  length: number
  sha256: Uint8Array
}

/** The files of the media host by path; both hosts (plain for downloads, TLS for uploads) serve the same. */
export class MediaStore {
  private readonly files = new Map<string, Uint8Array>()
  private readonly expired = new Map<string, Uint8Array>()

  put(path: string, data: Uint8Array): void {
    this.files.set(path, data)
  }

  get(path: string): Uint8Array | undefined {
    return this.files.get(path)
  }

  /** The host no longer has a file (404); the phone that sent it still does. */
  expire(path: string): void {
    const file = this.files.get(path)
    if (!file) return
    this.files.delete(path)
    this.expired.set(path, file)
  }

  /** Puts an expired file back, under a new path. @returns the path, or nothing if there is no such file */
  restore(path: string): string | undefined {
    const file = this.files.get(path) ?? this.expired.get(path)
    if (!file) return undefined
    const again = `${path}-${randomBytes(4).toString('hex')}`
    this.files.set(again, file)
    return again
  }

  /** Downloads and decrypts what a message refers to. */
  async open(ref: MediaRef): Promise<Uint8Array> {
    const data = this.files.get(ref.path)
    if (!data) throw new Error(`The media host has no ${ref.path}`)
    const { iv, cipherKey, macKey } = await deriveMediaKeys(ref.key, ref.kind)
    const sealed = data.subarray(0, -MAC_LENGTH)
    const mac = createHmac('sha256', macKey).update(iv).update(sealed).digest().subarray(0, MAC_LENGTH)
    if (!mac.equals(data.subarray(-MAC_LENGTH))) throw new Error(`${ref.path} was changed on the way`)
    const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv)
    return Buffer.concat([decipher.update(sealed), decipher.final()])
  }
}

const MAC_LENGTH = 10
const KEY_TYPES = {
  image: 'image',
  video: 'video',
  audio: 'audio',
  voice: 'ptt',
  document: 'document',
  sticker: 'sticker',
} as const satisfies Record<PhoneMediaKind, string>

async function deriveMediaKeys(key: Uint8Array, kind: PhoneMediaKind) {
  const { iv, cipherKey, macKey } = await getMediaKeys(key, KEY_TYPES[kind])
  if (!macKey) throw new Error(`No keys for ${kind}`)
  return { iv, cipherKey, macKey }
}

/** The fields every media message has, after encrypting the file and putting it on the host. */
export async function upload(store: MediaStore, host: string, kind: PhoneMediaKind, data: Uint8Array) {
  const mediaKey = randomBytes(32)
  const { iv, cipherKey, macKey } = await deriveMediaKeys(mediaKey, kind)
  const cipher = createCipheriv('aes-256-cbc', cipherKey, iv)
  const sealed = Buffer.concat([cipher.update(data), cipher.final()])
  const mac = createHmac('sha256', macKey).update(iv).update(sealed).digest().subarray(0, MAC_LENGTH)
  const file = Buffer.concat([sealed, mac])
  const path = `/mms/${kind}/${randomBytes(16).toString('hex')}`
  store.put(path, file)
  return {
    url: `${host}${path}`,
    mediaKey,
    fileLength: data.length,
    fileSha256: createHash('sha256').update(data).digest(),
    fileEncSha256: createHash('sha256').update(file).digest(),
    mediaKeyTimestamp: Math.floor(Date.now() / 1000),
  }
}

/** The media a message carries, if it carries one. */
export function findMedia(message: proto.IMessage): PhoneContent | undefined {
  const { imageMessage, videoMessage, ptvMessage, audioMessage, documentMessage, stickerMessage } = message
  if (imageMessage) return read('image', imageMessage)
  if (videoMessage ?? ptvMessage) return read('video', videoMessage ?? ptvMessage ?? {})
  if (audioMessage) return read(audioMessage.ptt ? 'voice' : 'audio', audioMessage)
  if (documentMessage) return read('document', documentMessage)
  if (stickerMessage) return read('sticker', stickerMessage)
  return undefined
}

interface AnyMedia {
  url?: string | null
  directPath?: string | null
  mediaKey?: Uint8Array | null
  fileLength?: unknown
  fileSha256?: Uint8Array | null
  mimetype?: string | null
  caption?: string | null
  fileName?: string | null
  seconds?: number | null
  waveform?: Uint8Array | null
}

function read(kind: PhoneMediaKind, media: AnyMedia): PhoneContent {
  return {
    type: kind,
    media: {
      path: media.directPath || getPath(media.url),
      key: media.mediaKey ?? new Uint8Array(),
      kind,
      length: Number(media.fileLength ?? 0),
      sha256: media.fileSha256 ?? new Uint8Array(),
    },
    mimetype: media.mimetype ?? '',
    ...(media.caption && { caption: media.caption }),
    ...(media.fileName && { fileName: media.fileName }),
    ...(media.seconds && { seconds: media.seconds }),
    ...(media.waveform?.length && { waveform: [...media.waveform] }),
  }
}

function getPath(url: string | null | undefined): string {
  return url ? new URL(url).pathname : ''
}
