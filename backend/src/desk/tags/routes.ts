import { parseId } from '../../platform/http/validate.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve, serveRead } from '../../policy/kit/serve.ts'
import { deleteTag } from './delete.ts'
import { getTagWithContacts, listTags } from './list.ts'
import { addTag, editTag } from './save.ts'

export function tagRoutes(parts: Parts): Route[] {
  const { db } = parts
  const idIn = (params: { readonly id: string }) => parseId(params.id, 'ERR_NO_TAG_FOUND')
  return [
    serveRead('GET /tag', () => listTags(db)),
    serveRead('GET /tag/:id', ({ params }) => getTagWithContacts(db, idIn(params))),
    serve('POST /tag', ({ session, body }) => addTag(parts, session, body)),
    serve('PUT /tag/:id', ({ session, params, body }) => editTag(parts, session, idIn(params), body)),
    serve('DELETE /tag/:id', ({ session, params }) => deleteTag(parts, session, idIn(params))),
  ]
}
