import { parseId } from '../../platform/http/validate.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve, serveRead } from '../../policy/kit/serve.ts'
import { bringFiles, goOn, readAgain, stopMove, undoMove } from './begin.ts'
import { loadMoveInState, loadMoveIns } from './state.ts'
import { beginUpload, receivePart } from './upload.ts'

/** So many moves are shown. */
const SHOWN = 10

export function moveInRoutes(parts: Parts): Route[] {
  const idIn = (params: { readonly id: string }) => parseId(params.id, 'ERR_NOT_FOUND')
  return [
    serveRead('GET /move-in', async () => ({
      moves: await loadMoveIns(parts, undefined, SHOWN),
      most: parts.config.moveInMostBytes,
    })),
    serve('POST /move-in', async ({ session, body }) =>
      loadMoveInState(parts, await beginUpload(parts, session, body)),
    ),
    serve('PUT /move-in/:id/dump', ({ session, request, params, query }) =>
      receivePart(parts, session, request, { id: idIn(params), at: query.at }),
    ),
    serve('POST /move-in/:id/read', ({ session, params, body }) =>
      readAgain(parts, session, idIn(params), body.company),
    ),
    serve('POST /move-in/:id/write', ({ session, params }) => goOn(parts, session, idIn(params))),
    serve('POST /move-in/:id/stop', ({ params }) => stopMove(parts, idIn(params))),
    serve('POST /move-in/:id/files', ({ session, params, body }) =>
      bringFiles(parts, session, idIn(params), body.address),
    ),
    serve('POST /move-in/:id/undo', ({ session, params }) => undoMove(parts, session, idIn(params))),
  ]
}
