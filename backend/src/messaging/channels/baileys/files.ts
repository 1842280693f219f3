// The file of a message, whether it is one, or heads a card.
import type { MediaType as DownloadType, proto } from '@whiskeysockets/baileys'
import type { MediaHandle } from '../../../platform/channel/driver.ts'
import { unwrapMessage } from './unwrap.ts'

export type BaileysFileKind = 'image' | 'video' | 'audio' | 'application' | 'sticker'

export interface MessageFile {
  readonly mediaType: BaileysFileKind
  /** How it is encrypted. */
  readonly type: DownloadType
  /** The field it would be alone in a message. */
  readonly field: 'imageMessage' | 'videoMessage' | 'ptvMessage' | 'audioMessage' | 'documentMessage' | 'stickerMessage'
  readonly file: {
    readonly url?: string | null
    readonly directPath?: string | null
    readonly mediaKey?: Uint8Array | null
    readonly fileSha256?: Uint8Array | null
  }
  /** Facts of the file; the handle is added by who knows the whole message. */
  readonly facts: Omit<MediaHandle, 'handle'>
  /** A picture that stands for a file no browser shows; it lies in the message itself. */
  readonly still?: Uint8Array
}

/** The file of a message in whatever envelopes. */
export function findMessageFile(raw: proto.IMessage | null | undefined): MessageFile | null {
  const message = unwrapMessage(raw)?.message
  if (!message) return null
  const template = message.templateMessage
  const interactive = message.interactiveMessage ?? template?.interactiveMessageTemplate
  return (
    pickFile(message) ??
    pickFile(template?.hydratedTemplate ?? template?.hydratedFourRowTemplate ?? template?.fourRowTemplate) ??
    pickFile(message.buttonsMessage) ??
    pickFile(interactive?.header) ??
    findPicture(interactive?.header?.productMessage) ??
    findPicture(message.productMessage) ??
    pickFile(interactive?.carouselMessage?.cards?.[0]?.header)
  )
}

type Parts = Partial<Pick<proto.IMessage, MessageFile['field']>>

function findPicture(product: proto.Message.IProductMessage | null | undefined): MessageFile | null {
  return pickFile({ imageMessage: product?.product?.productImage ?? product?.catalog?.catalogImage ?? null })
}

function pickFile(parts: Parts | null | undefined): MessageFile | null {
  if (!parts) return null
  const { imageMessage: image, audioMessage: audio, documentMessage: document, stickerMessage: sticker } = parts
  if (image) {
    const facts = { ...file(image, 'image/jpeg'), ...size(image) }
    return { mediaType: 'image', type: 'image', field: 'imageMessage', file: image, facts }
  }
  const video = parts.videoMessage ?? parts.ptvMessage
  if (video) {
    const facts = { ...file(video, 'video/mp4'), ...size(video), ...duration(video.seconds) }
    const field = parts.videoMessage ? 'videoMessage' : 'ptvMessage'
    return { mediaType: 'video', type: parts.videoMessage ? 'video' : 'ptv', field, file: video, facts }
  }
  if (audio) {
    const waveform = audio.waveform?.length ? { waveform: [...audio.waveform] } : {}
    const facts = { ...file(audio, 'audio/ogg'), ...duration(audio.seconds), voice: audio.ptt ?? false, ...waveform }
    return { mediaType: 'audio', type: 'audio', field: 'audioMessage', file: audio, facts }
  }
  if (sticker) return stickerFile(sticker)
  if (!document) return null
  const name = document.fileName || document.title
  const facts = { ...file(document, 'application/octet-stream'), ...(name && { name }) }
  return { mediaType: 'application', type: 'document', field: 'documentMessage', file: document, facts }
}

/** A sticker that is drawn by a program comes as an archive of it, with a picture. */
function stickerFile(sticker: proto.Message.IStickerMessage): MessageFile | null {
  const found = { mediaType: 'sticker', type: 'sticker', field: 'stickerMessage', file: sticker } as const
  if (!sticker.isLottie && sticker.mimetype !== 'application/was')
    return { ...found, facts: { ...file(sticker, 'image/webp'), ...size(sticker) } }
  const still = sticker.pngThumbnail
  return still?.length ? { ...found, facts: { mime: 'image/png', size: still.length, ...size(sticker) }, still } : null
}

function file(of: { mimetype?: string | null; fileLength?: unknown }, otherwise: string) {
  const bytes = Number(of.fileLength ?? 0)
  return { mime: of.mimetype || otherwise, ...(bytes > 0 && { size: bytes }) }
}

function size(of: { width?: number | null; height?: number | null }) {
  return { ...(of.width && { width: of.width }), ...(of.height && { height: of.height }) }
}

function duration(seconds: number | null | undefined) {
  return seconds ? { seconds } : {}
}

/** The small picture that lies in a message with a file, in base64. */
export function findThumb(raw: proto.IMessage | null | undefined): string | undefined {
  const { imageMessage, videoMessage, ptvMessage, documentMessage } = unwrapMessage(raw)?.message ?? {}
  const thumb = (imageMessage ?? videoMessage ?? ptvMessage ?? documentMessage)?.jpegThumbnail
  return thumb && thumb.length > 0 ? Buffer.from(thumb).toString('base64') : undefined
}
