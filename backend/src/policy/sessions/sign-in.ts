// Signing in: e-mail and password, in the wire format or plain; a new device is a new family of refresh tokens.
import type { ResponseBody, Settings } from '@balcao/contract'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { hashEmail } from '../../platform/seal.ts'
import { canWork, type WorkingTime } from '../calendar/working-time.ts'
import type { Parts } from '../kit/parts.ts'
import { readSettings } from '../settings/read.ts'
import { loadUsers } from '../users/present.ts'
import { checkGuess, createAccountLimit, createAddressLimit } from './attempts.ts'
import { findKnownDevice, rememberDevice } from './devices.ts'
import { storeRefreshToken, type TokenGround } from './families.ts'
import { openSecret } from './secrets.ts'
import { clearCache, endCookieSession } from './sign-out.ts'
import { type Claims, createAccessToken, createOpaqueToken, setCookies } from './tokens.ts'

type Answer = ResponseBody<'POST /auth/login'>

/**
 * Signs in (spec 1 §7, decisions §2). Throws `ERR_INVALID_CREDENTIALS`, `ERR_USER_NO_ACTIVE`, `ERR_INVALID_WORKING_TIME`, `ERR_SYSTEM_BLOCKED`,
 * `ERR_TOO_MANY_ATTEMPTS`. An unknown account takes as long as a wrong password.
 */
export async function signIn(parts: Parts, credentials: Credentials, call: SignInCall): Promise<Answer> {
  try {
    const answer = await checkCredentials(parts, credentials, call)
    parts.log.info({ userId: answer.user.id }, 'signed in')
    return answer
  } catch (error) {
    if (error instanceof AppError) parts.log.info({ code: error.code }, 'sign-in refused')
    throw error
  }
}

interface Credentials {
  readonly email: string
  readonly password: string
}

interface SignInCall {
  readonly request: Request
  readonly address: string
  readonly headers: Headers
}

async function checkCredentials(
  parts: Parts,
  credentials: Credentials,
  { request, address, headers }: SignInCall,
): Promise<Answer> {
  const { config, db } = parts
  if (parts.license.blocked()) throw new AppError('ERR_SYSTEM_BLOCKED')
  const email = await openSecret(config, credentials.email)
  const password = await openSecret(config, credentials.password)
  const account = hashEmail(config.dataKey, email)
  const device = await findKnownDevice(config, request, account)
  const limits =
    device === null
      ? [createAccountLimit(`account:${account}`), createAddressLimit(address)]
      : [createAccountLimit(`device:${device}`)]
  const [user] = await getSql(db)<SignInRow[]>`
    select id, password_hash as hash, active, profile, start_time as "startTime", end_time as "endTime", weekdays, saturday, sunday,
      holidays
    from "user" where email_hash = ${account} and deleted_at is null`
  const hash = user?.hash ?? (await nobodysHash())
  const right = await checkGuess(db, limits, () => verifyPassword(password, hash))
  if (!user || !right) throw new AppError('ERR_INVALID_CREDENTIALS')
  checkCanWork(user, await readSettings(db))
  await rememberDevice(headers, config, account, device)
  const claims = { userId: user.id, family: crypto.randomUUID() }
  const answer = await openSession(parts, claims, { passwordHash: hash }, headers)
  // A browser has one session: whoever was here before is not left signed in beside it, with what tells this device.
  const former = await endCookieSession(parts, request)
  if (former !== null && former !== user.id) clearCache(headers)
  return answer
}

/** Gives a device its next tokens: the access token in the answer, the others as cookies. Throws as `storeRefreshToken`. */
export async function openSession(
  parts: Parts,
  { userId, family }: Claims,
  ground: TokenGround,
  headers: Headers,
): Promise<Answer> {
  const { config, db } = parts
  const refresh = createOpaqueToken()
  await storeRefreshToken(db, { userId, family, token: refresh }, ground)
  await setCookies(headers, config, refresh, { userId, family })
  return buildSessionAnswer(parts, { userId, family })
}

/** What a session is answered with: who it is, and an access token. */
export async function buildSessionAnswer({ config, db }: Parts, claims: Claims): Promise<Answer> {
  const [user] = await loadUsers(db, config, [claims.userId])
  if (!user) throw new AppError('ERR_SESSION_EXPIRED')
  return { token: await createAccessToken(config, claims), user, wireSecret: config.sharedSecret }
}

/** Throws unless the person is active and it is that person's working time. */
export function checkCanWork(row: Omit<SignInRow, 'hash'>, settings: Settings): void {
  if (!row.active) throw new AppError('ERR_USER_NO_ACTIVE')
  if (!canWork(row, settings, new Date())) throw new AppError('ERR_INVALID_WORKING_TIME')
}

/** argon2id with the parameters OWASP names for 19 MiB: a sign-in must not take 64 MiB each. */
export function hashPassword(password: string): Promise<string> {
  return Bun.password.hash(password, { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 })
}

export interface SignInRow extends WorkingTime {
  readonly id: number
  readonly hash: string
  readonly active: boolean
}

/** Whether this is the password of the hash; an empty one never is. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  if (password === '') return false
  return Bun.password.verify(password, hash)
}

let nobody: Promise<string> | undefined
function nobodysHash(): Promise<string> {
  nobody ??= hashPassword(createOpaqueToken())
  return nobody
}
