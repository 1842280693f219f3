import { endpoints } from '@balcao/contract'
import { readForm, type UploadForm } from '../../desk/media/form.ts'
import { createFieldError } from '../../platform/http/errors.ts'
import { createValidator } from '../../platform/http/validate.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve } from '../../policy/kit/serve.ts'
import { countUse } from './limits.ts'
import { type ApiSendRequest, sendByApi } from './send.ts'

const KEY_LENGTH = 64
const checkFields = createValidator(endpoints['POST /api/messages/send'].body, 'text')

export function apiRoutes(parts: Parts): Route[] {
  return [
    serve('POST /api/messages/send', async call => {
      const { request, body, headers } = call
      await countUse(parts.db)
      const key = readIdempotencyKey(request)
      const { answer, repeated } =
        body === undefined
          ? await readForm(parts, call, form => sendByApi(parts, parseSendRequest(form), key))
          : await sendByApi(parts, { ...body, files: [] }, key)
      if (repeated) headers.set('idempotent-replayed', 'true')
      return answer
    }),
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
