// Passwords of the team: changing the own one, and one-time passwords from administrators (spec 2 §5, decisions §2).
import { randomInt } from 'node:crypto'
import { passwordProblem, type User } from '@balcao/contract'
import { sqlOf } from '../database/raw.ts'
import { wrongField } from '../http/errors.ts'
import { change, type Parts } from '../parts.ts'
import { guess, ownLimit } from '../sessions/attempts.ts'
import type { Session } from '../sessions/authenticate.ts'
import { fewAtOnce } from '../sessions/few-at-once.ts'
import { opened } from '../sessions/secrets.ts'
import { hashPassword, verifyPassword } from '../sessions/sign-in.ts'
import { signOutEverywhere } from '../sessions/sign-out.ts'
import { changeUser } from './change.ts'

/**
 * Changes the own password and signs out all other devices. Throws `ERR_VALIDATION` on the field that is wrong, and
 * `ERR_TOO_MANY_ATTEMPTS`: an open desk must not be a place to guess passwords.
 */
export async function changePassword(
  parts: Parts,
  session: Session,
  given: { readonly currentPassword: string; readonly password: string },
): Promise<User> {
  const { db, config } = parts
  const [currentPassword, password] = await Promise.all([
    opened(config, given.currentPassword),
    opened(config, given.password),
  ])
  const { id } = session.viewer
  const [row] = await sqlOf(db)<{ hash: string }[]>`select password_hash as hash from "user" where id = ${id}`
  const isRight = () => verifyPassword(currentPassword, row?.hash ?? '')
  // By itself: who guesses at the sign-in keeps nobody from a new password.
  if (!(await guess(db, [ownLimit(`password:${id}`)], isRight)))
    throw wrongField('currentPassword', 'A senha atual não confere.')
  const problem =
    passwordProblem(password) ?? (password === currentPassword ? 'A nova senha precisa ser diferente da atual.' : null)
  if (problem !== null) throw wrongField('password', problem)
  const hash = await fewAtOnce(() => hashPassword(password))
  const user = await change(parts, async tx => {
    await sqlOf(tx)`update refresh_token set revoked_at = now()
      where user_id = ${id} and family <> ${session.family} and revoked_at is null`
    const set = { passwordHash: hash, mustChangePassword: false, action: 'user.changePassword' } as const
    return changeUser(tx, config, session, id, set)
  })
  parts.closeEndedSockets()
  return user
}

/**
 * Gives somebody a one-time password and ends all of that person's sessions. The answer is the only place where it is
 * shown. Throws `ERR_NO_USER_FOUND`, also for the owner, who is hidden from everybody else.
 */
export async function resetPassword(parts: Parts, session: Session, id: number): Promise<{ password: string }> {
  const password = parts.config.resetPassword ?? oneTimePassword()
  const hash = await fewAtOnce(() => hashPassword(password))
  const set = { passwordHash: hash, mustChangePassword: true, action: 'user.resetPassword' } as const
  await change(parts, async tx => {
    await changeUser(tx, parts.config, session, id, set)
    await signOutEverywhere(tx, id)
  })
  parts.closeEndedSockets()
  return { password }
}

/** Without letters and digits that look alike; it keeps to the policy. */
function oneTimePassword(): string {
  const pick = (from: string, count: number) =>
    Array.from({ length: count }, () => from[randomInt(from.length)] ?? '').join('')
  return `${pick('ABCDEFGHJKMNPQRSTUVWXYZ', 3)}${pick('abcdefghjkmnpqrstuvwxyz', 5)}-${pick('23456789', 4)}`
}
