import { LIMITS } from '@balcao/contract'
import { idOf } from '../../platform/http/validate.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve } from '../../policy/kit/serve.ts'
import { withForm } from '../media/form.ts'
import { uploadedFile } from '../media/to-send.ts'
import { editedId } from '../messages/edit.ts'
import { filesOf } from '../messages/send-files.ts'
import { getChat, listChats, unreadChats } from './list.ts'
import { changeChat, openChat } from './open.ts'
import { chatPage, searchChat } from './page.ts'
import { readChat } from './read.ts'
import { checkMayWrite, deleteChatMessage, editChatMessage, sendChatFiles, sendChatMessage } from './send.ts'

export function chatRoutes(parts: Parts): Route[] {
  const { db } = parts
  const chatId = (text: string) => idOf(text, 'ERR_NO_CHAT_FOUND')
  return [
    serve('GET /chats', ({ session, query }) => listChats(db, session, query)),
    serve('GET /chats/unread', ({ session }) => unreadChats(db, session)),
    serve('POST /chats', ({ session, body }) => openChat(parts, session, body)),
    serve('GET /chats/:id', ({ session, params }) => getChat(db, session, chatId(params.id))),
    serve('PUT /chats/:id', ({ session, params, body }) => changeChat(parts, session, chatId(params.id), body)),
    serve('GET /chats/search/:id', async ({ session, params, query }) => ({
      messages: await searchChat(db, session, chatId(params.id), query.messageToSearch),
    })),
    serve('POST /chats/messages/get', ({ session, body }) => chatPage(db, session, body)),
    serve('POST /chats/messages/:chatId', async call => {
      const { session, params, body } = call
      const id = chatId(params.chatId)
      if (body === undefined) return withForm(parts, call, (form, who) => sendChatFiles(parts, who, id, filesOf(form)))
      const { quotedMsg, clientId, uploadId } = body
      const sending = { body: body.body, quotedId: quotedMsg?.id, clientId }
      if (uploadId === undefined) return sendChatMessage(parts, session, id, sending)
      await checkMayWrite(parts, session, id)
      const most = LIMITS.chatAttachments
      const file = await uploadedFile(parts, session.viewer.id, { ...body, uploadId }, most, { chatId: id })
      return sendChatMessage(parts, session, id, { ...sending, file })
    }),
    serve('PUT /chats/messages/:chatId', ({ session, params, body }) =>
      editChatMessage(parts, session, chatId(params.chatId), editedId(body), body.body),
    ),
    serve('DELETE /chats/messages/:id', ({ session, params }) =>
      deleteChatMessage(parts, session, idOf(params.id, 'ERR_NO_MESSAGE_FOUND', Number.MAX_SAFE_INTEGER)),
    ),
    serve('POST /chats/messages/read/:id', ({ session, params }) => readChat(parts, session, chatId(params.id))),
  ]
}
