// The pictures the viewer goes through, without a gap: those held beside the one it began with, and what the gallery has beyond. Pure.
import type { Message } from '@balcao/contract'
import { compareMessages } from '../conversation/message-changes.ts'
import { isPicture } from './file-type.ts'

/** Oldest first, none left out between the first and the last. */
export interface PictureRun {
  readonly pictures: readonly Message[]
  readonly isToOldest: boolean
  readonly isToNewest: boolean
}

/** The gallery as far as it has been fetched, newest first. */
export interface GalleryRun {
  readonly items: readonly Message[]
  readonly hasMore: boolean
}

/** All messages of a stretch that is held, oldest first. */
export interface HeldRun extends Omit<PictureRun, 'pictures'> {
  readonly messages: readonly Message[]
}

/** As long as the gallery, which comes from the newest on, has not reached a stretch further back, that stretch stands alone. */
export function joinGallery({ messages, ...held }: HeldRun, gallery: GalleryRun | null): PictureRun {
  const furthest = gallery?.items.at(-1)
  const last = messages.at(-1)
  const reaches = furthest && last && compareMessages(furthest, last) <= 0
  if (!gallery || !(held.isToNewest || reaches || !gallery.hasMore))
    return { ...held, pictures: messages.filter(isShown) }
  // What is held is kept by live events: of two versions it is the right one.
  const byId = new Map([...gallery.items, ...messages].map(message => [message.id, message]))
  return {
    pictures: [...byId.values()].filter(isShown).sort(compareMessages),
    isToOldest: held.isToOldest || !gallery.hasMore,
    isToNewest: true,
  }
}

/** Whether the viewer can show it. */
export function isShown(message: Message): boolean {
  return isPicture(message) && message.mediaUrl !== null && !message.isDeleted
}
