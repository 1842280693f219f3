// Devices on which an account was signed in before. What strangers guess at the account, or from the same address, does not keep
// them out: their own guesses are counted by themselves (docs/decisions/0157).
import { jwtVerify, SignJWT } from 'jose'
import type { Config } from '../config.ts'
import { cookie, cookieOf, keyOf, opaqueToken } from './tokens.ts'

const SECONDS = 365 * 24 * 3600

/** The device's own name if this account was signed in on it; otherwise null. */
export async function knownDevice(config: Config, request: Request, account: string): Promise<string | null> {
  const token = cookieOf(request, nameFor(account))
  if (token === null) return null
  try {
    const { payload } = await jwtVerify(token, keyOf(config), { algorithms: ['HS256'], audience: 'device' })
    return payload.sub === account && typeof payload.jti === 'string' ? payload.jti : null
  } catch {
    return null
  }
}

/** Lets the device be known from now on. */
export async function rememberDevice(
  headers: Headers,
  config: Config,
  account: string,
  known: string | null,
): Promise<void> {
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(account)
    .setAudience('device')
    .setJti(known ?? opaqueToken())
    .setExpirationTime(`${SECONDS} s`)
    .sign(keyOf(config))
  headers.append('set-cookie', cookie(config, nameFor(account), token, '/auth', SECONDS))
}

/** Several people share a computer: one cookie each. */
function nameFor(account: string): string {
  return `balcao_device_${account.slice(0, 10)}`
}
