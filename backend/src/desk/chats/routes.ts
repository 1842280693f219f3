import { LIMITS } from '@balcao/contract'
import { parseId } from '../../platform/http/validate.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve, serveRead } from '../../policy/kit/serve.ts'
import { readForm } from '../media/form.ts'
import { resolveUpload } from '../media/to-send.ts'
import { readEditedId } from '../messages/edit.ts'
import { readFormFiles } from '../messages/send-files.ts'
import { getChat, listChats, listUnreadChats } from './list.ts'
import { changeChat, openChat } from './open.ts'
import { loadChatPage, searchChat } from './page.ts'
import { readChat } from './read.ts'
import { checkMayWrite, deleteChatMessage, editChatMessage, sendChatFiles, sendChatMessage } from './send.ts'

export function chatRoutes(parts: Parts): Route[] {
  const { db } = parts
  const chatId = (text: string) => parseId(text, 'ERR_NO_CHAT_FOUND')
  return [
    serveRead('GET /chats', ({ session, query }) => listChats(db, session, query)),
    serveRead('GET /chats/unread', ({ session }) => listUnreadChats(db, session)),
    serve('POST /chats', ({ session, body }) => openChat(parts, session, body)),
    serveRead('GET /chats/:id', ({ session, params }) => getChat(db, session, chatId(params.id))),
    serve('PUT /chats/:id', ({ session, params, body }) => changeChat(parts, session, chatId(params.id), body)),
    serve('GET /chats/search/:id', async ({ session, params, query }) => ({
      messages: await searchChat(db, session, chatId(params.id), query.messageToSearch),
    })),
    serve('POST /chats/messages/get', ({ session, body }) => loadChatPage(db, session, body)),
    serve('POST /chats/messages/:chatId', async call => {
      const { session, params, body } = call
      const id = chatId(params.chatId)
      if (body === undefined)
        return readForm(parts, call, (form, session) => sendChatFiles(parts, session, id, readFormFiles(form)))
      const { quotedMsg, clientId, uploadId } = body
      const sending = { body: body.body, quotedId: quotedMsg?.id, clientId }
      if (uploadId === undefined) return sendChatMessage(parts, session, id, sending)
      await checkMayWrite(parts, session, id)
      const most = LIMITS.chatAttachments
      const file = await resolveUpload(parts, session.viewer.id, { ...body, uploadId }, most, { chatId: id })
      return sendChatMessage(parts, session, id, { ...sending, file })
    }),
    serve('PUT /chats/messages/:chatId', ({ session, params, body }) =>
      editChatMessage(parts, session, chatId(params.chatId), readEditedId(body), body.body),
    ),
    serve('DELETE /chats/messages/:id', ({ session, params }) =>
      deleteChatMessage(parts, session, parseId(params.id, 'ERR_NO_MESSAGE_FOUND', Number.MAX_SAFE_INTEGER)),
    ),
    serve('POST /chats/messages/read/:id', ({ session, params }) => readChat(parts, session, chatId(params.id))),
  ]
}
