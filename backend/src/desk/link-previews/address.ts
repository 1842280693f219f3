// Which address of a text may be asked what it is: the first one, unless it opens something for whoever has it.
import { truncateText } from '@balcao/contract'
import { type Inline, parseBody } from '@balcao/contract/messages/whatsapp-text'
import { isPublicHost } from '../../platform/http/public-host.ts'

const MOST_LETTERS = 4000
const LONGEST_ADDRESS = 1000
const SECRET_NAME = /token|key|code|secret|auth|pass|senha|sig|session|invite|convite|otp|jwt|hash/i
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i
const LONGEST_PLAIN_WORD = 20

/** The address a preview is made of, as it stands in the text; null when there is none. */
export function findPreviewAddress(body: string): string | null {
  const links = parseBody(truncateText(body, MOST_LETTERS)).flatMap(block =>
    block.kind === 'code' ? [] : listLinks(block.children),
  )
  const [first] = links
  return first && canAsk(first.href) ? first.text : null
}

/** As it is asked for: `www.` alone means https. */
export function toPreviewUrl(address: string): string {
  const url = new URL(/^www\./i.test(address) ? `https://${address}` : address)
  url.hash = ''
  return url.href
}

function listLinks(parts: readonly Inline[]): Extract<Inline, { kind: 'link' }>[] {
  return parts.flatMap(part => (part.kind === 'link' ? [part] : 'children' in part ? listLinks(part.children) : []))
}

function canAsk(href: string): boolean {
  const url = new URL(href)
  return href.length <= LONGEST_ADDRESS && url.username === '' && isPublicHost(url.hostname) && !isPrivateLink(url)
}

/** Links to confirm, to sign in, to a shared document: asking may use them up, and what they show is meant for who was given them. */
export function isPrivateLink({ pathname, searchParams }: Pick<URL, 'pathname' | 'searchParams'>): boolean {
  if ([...searchParams.keys()].some(name => SECRET_NAME.test(name))) return true
  return [pathname, ...searchParams.values()].some(
    text => UUID.test(text) || text.split(/[^A-Za-z0-9_]+/).some(isRandomWord),
  )
}

/** Long, and letters with digits: nobody writes such a word. */
function isRandomWord(word: string): boolean {
  return word.length >= LONGEST_PLAIN_WORD && /[a-z]/i.test(word) && /\d/.test(word)
}
