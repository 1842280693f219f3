import { parseId } from '../../platform/http/validate.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve, serveRead } from '../../policy/kit/serve.ts'
import { replayDelivery, sendTest } from './by-hand.ts'
import { listDeliveries, listWebhooks } from './list.ts'
import { addWebhook, checkMayRead, deleteWebhook, editWebhook, renewSecret } from './save.ts'

export function webhookOutRoutes(parts: Parts): Route[] {
  const { db } = parts
  const idIn = (params: { readonly id: string }) => parseId(params.id, 'ERR_NOT_FOUND')
  return [
    serveRead('GET /integrations', () => listWebhooks(db)),
    serve('POST /integrations', ({ session, body }) => addWebhook(parts, session, body)),
    serve('PUT /integrations/:id', ({ session, params, body }) => editWebhook(parts, session, idIn(params), body)),
    serve('DELETE /integrations/:id', ({ session, params }) => deleteWebhook(parts, session, idIn(params))),
    serve('POST /integrations/:id/secret', ({ session, params }) => renewSecret(parts, session, idIn(params))),
    serve('POST /integrations/:id/test', ({ session, params, body }) =>
      sendTest(parts, session, idIn(params), body.type),
    ),
    serveRead('GET /integrations/:id/deliveries', async ({ session, params, query }) => {
      await checkMayRead(db, session, idIn(params))
      return listDeliveries(db, idIn(params), query)
    }),
    serve('POST /integrations/:id/deliveries/:deliveryId/replay', ({ session, params }) =>
      replayDelivery(parts, session, idIn(params), parseId(params.deliveryId, 'ERR_NOT_FOUND')),
    ),
  ]
}
