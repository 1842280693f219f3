// What a message's file is to the eye. Pure.
import type { MediaType, Message } from '@balcao/contract'
import { kindOf } from '@balcao/contract/message-kinds'

type WithFile = Pick<Message, 'mediaType' | 'media' | 'details'>

/** The kind of the message itself, or for a file on a card what its type says; null where there is none. */
export function fileOf({ mediaType, media, details }: WithFile): MediaType | null {
  if (kindOf(mediaType).isFile) return mediaType
  return media && (details?.card || mediaType === 'template') ? typeOf(media.mime) : null
}

/** A picture or a film, which the viewer shows. */
export function isPicture(message: WithFile): boolean {
  const file = fileOf(message)
  return file === 'image' || file === 'video'
}

export function typeOf(mime: string): MediaType {
  const kind = mime.split('/')[0]
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'application'
}
