import { endpoints } from '@balcao/contract'
import { readForm, type UploadForm } from '../../desk/media/form.ts'
import { hideContact } from '../../desk/messages/hidden-contact.ts'
import { createFieldError } from '../../platform/http/errors.ts'
import { createValidator, parseId } from '../../platform/http/validate.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve, serveRead } from '../../policy/kit/serve.ts'
import { listChangedMessages, listChangedTickets, listGoneContacts } from './changes.ts'
import { countUse } from './limits.ts'
import type { ApiSendRequest } from './request.ts'
import { addApiToken, editApiToken, revokeApiToken } from './save-token.ts'
import { sendByApi } from './send.ts'
import { listApiTokens } from './token-list.ts'

const KEY_LENGTH = 64
const checkFields = createValidator(endpoints['POST /api/messages/send'].body, 'text')

export function apiRoutes(parts: Parts): Route[] {
  return [
    serve('POST /api/messages/send', async call => {
      const { request, body, headers, session } = call
      if (!session) await countUse(parts.db)
      const key = readIdempotencyKey(request)
      const { answer, repeated } =
        body === undefined
          ? await readForm(parts, call, (form, now) => sendByApi(parts, now, parseSendRequest(form), key))
          : await sendByApi(parts, session, { ...body, files: [] }, key)
      if (repeated) headers.set('idempotent-replayed', 'true')
      return session ? { ...answer, messages: answer.messages.map(message => hideContact(session, message)) } : answer
    }),
    serveRead('GET /tickets/changes', ({ session, query }) => listChangedTickets(parts.db, session, query.cursor)),
    serveRead('GET /messages/changes', ({ session, query }) => listChangedMessages(parts.db, session, query.cursor)),
    serveRead('GET /contacts/gone', ({ session, query }) => listGoneContacts(parts.db, session, query.cursor)),
    serveRead('GET /integrations/tokens', ({ session }) => listApiTokens(parts.db, session)),
    serve('POST /integrations/tokens', ({ session, body }) => addApiToken(parts, session, body)),
    serve('PUT /integrations/tokens/:id', ({ session, params, body }) =>
      editApiToken(parts, session, parseId(params.id, 'ERR_NOT_FOUND'), body),
    ),
    serve('DELETE /integrations/tokens/:id', ({ session, params }) =>
      revokeApiToken(parts, session, parseId(params.id, 'ERR_NOT_FOUND')),
    ),
  ]
}

function readIdempotencyKey(request: Request): string | null {
  const key = request.headers.get('idempotency-key')?.trim() ?? ''
  if (key.length > KEY_LENGTH) throw createFieldError('Idempotency-Key', 'schema.fieldTooLong', { most: KEY_LENGTH })
  return key === '' ? null : key
}

function parseSendRequest(form: UploadForm): ApiSendRequest {
  return { ...checkFields(form.texts), files: form.files() }
}
