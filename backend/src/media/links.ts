// Links to files that are good for a while without a session: given to who may have the file, asked for anew afterwards (decisions §13).
import { jwtVerify, SignJWT } from 'jose'
import type { Config } from '../config.ts'
import { keyOf } from '../sessions/tokens.ts'

const SECONDS = 15 * 60

export async function linkTo(config: Config, mediaId: string): Promise<{ url: string; expiresAt: string }> {
  const expiresAt = new Date(Date.now() + SECONDS * 1000)
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(mediaId)
    .setAudience('file')
    .setExpirationTime(expiresAt)
    .sign(keyOf(config))
  return { url: `/media/${mediaId}?token=${token}`, expiresAt: expiresAt.toISOString() }
}

/** Whether an address is such a link to this file, and still good. */
export async function isLink(config: Config, url: string, mediaId: string): Promise<boolean> {
  const token = new URL(url).searchParams.get('token')
  if (token === null) return false
  try {
    const { payload } = await jwtVerify(token, keyOf(config), { algorithms: ['HS256'], audience: 'file' })
    return payload.sub === mediaId
  } catch {
    return false
  }
}
