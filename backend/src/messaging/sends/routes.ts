import { MB } from '@balcao/contract'
import { readForm } from '../../desk/media/form.ts'
import { parseId } from '../../platform/http/validate.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve } from '../../policy/kit/serve.ts'
import { changeSendState } from './change-state.ts'
import { parseSendBody, readSendForm } from './form.ts'
import { exportRecipients } from './jobs.ts'
import { getSend, listSendRecipients, listSends } from './list.ts'
import { addSend, editSend, previewExcluded, previewMassSend } from './save.ts'
import { testSend } from './test.ts'

const FORM_LIMIT = 25 * MB

export function sendRoutes(parts: Parts): Route[] {
  const idIn = (params: { readonly id: string }) => parseId(params.id, 'ERR_NO_SEND_FOUND')
  return [
    serve('GET /envioMassa', ({ session, query }) => listSends(parts, session, query)),
    serve('POST /envioMassa/preview', ({ session, body }) => previewMassSend(parts, session, body)),
    serve('POST /envioMassa/preview/excluded', ({ session, body, query }) =>
      previewExcluded(parts, session, body, query),
    ),
    serve('POST /envioMassa/test', call =>
      call.body === undefined
        ? readForm(
            parts,
            call,
            (form, session) => testSend(parts, session, readSendForm(form), form.text('number') ?? ''),
            FORM_LIMIT,
          )
        : testSend(parts, call.session, parseSendBody(call.body), call.body.number),
    ),
    serve('POST /envioMassa', call =>
      call.body === undefined
        ? readForm(parts, call, (form, session) => addSend(parts, session, readSendForm(form)), FORM_LIMIT)
        : addSend(parts, call.session, parseSendBody(call.body)),
    ),
    serve('GET /envioMassa/:id', ({ session, params }) => getSend(parts, session, idIn(params))),
    serve('PUT /envioMassa/:id', ({ session, params, body }) => editSend(parts, session, idIn(params), body)),
    serve('PUT /envioMassa/:id/pause', ({ session, params }) => changeSendState(parts, session, idIn(params), 'pause')),
    serve('PUT /envioMassa/:id/resume', ({ session, params }) =>
      changeSendState(parts, session, idIn(params), 'resume'),
    ),
    serve('PUT /envioMassa/:id/cancel', ({ session, params }) =>
      changeSendState(parts, session, idIn(params), 'cancel'),
    ),
    serve('POST /envioMassa/:id/recipients/export', ({ session, params, body }) =>
      exportRecipients(parts, session, idIn(params), body),
    ),
    serve('GET /envioMassa/:id/recipients', ({ session, params, query }) =>
      listSendRecipients(parts, session, idIn(params), query),
    ),
  ]
}
