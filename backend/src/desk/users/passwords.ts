// Passwords of the team: changing the own one, and one-time passwords from administrators (spec 2 §5, decisions §2).
import { randomInt } from 'node:crypto'
import type { Config } from '../../platform/config.ts'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import { deriveBytes } from '../../platform/seal.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { checkGuess, createAccountLimit } from '../../policy/sessions/attempts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { limitConcurrency } from '../../policy/sessions/concurrency.ts'
import { openSecret } from '../../policy/sessions/secrets.ts'
import { hashPassword, verifyPassword } from '../../policy/sessions/sign-in.ts'
import { signOutEverywhere } from '../../policy/sessions/sign-out.ts'
import { changeUser, checkStillAdmin } from './change.ts'

/**
 * The current password of who is asking, and what follows for a new one; gives what was proven, for `checkStillProven`. Throws `ERR_VALIDATION` on the field that is wrong, and
 * `ERR_TOO_MANY_ATTEMPTS`: an open desk must not be a place to guess passwords.
 */
export async function verifyOwnPassword(
  { db, config }: Parts,
  { viewer: { id } }: Session,
  input: string | undefined,
  password: string | undefined,
): Promise<string> {
  const current = await openSecret(config, input ?? '')
  const [row] = await getSql(db)<{ hash: string }[]>`select password_hash as hash from "user" where id = ${id}`
  const isRight = () => verifyPassword(current, row?.hash ?? '')
  // By itself: who guesses at the sign-in keeps nobody from a new password.
  if (!(await checkGuess(db, [createAccountLimit(`password:${id}`)], isRight)))
    throw createFieldError('currentPassword', 'account.wrongPassword')
  if (password === current) throw createFieldError('password', 'call.samePassword')
  return row?.hash ?? ''
}

/**
 * A new password is hashed after the present one was proven: whoever was given another one meanwhile, and lost the session by it,
 * changes nothing any more. On a locked row. Throws `ERR_SESSION_EXPIRED`.
 */
export async function checkStillProven(tx: Tx, id: number, proven: string): Promise<void> {
  const [row] = await getSql(tx)`select 1 from "user" where id = ${id} and password_hash = ${proven}`
  if (!row) throw new AppError('ERR_SESSION_EXPIRED')
}

/** A password as it is stored. */
export function hashNewPassword(password: string): Promise<string> {
  return limitConcurrency(() => hashPassword(password))
}

/**
 * Gives somebody a one-time password and ends all of that person's sessions. The answer is the only place where it is
 * shown. Throws `ERR_NO_USER_FOUND`, also for the owner, who is hidden from everybody else.
 */
export async function resetPassword(parts: Parts, session: Session, id: number): Promise<{ password: string }> {
  const password = createOneTimePassword(parts.config)
  const set = { passwordHash: await hashNewPassword(password), mustChangePassword: true }
  await change(parts, async tx => {
    await checkStillAdmin(tx, session)
    await changeUser(tx, parts.config, session, id, set, { action: 'user.resetPassword' })
    await signOutEverywhere(tx, id)
  })
  parts.closeEndedSockets()
  return { password }
}

/** The same for the same `purpose`, which nobody else can work out: a form that is sent again gives the password that it gave before. */
export function deriveOneTimePassword(config: Pick<Config, 'resetPassword' | 'dataKey'>, purpose: string): string {
  const bytes = deriveBytes(config.dataKey, purpose)
  let at = 0
  return createOneTimePassword(config, below => bytes.readUInt16BE(2 * at++) % below)
}

/** The configured one, or a random one without letters and digits that look alike; it keeps to the policy. `choose`: a number below another. */
export function createOneTimePassword(
  { resetPassword }: Pick<Config, 'resetPassword'>,
  choose: (below: number) => number = randomInt,
): string {
  if (resetPassword !== null) return resetPassword
  const pick = (from: string, count: number) =>
    Array.from({ length: count }, () => from[choose(from.length)] ?? '').join('')
  return `${pick('ABCDEFGHJKMNPQRSTUVWXYZ', 3)}${pick('abcdefghjkmnpqrstuvwxyz', 5)}-${pick('23456789', 4)}`
}
