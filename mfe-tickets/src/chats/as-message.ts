// An internal message in the form the bubbles draw. Pure.
import type { ChatMessage, Message } from '@balcao/contract'
import { BLANK } from '../message/blank.ts'
import { toChatLane } from './lane.ts'

/** `readSeq`: how far everybody else in the chat has read; ticks of own messages follow from it. */
export function toMessage(message: ChatMessage, viewerId: number, readSeq = 0): Message {
  const { id, seq, body, read, mediaType, mediaUrl, media, createdAt, ack, isDeleted, isEdited, editedMsg } = message
  const { quotedMsg, clientId, version, senderId, sender } = message
  const fromMe = senderId === viewerId
  const person = { id: senderId, name: sender.name }
  return {
    ...BLANK,
    ...{ id, seq, body, read, mediaType, mediaUrl, media, createdAt, ack, isDeleted, isEdited, editedMsg },
    ...{ clientId, version, fromMe, userId: senderId, user: person, contact: person },
    ticketId: toChatLane(message.chatId),
    state: toMessageState({ fromMe, read, seq }, readSeq),
    quotedMsg: quotedMsg && {
      id: quotedMsg.id,
      body: quotedMsg.body,
      fromMe: quotedMsg.senderId === viewerId,
      contact: { name: quotedMsg.sender.name },
      isEdited: false,
      editedMsg: null,
      mediaUrl: quotedMsg.mediaUrl,
      thumbUrl: null,
      mediaType: quotedMsg.mediaType,
      isDeleted: quotedMsg.isDeleted,
    },
  }
}

export function toMessageState({ fromMe, read, seq }: Pick<Message, 'fromMe' | 'read' | 'seq'>, readSeq: number) {
  return fromMe ? (read || seq <= readSeq ? 'read' : 'sent') : 'received'
}
