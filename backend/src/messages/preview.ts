// What a list shows of a message, whichever way it came or goes (spec 1 §2).
import type { MediaType } from '@balcao/contract'

const LENGTH = 300

/** Its words, or what it is called; the client adds the kind. Data is none: of a place its description, of a card its name. */
export function previewOf(message: {
  readonly body: string
  readonly mediaType: MediaType
  readonly media?: { readonly name?: string | null } | null
}): string {
  if (message.mediaType === 'location') return cut(message.body.split('|').slice(2).join('|').trim())
  if (message.mediaType === 'vcard' || message.mediaType === 'contact_array')
    return cut(/^FN[^:]*:(.+)$/m.exec(message.body)?.[1]?.trim() ?? '')
  const name = message.mediaType === 'application' ? (message.media?.name ?? '') : ''
  // NUL cannot be stored; everything else a person can send can be.
  return cut((message.body || name).replaceAll('\u0000', ''))
}

function cut(text: string): string {
  return text.length > LENGTH ? [...text].slice(0, LENGTH).join('') : text
}
