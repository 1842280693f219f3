// Media on Meta's side: uploads with their size limits, and addresses that live five minutes.
import { createHash } from 'node:crypto'
import type { GraphMediaKind, MediaFile } from './content.ts'
import { GraphCallError } from './errors.ts'

const MB = 1024 * 1024
const ADDRESS_LIFE_MS = 5 * 60_000

/** What Meta takes per kind: the largest file in bytes and the content types. Any type may be sent as a document. */
const ACCEPTED: Record<GraphMediaKind, { bytes: number; types: RegExp }> = {
  image: { bytes: 5 * MB, types: /^image\/(jpeg|png)$/ },
  audio: { bytes: 16 * MB, types: /^audio\/(aac|amr|mpeg|mp4|ogg|opus)$/ },
  video: { bytes: 16 * MB, types: /^video\/(mp4|3gpp?)$/ },
  document: { bytes: 100 * MB, types: /^[\w.+-]+\/[\w.+-]+$/ },
  sticker: { bytes: 500 * 1024, types: /^image\/webp$/ },
}

export interface GraphMedia extends MediaFile {
  id: string
  /** The business number it was uploaded to or received at; nobody else may fetch it. */
  phoneNumberId: string
}

export class GraphMediaStore {
  private readonly files = new Map<string, GraphMedia>()
  private readonly addresses = new Map<string, { id: string; until: number }>()
  private readonly now: () => number

  constructor(now: () => number) {
    this.now = now
  }

  keep(phoneNumberId: string, file: MediaFile): GraphMedia {
    const id = String(10 ** 14 + Math.floor(Math.random() * 9 * 10 ** 14))
    const stored = { ...file, id, phoneNumberId }
    this.files.set(id, stored)
    return stored
  }

  find(id: string): GraphMedia | undefined {
    return this.files.get(id)
  }

  forget(id: string): void {
    this.files.delete(id)
  }

  /** The answer to GET /{mediaId}, with a fresh address. */
  describe(media: GraphMedia, origin: string) {
    const key = crypto.randomUUID()
    this.addresses.set(key, { id: media.id, until: this.now() + ADDRESS_LIFE_MS })
    return {
      messaging_product: 'whatsapp',
      url: `${origin}/whatsapp_business/attachments/?mid=${media.id}&key=${key}`,
      mime_type: media.mime,
      sha256: hashSha256(media.bytes, 'hex'),
      file_size: media.bytes.byteLength,
      id: media.id,
    }
  }

  /** The file behind an address, while it lives. */
  behind(key: string): GraphMedia | undefined {
    const address = this.addresses.get(key)
    return address && address.until > this.now() ? this.files.get(address.id) : undefined
  }
}

/** Refuses what Meta would refuse at upload or when fetching a link. */
export function checkMedia(kind: GraphMediaKind, file: MediaFile): void {
  const accepted = ACCEPTED[kind]
  const type = stripMimeParameters(file.mime)
  if (!accepted.types.test(type)) throw new GraphCallError(131053, `${type} is not supported for ${kind}`)
  if (file.bytes.byteLength > accepted.bytes)
    throw new GraphCallError(
      131053,
      `${kind} of ${file.bytes.byteLength} bytes exceeds the limit of ${accepted.bytes} bytes`,
    )
  if (file.bytes.byteLength === 0) throw new GraphCallError(131053, 'The file is empty')
}

/** The kind an upload is judged by: its content type decides. */
export function toMediaKind(mime: string): GraphMediaKind {
  const type = stripMimeParameters(mime)
  if (type === 'image/webp') return 'sticker'
  const family = type.split('/')[0]
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'document'
}

export function hashSha256(bytes: Uint8Array, encoding: 'hex' | 'base64'): string {
  return createHash('sha256').update(bytes).digest(encoding)
}

function stripMimeParameters(mime: string): string {
  return mime.split(';')[0]?.trim().toLowerCase() ?? ''
}
