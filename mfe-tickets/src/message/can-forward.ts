import type { Message } from '@balcao/contract'
import { getMessageKind } from '@balcao/contract/messages/message-kinds'

/** The kinds of messages that are passed on; a file only once we have it (spec 1 §5). */
export function canForward(message: Message): boolean {
  const { forward, isFile } = getMessageKind(message.mediaType)
  if (message.isDeleted || forward === 'no') return false
  if (forward === 'words') return message.body.trim() !== ''
  return !isFile || (message.media?.state === 'ready' && message.mediaUrl !== null)
}
