// What each kind of connection takes as what, by container and codec: the one table. Composer, server and drivers ask it, so a file
// that would fail on its way is converted, sent as a document, or refused before it is sent.
import type { Capabilities } from '../connections/connection.ts'
import type { Kind } from '../connections/kind-names.ts'
import { isLinkedDevice, KIND_TABLE } from '../connections/kinds.ts'

/** What a file is sent as. */
export type FileUse = keyof Capabilities['maxBytes']

interface FileFacts {
  /** The types that are taken as each. */
  readonly takes: Readonly<Record<FileUse, RegExp>>
  /** The only codecs that are played in a film and in Ogg; undefined: any. */
  readonly codecs?: { readonly video: string; readonly audio: string; readonly ogg: string }
}

/** WhatsApp's own apps show these in the conversation; everything else they open as a document. */
const LINKED: FileFacts = {
  takes: {
    image: /^image\/(jpeg|png|webp|gif)$/,
    video: /^video\/(mp4|3gpp)$/,
    audio: /^audio\//,
    sticker: /^image\/webp$/,
    application: /./,
  },
}

/** Cloud API, "Supported media types". An upload of any other type is refused, as a document, too. */
const OFFICIAL: FileFacts = {
  takes: {
    image: /^image\/(jpeg|png)$/,
    video: /^video\/(mp4|3gpp)$/,
    audio: /^audio\/(aac|amr|mpeg|mp4|ogg)$/,
    sticker: /^image\/webp$/,
    application:
      /^(application\/(pdf|msword|vnd\.ms-(excel|powerpoint)|vnd\.openxmlformats-officedocument\.(wordprocessingml\.document|presentationml\.presentation|spreadsheetml\.sheet))|text\/plain|image\/(jpeg|png)|video\/(mp4|3gpp)|audio\/(aac|amr|mpeg|mp4|ogg))$/,
  },
  codecs: { video: 'avc', audio: 'aac', ogg: 'opus' },
}

/** What the server makes of other types: pictures by itself, the usual wrappings of films too, other films and sound with ffmpeg. */
const MADE: Readonly<Partial<Record<FileUse, { readonly from: RegExp; readonly to: string }>>> = {
  image: { from: /^image\/(webp|gif|bmp|apng)$/, to: 'image/png' },
  video: { from: /^video\/.+/, to: 'video/mp4' },
  audio: { from: /^(audio\/.+|video\/(webm|mp4|quicktime))$/, to: 'audio/ogg' },
}

export interface FileFormat {
  readonly as: FileUse
  /** The type it is sent under. */
  readonly mime: string
  /** It has to be made into that type first. */
  readonly isMade: boolean
}

/** Pictures that may move. WhatsApp shows a picture's first moment alone: what moves is a film to every kind. */
export function isMovingPicture(type: string): boolean {
  return /^image\/(gif|apng|webp)$/.test(normalizeMimeType(type))
}

/** How a kind sends a file of this type that the desk calls `use`; null: it cannot. */
export function findFileFormat(kind: Kind, use: FileUse, type: string): FileFormat | null {
  const { takes } = getFileFacts(kind)
  const mime = normalizeMimeType(type)
  if (takes[use].test(mime)) return { as: use, mime, isMade: false }
  const made = isLinkedDevice(KIND_TABLE[kind].can) ? undefined : MADE[use]
  if (made?.from.test(mime)) return { as: use, mime: made.to, isMade: true }
  if (takes.application.test(mime)) return { as: 'application', mime, isMade: false }
  // A note in XML or a list in CSV is a text, whatever it is called.
  if (TEXT.test(mime) && takes.application.test('text/plain'))
    return { as: 'application', mime: 'text/plain', isMade: false }
  return null
}

/** The codecs a kind plays; undefined: any. */
export function getPlayableCodecs(kind: Kind): FileFacts['codecs'] {
  return getFileFacts(kind).codecs
}

function getFileFacts(kind: Kind): FileFacts {
  return isLinkedDevice(KIND_TABLE[kind].can) ? LINKED : OFFICIAL
}

const TEXT = /^(text\/.+|application\/(json|xml))$/
const ALIASES: Readonly<Record<string, string>> = {
  'audio/x-m4a': 'audio/mp4',
  'audio/mp3': 'audio/mpeg',
  'audio/opus': 'audio/ogg',
  'application/ogg': 'audio/ogg',
  'video/3gp': 'video/3gpp',
  'image/jpg': 'image/jpeg',
}

/** Without parameters, and by its usual name. */
function normalizeMimeType(type: string): string {
  const plain = type.split(';')[0]?.trim().toLowerCase() ?? ''
  return ALIASES[plain] ?? plain
}
