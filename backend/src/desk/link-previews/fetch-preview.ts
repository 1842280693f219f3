// Asks a page what it is, as nobody in particular: no cookies, no word of who reads, and never an address inside (`callOutside`).
import type { LinkPreview } from '@balcao/contract'
import { followOutside, type OutwardOptions, readOutwardBody } from '../../platform/http/outward.ts'
import { toPreviewUrl } from './address.ts'

const MOST_MS = 5000
const MOST_PICTURE_BYTES = 1024 * 1024
const MOST_PIXELS = 16_000_000
const SIDE = 160
const LARGEST_THUMB = 16 * 1024

/** For tests, whose pages stand on this machine. */
export type PreviewNetwork = Partial<Pick<OutwardOptions, 'allowed' | 'resolve' | 'ms'>>

/** Null: it says nothing, is no page, or could not be reached in five seconds, its picture included. */
export async function fetchPreview(
  address: string,
  network: PreviewNetwork = {},
): Promise<Omit<LinkPreview, 'address'> | null> {
  const until = Date.now() + (network.ms ?? MOST_MS)
  try {
    const { answer, url } = await ask(toPreviewUrl(address), 'text/html', until, network)
    const { readPageHead } = await import('./read-page.ts')
    const head = await readPageHead(answer)
    if (!head) return null
    const { title, text, picture } = head
    const thumb = picture === '' ? null : await fetchThumb(picture, url, until, network)
    return { title, ...(text !== '' && { text }), ...(thumb && { thumb }) }
  } catch {
    // Whatever a page of a stranger does is no fault of ours.
    return null
  }
}

/** What the operator lets flows reach inside stays closed here. */
function ask(address: string, accept: string, until: number, { allowed = [], resolve }: PreviewNetwork) {
  const headers = { accept, 'accept-encoding': 'identity', 'user-agent': 'balcao' }
  // Bytes as they come: what is packed small is not opened.
  const init: BunFetchRequestInit = { headers, decompress: false }
  return followOutside(address, init, { allowed, ms: until - Date.now(), plain: true, ...(resolve && { resolve }) })
}

/** Made small by ourselves: what a browser is given was never a stranger's file. */
async function fetchThumb(
  picture: string,
  page: string,
  until: number,
  network: PreviewNetwork,
): Promise<string | null> {
  try {
    const { answer } = await ask(new URL(picture, page).href, 'image/*', until, network)
    const isPicture = /^image\/(?:jpeg|png|webp|gif)\b/i.test(answer.headers.get('content-type') ?? '')
    if (!answer.ok || !isPicture) {
      await answer.body?.cancel()
      return null
    }
    const bytes = Buffer.concat(await Array.fromAsync(readOutwardBody(answer, MOST_PICTURE_BYTES)))
    const { width, height } = await new Bun.Image(bytes).metadata()
    if (width * height > MOST_PIXELS) return null
    const small = await new Bun.Image(bytes)
      .resize(SIDE, SIDE, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 70 })
      .bytes()
    return small.length <= LARGEST_THUMB ? `data:image/webp;base64,${Buffer.from(small).toString('base64')}` : null
  } catch {
    return null
  }
}
