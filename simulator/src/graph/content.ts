// What travels between a customer and a business, in the double's own words: the chat on a customer's phone shows these.
import type { GraphCode } from './errors.ts'

export type GraphMediaKind = 'image' | 'audio' | 'video' | 'document' | 'sticker'

export interface MediaFile {
  bytes: Uint8Array
  mime: string
  filename?: string
}

export interface Media extends MediaFile {
  type: GraphMediaKind
  caption?: string
  voice?: boolean
  animated?: boolean
}

export interface Text {
  type: 'text'
  text: string
}

export interface Location {
  type: 'location'
  latitude: number
  longitude: number
  name?: string
  address?: string
}

export interface GraphContactCard {
  name: string
  phone?: string
  waId?: string
}

export interface ContactsContent {
  type: 'contacts'
  contacts: GraphContactCard[]
}

/** An empty emoji takes the reaction back. */
export interface ReactionContent {
  type: 'reaction'
  to: string
  emoji: string
}

/** What a customer can send. `raw` passes any other kind through as it is, for kinds nobody has met yet. */
export type CustomerContent =
  | Text
  | Media
  | Location
  | ContactsContent
  | ReactionContent
  | { type: 'button'; text: string; payload: string }
  | { type: 'button_reply'; id: string; title: string }
  | { type: 'list_reply'; id: string; title: string; description?: string }
  | { type: 'nfm_reply'; name: string; body: string; response: unknown }
  | { type: 'user_changed_number'; newWaId: string }
  /** `name` and `price` as the shop has them, in reais. */
  | { type: 'order'; lines: { name: string; quantity: number; price: number | string }[]; text?: string }
  /** The first words of who comes by an advertisement. */
  | { type: 'ad'; text: string; title: string; link: string; body?: string }
  /** A question about a product of the catalogue. */
  | { type: 'enquiry'; text: string; code: string }
  | { type: 'edit'; of: string; text: string }
  | { type: 'revoke'; of: string }
  /** `kind`: what WhatsApp calls it; `code`: why it does not tell more. */
  | { type: 'unsupported'; kind?: string; code?: 131051 | 131060 }
  | { type: 'raw'; kind: string; value: unknown }

export interface ReplyOption {
  id: string
  title: string
  description?: string
}

export interface Interactive {
  type: 'interactive'
  kind: string
  header?: string
  text: string
  footer?: string
  options: ReplyOption[]
}

export interface SentTemplate {
  type: 'template'
  name: string
  language: string
  header?: string
  text: string
  footer?: string
  buttons: string[]
  media?: GraphMediaRef
}

/** Media of an outgoing message before it is resolved to bytes: an uploaded id or a link to fetch. */
export interface GraphMediaRef {
  type: GraphMediaKind
  id?: string
  link?: string
  caption?: string
  filename?: string
  voice?: boolean
}

/** A checked outgoing message, its media not yet resolved. */
export type GraphOutgoing =
  | Text
  | { type: 'media'; media: GraphMediaRef }
  | Location
  | ContactsContent
  | ReactionContent
  | Interactive
  | SentTemplate

/** What a business can send, as it lies on the customer's phone. */
export type BusinessContent =
  | Text
  | Media
  | Location
  | ContactsContent
  | ReactionContent
  | Interactive
  | (Omit<SentTemplate, 'media'> & { file?: Media })

export type EntryStatus = 'waiting' | 'sent' | 'delivered' | 'read' | 'played' | 'failed'

interface EntryFacts {
  id: string
  at: Date
  status: EntryStatus
  quote?: string
  edited?: boolean
  deleted?: boolean
  /** `biz_opaque_callback_data` of the send, told back with every status. */
  opaque?: string
  /** The other side's reaction to this message. */
  reaction?: string
  error?: GraphCode
}

export type GraphEntry = EntryFacts &
  ({ from: 'customer'; content: CustomerContent } | { from: 'business'; content: BusinessContent })
