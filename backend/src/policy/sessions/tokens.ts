// Access tokens (JWT, 15 minutes) and the two cookies of a session.
import { randomBytes } from 'node:crypto'
import { RENEWAL_COOKIE } from '@balcao/contract/sessions/cookies'
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { Config } from '../../platform/config.ts'

const ACCESS_SECONDS = 15 * 60
export const REFRESH_SECONDS = 30 * 24 * 3600
const FILES_SECONDS = 24 * 3600
const REFRESH_COOKIE = 'balcao_refresh'
const FILES_COOKIE = 'balcao_files'

/** Whose session a token belongs to; `family` is the device. */
export interface Claims {
  readonly userId: number
  readonly family: string
}
export type VerificationResult = Claims | 'expired' | 'invalid'

/** An access token for the API. */
export function createAccessToken(config: Config, claims: Claims, seconds: number = ACCESS_SECONDS): Promise<string> {
  return signClaims(claims, config, 'access', seconds)
}

/** Who an access token belongs to. */
export function verifyAccess(config: Config, token: string): Promise<VerificationResult> {
  return verify(config, token, 'access')
}

/** Who the files cookie of a request belongs to: browsers fetch pictures without our header. */
export async function verifyFiles(config: Config, request: Request): Promise<VerificationResult> {
  const token = readCookie(request, FILES_COOKIE)
  return token === null ? 'invalid' : verify(config, token, 'files')
}

/** A fresh opaque token, 256 bits. */
export function createOpaqueToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The refresh token a request brings. */
export function readRefreshToken(request: Request): string | null {
  return readCookie(request, REFRESH_COOKIE)
}

/**
 * Gives a session its cookies: out of reach of scripts and of other sites, and each only where it is needed. One beside them opens
 * nothing: it has a new value each time, by which a page knows that the others have come.
 */
export async function setCookies(headers: Headers, config: Config, refresh: string, claims: Claims): Promise<void> {
  const files = await signClaims(claims, config, 'files', FILES_SECONDS)
  headers.append('set-cookie', serializeCookie(config, REFRESH_COOKIE, refresh, '/auth', REFRESH_SECONDS))
  headers.append('set-cookie', serializeCookie(config, FILES_COOKIE, files, '/media', FILES_SECONDS))
  headers.append('set-cookie', serializeCookie(config, RENEWAL_COOKIE, String(Date.now()), '/', REFRESH_SECONDS, ''))
}

/** Takes the cookies of a session away. */
export function clearCookies(headers: Headers, config: Config): void {
  headers.append('set-cookie', serializeCookie(config, REFRESH_COOKIE, '', '/auth', 0))
  headers.append('set-cookie', serializeCookie(config, FILES_COOKIE, '', '/media', 0))
  headers.append('set-cookie', serializeCookie(config, RENEWAL_COOKIE, '', '/', 0, ''))
}

function signClaims({ userId, family }: Claims, config: Config, use: string, seconds: number): Promise<string> {
  return sign(config, use, { sub: String(userId), family }, seconds)
}

async function verify(config: Config, token: string, use: string): Promise<VerificationResult> {
  const payload = await verifySigned(config, use, token)
  if (typeof payload === 'string') return payload
  const userId = Number(payload.sub)
  return Number.isInteger(userId) && typeof payload.family === 'string' ? { userId, family: payload.family } : 'invalid'
}

/** A token that is good for one use alone. */
export function sign(config: Config, use: string, claims: JWTPayload, seconds: number): Promise<string> {
  const token = new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).setAudience(use)
  return token.setIssuedAt().setExpirationTime(`${seconds} s`).sign(encodeKey(config))
}

/** What a token says that we signed for this use. */
export async function verifySigned(
  config: Config,
  use: string,
  token: string,
): Promise<JWTPayload | 'expired' | 'invalid'> {
  try {
    return (await jwtVerify(token, encodeKey(config), { algorithms: ['HS256'], audience: use })).payload
  } catch (error) {
    return error instanceof errors.JWTExpired ? 'expired' : 'invalid'
  }
}

function encodeKey(config: Config): Uint8Array {
  return new TextEncoder().encode(config.jwtSecret)
}

/** The token a request brings in its header. */
export function readBearerToken(request: Request): string | undefined {
  return /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
}

/** A cookie out of reach of other sites and, unless told otherwise, of scripts. */
export function serializeCookie(
  config: Config,
  name: string,
  value: string,
  path: string,
  seconds: number,
  readers: '; HttpOnly' | '' = '; HttpOnly',
): string {
  const secure = config.publicUrl?.startsWith('https:') ? '; Secure' : ''
  return `${name}=${value}; Path=${path}; Max-Age=${seconds}${readers}; SameSite=Strict${secure}`
}

/** A cookie of a request; null when it brings none. */
export function readCookie(request: Request, name: string): string | null {
  for (const part of (request.headers.get('cookie') ?? '').split(';')) {
    const at = part.indexOf('=')
    if (part.slice(0, at).trim() === name) return part.slice(at + 1).trim() || null
  }
  return null
}
