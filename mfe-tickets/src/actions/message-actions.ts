// What a person can do to one message. Rules: spec 1 §5 "Message menu"; what the connection cannot do is not shown.
import type { Message } from '@balcao/contract'
import { stripCommentPrefix } from '@balcao/contract/messages/comments'
import { getMessageKind } from '@balcao/contract/messages/message-kinds'
import { api } from '@balcao/ui/api'
import { reportErrors } from '@balcao/ui/ask'
import { getTexts } from '@balcao/ui/i18n'
import { copyText, toast } from '@balcao/ui/parts'
import { isSettingOn } from '@balcao/ui/session'
import { Captions, CheckCheck, Copy, Info, Languages, Pencil, Trash2 } from 'lucide-react'
import { splitSignature } from '../composer/wording.ts'
import { takeMessage } from '../conversation/conversation-store.ts'
import { getMessageKey } from '../conversation/rows.ts'
import { view } from '../desk/view.ts'
import { getAiState } from '../message/ai.ts'
import { canForward } from '../message/can-forward.ts'
import { forward, type MessageAction, reply } from './message-action.ts'
import { canEdit, canReact, canRevoke, canTranscribe } from './message-rules.ts'

export const copy: MessageAction = {
  id: 'message.copy',
  labelKey: 'action.copy',
  icon: Copy,
  when: ({ message }) => hasWords(message),
  async perform({ message }) {
    const text = message.mediaType === 'comment' ? stripCommentPrefix(message.body) : splitSignature(message.body).body
    await copyText(text)
  },
}

/** Marks it, and lets further ones be marked. */
export const mark: MessageAction = {
  id: 'message.mark',
  labelKey: 'marks.start',
  icon: CheckCheck,
  shortcut: 'Space',
  when: ({ message }) => canForward(message),
  perform({ ticket, message }) {
    view.marks = { ticketId: ticket.id, ids: [message.id], at: getMessageKey(message) }
  },
}

export const transcribe: MessageAction = {
  id: 'message.transcribe',
  labelKey: 'action.transcribe',
  icon: Captions,
  when: ({ message }) => canTranscribe(message),
  reasonKey: () => (getAiState() === 'off' ? 'msg.noAi' : null),
  perform: ({ message }) =>
    reportErrors(async () => {
      takeMessage(await api('POST /messages/transcribe/:id', { params: { id: message.id } }))
      toast.info(getTexts('tickets')('msg.transcribing'))
    }),
}

export const translate: MessageAction = {
  id: 'message.translate',
  labelKey: 'action.translate',
  icon: Languages,
  when: ({ message }) => isSettingOn('aiAssist') && getAiState() !== 'off' && !message.fromMe && hasWords(message),
  perform({ ticket, message }) {
    view.dialog = { kind: 'translation', ticketId: ticket.id, messageId: message.id }
  },
}

export const information: MessageAction = {
  id: 'message.information',
  labelKey: 'action.information',
  icon: Info,
  when: ({ message }) => message.mediaType !== 'system',
  perform({ ticket, message }) {
    view.dialog = { kind: 'information', ticketId: ticket.id, messageId: message.id }
  },
}

export const edit: MessageAction = {
  id: 'message.edit',
  labelKey: 'action.edit',
  icon: Pencil,
  when: ({ ticket, message }) => canEdit(ticket, message, Date.now()),
  perform({ ticket, message }) {
    view.target[ticket.id] = { kind: 'edit', message }
  },
}

export const remove: MessageAction = {
  id: 'message.delete',
  labelKey: 'action.deleteMessage',
  icon: Trash2,
  danger: true,
  when: ({ ticket, message }) => canRevoke(ticket, message),
  perform({ ticket, message }) {
    view.dialog = { kind: 'deleteMessage', ticketId: ticket.id, messageId: message.id }
  },
}

/** Words of somebody, not what a card is made of. */
function hasWords({ body, isDeleted, mediaType }: Message): boolean {
  return body.trim() !== '' && !isDeleted && getMessageKind(mediaType).body === 'words'
}

export const MESSAGE_ACTIONS: readonly MessageAction[] = [
  ...[reply, forward, mark, copy, transcribe, translate],
  ...[edit, information, remove],
]
export { canReact }
