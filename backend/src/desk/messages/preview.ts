// What a list shows of a message, whichever way it came or goes (spec 1 §2).
import { formatMoney, type MediaType, type MessageCard, type MessageDetails } from '@balcao/contract'

const LENGTH = 300

/** Its words, or what it is called; the client adds the kind. Data is none: of a place its description, of a card its name. */
export function formatMessagePreview(message: {
  readonly body: string
  readonly mediaType: MediaType
  readonly media?: { readonly name?: string | null } | null
  readonly details?: MessageDetails | null | undefined
}): string {
  if (message.mediaType === 'location') return cut(message.body.split('|').slice(2).join('|').trim())
  if (message.mediaType === 'vcard' || message.mediaType === 'contact_array')
    return cut(/^FN[^:]*:(.+)$/m.exec(message.body)?.[1]?.trim() ?? '')
  const card = message.details?.card
  const name = message.mediaType === 'application' || card ? (message.media?.name ?? '') : ''
  // NUL cannot be stored; everything else a person can send can be.
  return cut(
    ([card && formatCardTotal(card), message.body].filter(Boolean).join(' · ') || name).replaceAll('\u0000', ''),
  )
}

function formatCardTotal(card: MessageCard): string {
  const money =
    card.kind === 'order' || card.kind === 'payment' ? card.total : card.kind === 'product' ? card.price : null
  return money ? formatMoney(money) : ''
}

function cut(text: string): string {
  return text.length > LENGTH ? [...text].slice(0, LENGTH).join('') : text
}
