// Which files may go together, and what is wrong with them before anything is uploaded (spec 1 §5).

import type { Capabilities, Kind } from '@balcao/contract'
import { LIMITS, MB } from '@balcao/contract/kit/limits'
import { toSafeFileName } from '@balcao/contract/kit/validation'
import { findFileFormat } from '@balcao/contract/messages/file-kinds'
import { makeId } from '@balcao/ui/browser'

export type AttachmentKind = keyof Capabilities['maxBytes']

export interface Attachment {
  readonly id: string
  readonly file: File
  readonly kind: AttachmentKind
  readonly caption: string
}

export function getFileKind(file: Pick<File, 'type'>): AttachmentKind {
  if (/^image\/(jpeg|png|webp|gif)$/.test(file.type)) return 'image'
  if (/^audio\//.test(file.type)) return 'audio'
  if (/^video\//.test(file.type)) return 'video'
  return 'application'
}

/** An attachment of a chosen, dropped or pasted file; accents are stripped from its name. */
export function toAttachment(file: File): Attachment {
  const named = new File([file], toSafeFileName(file.name || 'arquivo'), { type: file.type })
  return { id: makeId(), file: named, kind: getFileKind(named), caption: '' }
}

/** Sound goes without words under it: WhatsApp shows none. */
export function hasCaption({ kind }: Pick<Attachment, 'kind'>): boolean {
  return kind !== 'audio'
}

/** The limit in whole MB if all files together exceed it, else null ('… excedem o limite total de N MB.'). */
export function findTotalLimit(files: readonly Pick<File, 'size'>[], most: number): number | null {
  return files.reduce((sum, file) => sum + file.size, 0) > most ? Math.round(most / MB) : null
}

/** The name of the first file that a kind of connection takes in no form; what the browser does not know the server decides. */
export function findRefusedFile(files: readonly Pick<Attachment, 'file' | 'kind'>[], kind: Kind): string | null {
  const refused = files.find(({ file, kind: use }) => file.type !== '' && findFileFormat(kind, use, file.type) === null)
  return refused?.file.name ?? null
}

/** Audio under 10000 bytes is discarded, and so is what is empty. */
export function isTooSmall(file: Pick<File, 'size'>, voice = false): boolean {
  return voice ? file.size < LIMITS.audioMinimum : file.size === 0
}
