// The preview of a link that a message brings along: made by the sender's phone, so nothing is asked for.
import type { LinkPreview } from '@balcao/contract'
import { toSafeHref } from '@balcao/contract/messages/whatsapp-text'
import { toPlainLine } from '../../../desk/link-previews/plain-line.ts'

const LARGEST_THUMB = 16 * 1024

interface PreviewFields {
  readonly address: unknown
  readonly title: unknown
  readonly description: unknown
  /** A JPEG, or that in base64. */
  readonly thumbnail: unknown
}

/** Undefined: there is none, or not of an address in the text. */
export function toLinkPreview(body: string, fields: PreviewFields): LinkPreview | undefined {
  const { address } = fields
  if (typeof address !== 'string' || !toSafeHref(address) || !body.includes(address)) return undefined
  const title = toPlainLine(toText(fields.title), 200)
  if (title === '') return undefined
  const text = toPlainLine(toText(fields.description), 300)
  const thumb = toThumb(fields.thumbnail)
  return { address, title, ...(text !== '' && { text }), ...(thumb && { thumb }) }
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function toThumb(value: unknown): string | undefined {
  const base64 = value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
  if (typeof base64 !== 'string' || base64.length > (LARGEST_THUMB * 4) / 3) return undefined
  // Every JPEG begins so.
  return /^\/9j\/[\w+/]+=*$/.test(base64) ? `data:image/jpeg;base64,${base64}` : undefined
}
