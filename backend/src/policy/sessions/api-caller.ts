// Who calls the external API: whoever brings its token.
import { getSql } from '../../platform/database/raw.ts'
import { toNetworkAddress } from '../../platform/http/addresses.ts'
import { AppError } from '../../platform/http/errors.ts'
import type { Parts } from '../kit/parts.ts'
import { isApiToken } from '../settings/api-token.ts'
import { countAttempt, createAccountLimit } from './attempts.ts'
import { readBearerToken } from './tokens.ts'

/** Throws 401 `ERR_SESSION_EXPIRED` unless the request brings the token; 429 after too many wrong ones from one address. */
export async function authenticateApi(
  { db, license }: Pick<Parts, 'db' | 'license'>,
  request: Request,
  address: string,
): Promise<void> {
  if (license.blocked()) throw new AppError('ERR_SYSTEM_BLOCKED')
  const token = readBearerToken(request)
  if (token === undefined) throw new AppError('ERR_SESSION_EXPIRED')
  const [row] = await getSql(db)<{ value: string }[]>`select value from setting where key = 'userApiToken'`
  if (row && isApiToken(token, row.value)) return
  // After the look at the token, and by address alone: nobody can lock the token's owner out.
  await countAttempt(db, [createAccountLimit(`api:${toNetworkAddress(address)}`)])
  throw new AppError('ERR_SESSION_EXPIRED')
}
