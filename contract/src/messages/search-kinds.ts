// The kinds of messages a search can ask for, as people call them.
import type { MediaType } from './message.ts'

export const SEARCH_KINDS = ['text', 'photo', 'video', 'audio', 'document', 'link', 'place', 'contact'] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]

/** What each is stored as; a link is what its text says. */
export const SEARCH_MEDIA_TYPES: Readonly<Record<Exclude<SearchKind, 'link'>, readonly MediaType[]>> = {
  text: ['chat'],
  photo: ['image'],
  video: ['video'],
  audio: ['audio'],
  document: ['application'],
  place: ['location'],
  contact: ['vcard', 'contact_array'],
}
