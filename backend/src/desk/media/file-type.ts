// What a file really is: told by its bytes, never by its name or by whoever sent it.
import { AppError } from '../../platform/http/errors.ts'

export type MediaKind = 'image' | 'audio' | 'video' | 'application'

/** Bytes of the beginning that are enough to know a type. */
export const SNIFF_BYTES = 4100

const IMAGES = new Set([
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/heic',
  'image/avif',
  'image/bmp',
  'image/apng',
])
const BY_NAME: Record<string, string> = {
  txt: 'text/plain',
  csv: 'text/csv',
  json: 'application/json',
  xml: 'application/xml',
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  pub: 'application/vnd.ms-publisher',
}
const PICTURE_NAME = /\.(jpe?g|png|gif|webp|heic|avif|bmp|svgz?)$/i

/** The type of a file by its first bytes; for plain text and old office files the name decides among harmless types. */
export async function detectFileType(head: Uint8Array, name: string): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type')
  const known = await fileTypeFromBuffer(head)
  if (known?.mime === 'application/x-cfb') return BY_NAME[getFileEnding(name)] ?? 'application/octet-stream'
  if (known) return known.mime
  const named = BY_NAME[getFileEnding(name)]
  return named !== undefined && isText(head) ? named : 'application/octet-stream'
}

/** What kind of message a type makes. Pictures a browser cannot show, and SVG above all, are documents. */
export function toMediaKind(mime: string): MediaKind {
  if (IMAGES.has(mime)) return 'image'
  if (mime.startsWith('audio/') || mime === 'application/ogg') return 'audio'
  return mime.startsWith('video/') ? 'video' : 'application'
}

/** Refuses what calls itself a picture and is none: SVG, HTML, programs (`ERR_FILE_TYPE`). */
export function rejectFalsePictures(name: string, declared: string, mime: string): void {
  const claims = PICTURE_NAME.test(name) || /^image\//i.test(declared)
  if (claims && toMediaKind(mime) !== 'image') throw new AppError('ERR_FILE_TYPE', { name, type: mime })
}

function getFileEnding(name: string): string {
  return /\.(\w{1,5})$/.exec(name)?.[1]?.toLowerCase() ?? ''
}

function isText(head: Uint8Array): boolean {
  return !head.includes(0)
}
