import { MB } from '@balcao/contract'
import { withForm } from '../../desk/media/form.ts'
import { idOf } from '../../platform/http/validate.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve } from '../../policy/kit/serve.ts'
import { givenSend, sendForm } from './form.ts'
import { exportRecipients } from './jobs.ts'
import { getSend, listSends, recipientsOf } from './list.ts'
import { addSend, editSend, lookAtLeftOut, lookAtSend } from './save.ts'
import { steerSend } from './steer.ts'
import { testSend } from './test.ts'

const FORM_LIMIT = 25 * MB

export function sendRoutes(parts: Parts): Route[] {
  const idIn = (params: { readonly id: string }) => idOf(params.id, 'ERR_NO_SEND_FOUND')
  return [
    serve('GET /envioMassa', ({ session, query }) => listSends(parts, session, query)),
    serve('POST /envioMassa/preview', ({ session, body }) => lookAtSend(parts, session, body)),
    serve('POST /envioMassa/preview/excluded', ({ session, body, query }) =>
      lookAtLeftOut(parts, session, body, query),
    ),
    serve('POST /envioMassa/test', call =>
      call.body === undefined
        ? withForm(
            parts,
            call,
            (form, session) => testSend(parts, session, sendForm(form), form.text('number') ?? ''),
            FORM_LIMIT,
          )
        : testSend(parts, call.session, givenSend(call.body), call.body.number),
    ),
    serve('POST /envioMassa', call =>
      call.body === undefined
        ? withForm(parts, call, (form, session) => addSend(parts, session, sendForm(form)), FORM_LIMIT)
        : addSend(parts, call.session, givenSend(call.body)),
    ),
    serve('GET /envioMassa/:id', ({ session, params }) => getSend(parts, session, idIn(params))),
    serve('PUT /envioMassa/:id', ({ session, params, body }) => editSend(parts, session, idIn(params), body)),
    serve('PUT /envioMassa/:id/pause', ({ session, params }) => steerSend(parts, session, idIn(params), 'pause')),
    serve('PUT /envioMassa/:id/resume', ({ session, params }) => steerSend(parts, session, idIn(params), 'resume')),
    serve('PUT /envioMassa/:id/cancel', ({ session, params }) => steerSend(parts, session, idIn(params), 'cancel')),
    serve('POST /envioMassa/:id/recipients/export', ({ session, params, body }) =>
      exportRecipients(parts, session, idIn(params), body),
    ),
    serve('GET /envioMassa/:id/recipients', ({ session, params, query }) =>
      recipientsOf(parts, session, idIn(params), query),
    ),
  ]
}
