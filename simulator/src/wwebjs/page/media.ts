/** Files on the page: prepared, "uploaded" and fetched. */
import type { ModelFields } from './models'

/** What the page wraps a file in before anything else. */
export class OpaqueData {
  private constructor(
    readonly blob: Blob,
    readonly name: string | undefined,
  ) {}

  static async createFromData(blob: Blob, type: string): Promise<OpaqueData> {
    return new OpaqueData(new Blob([blob], { type }), blob instanceof File ? blob.name : undefined)
  }

  url(): string {
    return ''
  }

  autorelease(): void {}

  formData(): Blob {
    return this.blob
  }
}

/** A class, as in the page: with a `toJSON` of its own the fields would be spread twice. */
class PreparedMedia {
  type: string
  mimetype: string
  filehash: string
  filename: string | undefined
  mediaBlob: Blob | OpaqueData
  size: number

  constructor({ blob, name }: OpaqueData, type: string, filehash: string) {
    this.filename = name
    this.mediaBlob = blob
    this.type = type
    this.mimetype = blob.type
    this.filehash = filehash
    this.size = blob.size
  }

  set(fields: ModelFields): void {
    Object.assign(this, fields)
  }

  toJSON(): ModelFields {
    const { mediaBlob: _, ...rest } = this
    return rest
  }
}

interface Params {
  readonly asSticker?: boolean
  readonly isPtt?: boolean
  readonly asDocument?: boolean
}

/** By file hash: what was prepared in this page, so that its bytes go out with the message. */
const prepared = new Map<string, Blob>()

export function prepRawMedia(data: OpaqueData, params: Params) {
  const { blob } = data
  return {
    async waitForPrep(): Promise<PreparedMedia> {
      const filehash = crypto.randomUUID()
      prepared.set(filehash, blob)
      return new PreparedMedia(data, chooseMediaType(blob.type, params), filehash)
    },
  }
}

function chooseMediaType(mime: string, { asSticker, isPtt, asDocument }: Params): string {
  if (asDocument) return 'document'
  if (asSticker) return 'sticker'
  const [family = ''] = mime.split('/')
  if (family === 'audio') return isPtt ? 'ptt' : 'audio'
  return family === 'image' || family === 'video' ? family : 'document'
}

export function createMediaObject(filehash: string) {
  return { filehash, type: '', size: prepared.get(filehash)?.size ?? 0, contentInfo: {}, consolidate() {} }
}

export async function uploadMedia({ mediaObject }: { mediaObject: { filehash: string } }) {
  const path = `/uploaded/${mediaObject.filehash}`
  return { mediaEntry: { mmsUrl: path, directPath: path, mediaKey: 'key', encFilehash: mediaObject.filehash } }
}

/** A sticker goes by another way. */
export async function encryptAndUpload({ blob }: { blob: Blob }) {
  const filehash = crypto.randomUUID()
  prepared.set(filehash, blob)
  return {
    url: `/uploaded/${filehash}`,
    directPath: `/uploaded/${filehash}`,
    mimetype: blob.type,
    encFilehash: filehash,
  }
}

/** The bytes of a message that goes out, in base64. */
export async function readBase64(directPath: unknown): Promise<string | undefined> {
  const blob = prepared.get(String(directPath).replace('/uploaded/', ''))
  if (!blob) return undefined
  const bytes = new Uint8Array(await blob.arrayBuffer())
  let binary = ''
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(binary)
}

export function decodeBase64(text: string): ArrayBuffer {
  return Uint8Array.from(atob(text), letter => letter.charCodeAt(0)).buffer
}
