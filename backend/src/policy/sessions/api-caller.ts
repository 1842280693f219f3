// Who calls the external API: whoever brings its token.
import { sqlOf } from '../../platform/database/raw.ts'
import { networkOf } from '../../platform/http/addresses.ts'
import { AppError } from '../../platform/http/errors.ts'
import type { Parts } from '../kit/parts.ts'
import { isApiToken } from '../settings/api-token.ts'
import { ownLimit, take } from './attempts.ts'
import { bearerOf } from './tokens.ts'

/** Throws 401 `ERR_SESSION_EXPIRED` unless the request brings the token; 429 after too many wrong ones from one address. */
export async function authenticateApi(
  { db, license }: Pick<Parts, 'db' | 'license'>,
  request: Request,
  address: string,
): Promise<void> {
  if (license.blocked()) throw new AppError('ERR_SYSTEM_BLOCKED')
  const given = bearerOf(request)
  if (given === undefined) throw new AppError('ERR_SESSION_EXPIRED')
  const [row] = await sqlOf(db)<{ value: string }[]>`select value from setting where key = 'userApiToken'`
  if (row && isApiToken(given, row.value)) return
  // After the look at the token, and by address alone: nobody can lock the token's owner out.
  await take(db, [ownLimit(`api:${networkOf(address)}`)])
  throw new AppError('ERR_SESSION_EXPIRED')
}
