// The kinds of messages by the words that other desks use, and kinds of files by their endings.
import type { MediaType } from '@balcao/contract'
import type { FileRecord } from '../records.ts'

const KINDS: readonly (readonly [RegExp, MediaType])[] = [
  [/^(?:image|imagemessage)$/, 'image'],
  [/^(?:audio|audiomessage|ptt|voice)$/, 'audio'],
  [/^(?:video|videomessage|gif|ptv)$/, 'video'],
  [/^(?:sticker|stickermessage)$/, 'sticker'],
  [/^(?:document|documentmessage|documentwithcaptionmessage|application|file|text)$/, 'application'],
  [/^(?:vcard|contactmessage)$/, 'vcard'],
]

/** The kind of a message with a file; of one without, what can be shown without it. */
export function readMediaType(value: string | null | undefined, hasFile: boolean): MediaType {
  const word = (value ?? '').trim().toLowerCase()
  const kind = KINDS.find(([pattern]) => pattern.test(word))?.[1]
  if (!hasFile) return kind === 'vcard' ? 'vcard' : 'chat'
  return kind === undefined || kind === 'vcard' ? 'application' : kind
}

const MIMES: Readonly<Record<string, string>> = {
  ...{ jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png', webp: 'image/webp', gif: 'image/gif' },
  ...{ ogg: 'audio/ogg', oga: 'audio/ogg', mp3: 'audio/mpeg', m4a: 'audio/mp4', aac: 'audio/aac', amr: 'audio/amr' },
  ...{ mp4: 'video/mp4', '3gp': 'video/3gpp', webm: 'video/webm', pdf: 'application/pdf' },
}

/** The file at an address or path. */
export function toFile(path: string): FileRecord {
  const inside = path
    .replace(/^https?:\/\/[^/]+\//, '')
    .replace(/^public\//, '')
    .split('?', 1)
    .join()
  const name = inside.split('/').at(-1) ?? inside
  const ending = /\.([\da-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return { name, path: inside, mime: MIMES[ending] ?? 'application/octet-stream' }
}
