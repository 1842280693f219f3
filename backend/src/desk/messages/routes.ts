import { KIND_TABLE } from '@balcao/contract'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import { parseId } from '../../platform/http/validate.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve, servePage, serveRead } from '../../policy/kit/serve.ts'
import { toProgramClientId } from '../../policy/sessions/known-sessions.ts'
import { hasScope } from '../../policy/sessions/scopes.ts'
import { readForm } from '../media/form.ts'
import { receiveUpload } from '../media/receive-upload.ts'
import { createMediaStorage } from '../media/storage.ts'
import { resolveUpload } from '../media/to-send.ts'
import { getTicket } from '../tickets/get.ts'
import { toContentColumns } from './content.ts'
import { downloadAgain } from './download.ts'
import { editMessage, readEditedId } from './edit.ts'
import { checkFile } from './fits.ts'
import { forwardMessages } from './forward.ts'
import { hideContact } from './hidden-contact.ts'
import { getMessageInformation } from './information.ts'
import { resolveMemberMentions } from './member-mentions.ts'
import { loadMessagePage } from './page.ts'
import { reactToMessage } from './react.ts'
import { retryMessage } from './retry.ts'
import { revokeMessage } from './revoke.ts'
import { searchMessages } from './search.ts'
import { sendCard, sendMessage } from './send.ts'
import { readFormFiles, sendFiles } from './send-files.ts'
import { listConnectionTemplates, listTemplates, sendTemplate } from './templates.ts'
import { isSent } from './write.ts'

export function messageRoutes(parts: Parts): Route[] {
  const { db } = parts
  const ticketId = (params: { readonly ticketId: string }) => parseId(params.ticketId, 'ERR_NO_TICKET_FOUND')
  const messageId = (params: { readonly id: string }) =>
    parseId(params.id, 'ERR_NO_MESSAGE_FOUND', Number.MAX_SAFE_INTEGER)
  return [
    servePage('GET /messages/:ticketId', ({ session, params, query }) =>
      loadMessagePage(db, session, ticketId(params), query),
    ),
    serveRead('GET /messages/ios/:ticketId', ({ session, params, query }) =>
      loadMessagePage(db, session, ticketId(params), query),
    ),
    serve('GET /messages/search/:ticketId', async ({ session, params, query }) => ({
      messages: await searchMessages(db, session, ticketId(params), query.messageToSearch),
    })),
    serve('POST /messages/:ticketId', async call => {
      const { session, params, body } = call
      const id = ticketId(params)
      if (body === undefined)
        return readForm(parts, call, async (form, session) => {
          const sent = await sendFiles(parts, session, id, readFormFiles(form))
          return sent.map(message => hideContact(session, message))
        })
      const { quotedMsg, uploadId, choices, mentions: ids = [] } = body
      // The answer shows what is quoted.
      if (quotedMsg && !hasScope(session, 'readMessages')) throw new AppError('ERR_NO_PERMISSION')
      const clientId = toProgramClientId(session, body.clientId)
      const sending = { body: body.body, quotedId: quotedMsg?.id, clientId, choices }
      if (ids.length > 0 && uploadId !== undefined) throw createFieldError('mentions', 'call.mentions')
      if (uploadId === undefined) {
        const isNew = ids.length > 0 && !(await isSent(db, id, clientId))
        const members = isNew ? await resolveMemberMentions(parts, session, id, { body: body.body, ids }) : undefined
        return hideContact(session, await sendMessage(parts, session, id, { ...sending, members }))
      }
      const { whatsapp } = await getTicket(db, session, id)
      const most = KIND_TABLE[whatsapp.api].most.files
      const file = await resolveUpload(parts, session.viewer.id, { ...body, uploadId }, most, { ticketId: id })
      await checkFile(createMediaStorage(parts), whatsapp.api, toContentColumns({ body: body.body, file }).payload)
      return hideContact(session, await sendMessage(parts, session, id, { ...sending, file }))
    }),
    serve('PUT /messages/:ticketId', async ({ session, params, body }) => {
      ticketId(params)
      return hideContact(session, await editMessage(parts, session, readEditedId(body), body.body))
    }),
    serve('POST /messages/vcard/:ticketId', ({ session, params, body }) =>
      sendCard(parts, session, ticketId(params), { ...body, clientId: toProgramClientId(session, body.clientId) }),
    ),
    serve('DELETE /messages/:id', ({ session, params }) => revokeMessage(parts, session, messageId(params))),
    serve('POST /messages/retry/:id', ({ session, params }) => retryMessage(parts, session, messageId(params))),
    serve('POST /messages/react/:id', ({ session, params, body }) =>
      reactToMessage(parts, session, messageId(params), body.emoji),
    ),
    serve('POST /messages/forward/:id', ({ session, params, body }) =>
      forwardMessages(parts, session, messageId(params), body),
    ),
    serve('GET /messages/info/:id', ({ session, params }) => getMessageInformation(db, session, messageId(params))),
    serve('POST /messages/download/:id', ({ session, params }) => downloadAgain(parts, session, messageId(params))),
    serve('GET /meta/templates/:ticketId', ({ session, params, query }) =>
      listTemplates(parts, session, ticketId(params), query),
    ),
    serve('GET /meta/templates/wpp/:whatsappId', ({ params, query }) =>
      listConnectionTemplates(parts, parseId(params.whatsappId, 'ERR_NO_WAPP_FOUND'), query),
    ),
    serve('POST /meta/templates', async ({ session, body }) =>
      hideContact(
        session,
        await sendTemplate(parts, session, { ...body, clientId: toProgramClientId(session, body.clientId) }),
      ),
    ),
    serve('PUT /uploads', ({ session, request, query }) => receiveUpload(parts, session, request, query)),
  ]
}
