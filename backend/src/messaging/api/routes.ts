import { endpoints } from '@balcao/contract'
import { type Form, withForm } from '../../desk/media/form.ts'
import { wrongField } from '../../platform/http/errors.ts'
import { checkerOf } from '../../platform/http/validate.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve } from '../../policy/kit/serve.ts'
import { countUse } from './limits.ts'
import { type ApiSending, sendByApi } from './send.ts'

const KEY_LENGTH = 64
const checkFields = checkerOf(endpoints['POST /api/messages/send'].body, 'text')

export function apiRoutes(parts: Parts): Route[] {
  return [
    serve('POST /api/messages/send', async call => {
      const { request, body, headers } = call
      await countUse(parts.db)
      const key = keyOf(request)
      const { answer, repeated } =
        body === undefined
          ? await withForm(parts, call, form => sendByApi(parts, sendingOf(form), key))
          : await sendByApi(parts, { ...body, files: [] }, key)
      if (repeated) headers.set('idempotent-replayed', 'true')
      return answer
    }),
  ]
}

function keyOf(request: Request): string | null {
  const key = request.headers.get('idempotency-key')?.trim() ?? ''
  if (key.length > KEY_LENGTH) throw wrongField('Idempotency-Key', `No máximo ${KEY_LENGTH} caracteres`)
  return key === '' ? null : key
}

function sendingOf(form: Form): ApiSending {
  return { ...checkFields(form.texts), files: form.files() }
}
