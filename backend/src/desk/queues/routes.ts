import { parseId } from '../../platform/http/validate.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve, serveRead } from '../../policy/kit/serve.ts'
import { listQueues } from './list.ts'
import { addQueue, deleteQueue, editQueue, getQueue } from './save.ts'

export function queueRoutes(parts: Parts): Route[] {
  const { db } = parts
  const idIn = (params: { readonly id: string }) => parseId(params.id, 'ERR_NO_QUEUE_FOUND')
  return [
    serveRead('GET /queue', () => listQueues(db)),
    serveRead('GET /queue/:id', ({ params }) => getQueue(db, idIn(params))),
    serve('POST /queue', ({ session, body }) => addQueue(parts, session, body)),
    serve('PUT /queue/:id', ({ session, params, body }) => editQueue(parts, session, idIn(params), body)),
    serve('DELETE /queue/:id', ({ session, params }) => deleteQueue(parts, session, idIn(params))),
  ]
}
