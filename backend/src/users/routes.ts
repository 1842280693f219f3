import type { BodyOf, User } from '@balcao/contract'
import { AppError } from '../http/errors.ts'
import { type Route, serve } from '../http/serve.ts'
import { idOf } from '../http/validate.ts'
import type { Parts } from '../parts.ts'
import type { Session } from '../sessions/authenticate.ts'
import { setActive } from './change.ts'
import { listUsers } from './list.ts'
import { changePassword, resetPassword } from './passwords.ts'
import { setPicture } from './picture.ts'
import { signUp } from './sign-up.ts'

export function userRoutes(parts: Parts): Route[] {
  const { db, config } = parts
  const userId = (params: { readonly id: string }) => idOf(params.id, 'ERR_NO_USER_FOUND')
  return [
    serve('GET /users', ({ session, query }) => listUsers(db, config, session, query)),
    serve('POST /auth/signup', ({ body, address }) => signUp(parts, body, address)),
    serve('PUT /users/:id', ({ session, params, body }) => changeAsAsked(parts, session, userId(params), body)),
    serve('POST /users/reset/:id', ({ session, params }) => resetPassword(parts, session, userId(params))),
    serve('POST /users/picture/:id', ({ session, params, request }) =>
      setPicture(parts, session, userId(params), request),
    ),
  ]
}

/** The own password, or whether somebody may come in. */
async function changeAsAsked(
  parts: Parts,
  session: Session,
  id: number,
  body: BodyOf<'PUT /users/:id'>,
): Promise<User> {
  const { password, currentPassword = '', active } = body
  if (password !== undefined) {
    if (id !== session.viewer.id) throw new AppError('ERR_NO_PERMISSION')
    return changePassword(parts, session, { currentPassword, password })
  }
  if (active === undefined || session.mustChangePassword) throw new AppError('ERR_NO_PERMISSION')
  return setActive(parts, session, id, active)
}
