// An internal message in the form the bubbles draw. Pure.
import type { ChatMessage, Message } from '@balcao/contract'
import { ANY_KIND } from '@balcao/contract/kinds'
import { laneOf } from './lane.ts'

/** `readSeq`: how far everybody else in the chat has read; ticks of own messages follow from it. */
export function asMessage(message: ChatMessage, viewerId: number, readSeq = 0): Message {
  const fromMe = message.senderId === viewerId
  const { quotedMsg } = message
  return {
    id: message.id,
    ticketId: laneOf(message.chatId),
    contactId: 0,
    seq: message.seq,
    body: message.body,
    fromMe,
    read: message.read,
    mediaType: message.mediaType,
    mediaUrl: message.mediaUrl,
    media: message.media,
    createdAt: message.createdAt,
    ack: message.ack,
    state: fromMe ? (message.read || message.seq <= readSeq ? 'read' : 'sent') : 'received',
    isDeleted: message.isDeleted,
    isEdited: message.isEdited,
    editedMsg: message.editedMsg,
    quotedMsg: quotedMsg && {
      id: quotedMsg.id,
      body: quotedMsg.body,
      fromMe: quotedMsg.senderId === viewerId,
      contact: { name: quotedMsg.sender.name },
      isEdited: false,
      editedMsg: null,
      mediaUrl: quotedMsg.mediaUrl,
      mediaType: quotedMsg.mediaType,
    },
    automatic: false,
    forward: null,
    userId: message.senderId,
    user: { id: message.senderId, name: message.sender.name },
    contact: { id: message.senderId, name: message.sender.name },
    reactions: [],
    errorLog: null,
    templateData: null,
    system: null,
    transcription: null,
    transcriptionState: null,
    clientId: message.clientId,
    ticket: { whatsapp: { api: ANY_KIND } },
    version: message.version,
  }
}
