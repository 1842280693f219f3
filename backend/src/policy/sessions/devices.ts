// Devices on which an account was signed in before. What strangers guess at the account, or from the same address, does not keep
// them out: their own guesses are counted by themselves (docs/decisions/0157).
import type { Config } from '../../platform/config.ts'
import { createOpaqueToken, readCookie, serializeCookie, sign, verifySigned } from './tokens.ts'

const SECONDS = 365 * 24 * 3600

/** The device's own name if this account was signed in on it; otherwise null. */
export async function findKnownDevice(config: Config, request: Request, account: string): Promise<string | null> {
  const token = readCookie(request, toCookieName(account))
  const claims = token === null ? 'invalid' : await verifySigned(config, 'device', token)
  return typeof claims === 'object' && claims.sub === account && typeof claims.jti === 'string' ? claims.jti : null
}

/** Lets the device be known from now on. */
export async function rememberDevice(
  headers: Headers,
  config: Config,
  account: string,
  known: string | null,
): Promise<void> {
  const token = await sign(config, 'device', { sub: account, jti: known ?? createOpaqueToken() }, SECONDS)
  headers.append('set-cookie', serializeCookie(config, toCookieName(account), token, '/auth', SECONDS))
}

/** Several people share a computer: one cookie each. */
function toCookieName(account: string): string {
  return `balcao_device_${account.slice(0, 10)}`
}
