// Pictures and videos somebody sends one right after the other stand together as an album. Pure.
import type { Message, MessageState } from '@balcao/contract'
import { getUnsignedText } from '../composer/wording.ts'
import { isPicture } from './file-type.ts'

/** At most so long after the one before, in milliseconds. */
const BREATH_MS = 60_000
/** More than these are behind the last tile. */
export const TILES = 4

/** Whether a message goes into the album the one before is in, or begins one with it. `album` is what is in it so far. */
export function isAlbumPart(album: readonly Message[], message: Message): boolean {
  const before = album.at(-1)
  if (!before || !isAlbumFile(before) || !isAlbumFile(message)) return false
  if (before.ticketId !== message.ticketId || before.fromMe !== message.fromMe) return false
  if (before.forward !== message.forward) return false
  if (Date.parse(message.createdAt) - Date.parse(before.createdAt) > BREATH_MS) return false
  // One of them may have words: they stand under the whole.
  return !hasCaption(message) || !album.some(hasCaption)
}

/** The words under an album: those of the one that has any. */
export function getAlbumCaption(album: readonly Message[]): string {
  const worded = album.find(hasCaption)
  return worded ? getUnsignedText(worded) : ''
}

const STEPS: readonly MessageState[] = [
  'failed',
  'unknown',
  'queued',
  'sending',
  'sent',
  'delivered',
  'read',
  'received',
]

/** How far the whole has come: as far as the one that lags behind. */
export function getAlbumState(album: readonly Message[]): MessageState {
  return STEPS.find(step => album.some(message => message.state === step)) ?? 'received'
}

function isAlbumFile(message: Message): boolean {
  // What somebody came by, or a change to read on the phone, is said over a message that stands alone.
  if (!isPicture(message) || message.details !== null) return false
  if (message.id < 0 || message.isDeleted || message.quotedMsg || message.mediaUrl === null) return false
  // What failed has its reason under it and stands alone.
  return message.media?.state === 'ready' && message.state !== 'failed' && message.state !== 'unknown'
}

function hasCaption(message: Message): boolean {
  return getUnsignedText(message) !== ''
}
