// Links to files that are good for a while without a session: given to who may have the file, asked for anew afterwards (decisions §13).
import type { Config } from '../../platform/config.ts'
import { sign, verifySigned } from '../../policy/sessions/tokens.ts'

const SECONDS = 15 * 60

/** `name`: where whoever gets the link goes by the ending of a file. */
export async function createMediaLink(
  config: Config,
  mediaId: string,
  { seconds = SECONDS, name }: { readonly seconds?: number; readonly name?: string } = {},
): Promise<{ url: string; expiresAt: string }> {
  const expiresAt = new Date(Date.now() + seconds * 1000).toISOString()
  const token = await sign(config, 'file', { sub: mediaId }, seconds)
  const path = name === undefined ? mediaId : `${mediaId}/${encodeURIComponent(name)}`
  return { url: `/media/${path}?token=${token}`, expiresAt }
}

/** Whether an address is such a link to this file, and still good. */
export async function isMediaLink(config: Config, url: string, mediaId: string): Promise<boolean> {
  const token = new URL(url).searchParams.get('token')
  const claims = token === null ? 'invalid' : await verifySigned(config, 'file', token)
  return typeof claims === 'object' && claims.sub === mediaId
}
