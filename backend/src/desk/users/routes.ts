import { parseId } from '../../platform/http/validate.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve, serveRead } from '../../policy/kit/serve.ts'
import { checkWorksNow } from '../../policy/sessions/authenticate.ts'
import { deleteUser } from './delete.ts'
import { handOverTickets } from './hand-over.ts'
import { importUsers, writeUserTemplate } from './import.ts'
import { getUser, listUsers } from './list.ts'
import { resetPassword } from './passwords.ts'
import { setPicture } from './picture.ts'
import { addUser, updateUser } from './save.ts'
import { signUp } from './sign-up.ts'

export function userRoutes(parts: Parts): Route[] {
  const { db, config } = parts
  const userId = (params: { readonly id: string }) => parseId(params.id, 'ERR_NO_USER_FOUND')
  return [
    serveRead('GET /users', ({ session, query, url }) => {
      // The specification asks for everybody with a name alone.
      const all = url.searchParams.get('all') === '' ? 'true' : query.all
      return listUsers(db, config, session, { ...query, all })
    }),
    serve('GET /users/import/template', writeUserTemplate),
    serve('GET /users/:id', ({ session, params }) => {
      const id = userId(params)
      if (id !== session.viewer.id) checkWorksNow(session)
      return getUser(db, config, session, id)
    }),
    serve('POST /users', ({ session, body }) => addUser(parts, session, body)),
    serve('PUT /users/:id', ({ session, params, body }) => updateUser(parts, session, userId(params), body)),
    serve('DELETE /users/:id', ({ session, params }) => deleteUser(parts, session, userId(params))),
    serve('POST /users/transfer/:id', ({ session, params, body }) =>
      handOverTickets(parts, session, userId(params), body),
    ),
    serve('POST /users/reset/:id', ({ session, params }) => resetPassword(parts, session, userId(params))),
    serve('POST /users/picture/:id', call => setPicture(parts, call, userId(call.params))),
    serve('POST /users/import/:userId', call => importUsers(parts, call, call.query)),
    serve('POST /auth/signup', ({ body, address }) => signUp(parts, body, address)),
  ]
}
