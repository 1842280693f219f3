// What a message's file is to the eye. Pure.
import type { MediaType, Message } from '@balcao/contract'
import { getMessageKind } from '@balcao/contract/messages/message-kinds'

type MessageFile = Pick<Message, 'mediaType' | 'media' | 'details'>

/** The kind of the message itself, or for a file on a card what its type says; null where there is none. */
export function getFileType({ mediaType, media, details }: MessageFile): MediaType | null {
  if (getMessageKind(mediaType).isFile) return mediaType
  return media && (details?.card || mediaType === 'template') ? getMimeType(media.mime) : null
}

/** A picture or a film, which the viewer shows. */
export function isPicture(message: MessageFile): boolean {
  const file = getFileType(message)
  return file === 'image' || file === 'video'
}

export function getMimeType(mime: string): MediaType {
  const kind = mime.split('/')[0]
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'application'
}
