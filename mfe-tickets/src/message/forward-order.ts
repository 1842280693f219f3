// Whom a forward offers, and in which order: those one spoke with last stand first.
import type { Contact, Ticket } from '@balcao/contract'
import { findByName, sortByMatch } from '@balcao/contract/kit/name-match'

const RECENT = 12

/** What a row shows of who gets it. */
export type Recipient = Pick<Contact, 'id' | 'name' | 'number' | 'profilePicUrl' | 'isGroup'>

/** The people of these tickets, the last to speak first, without the one it comes from. */
export function listRecentRecipients(
  tickets: readonly Pick<Ticket, 'contactId' | 'isGroup' | 'contact' | 'lastMessageAt'>[],
  sourceId: number,
): readonly Recipient[] {
  const others = tickets
    .filter(ticket => ticket.contactId !== sourceId)
    .sort((a, b) => b.lastMessageAt.localeCompare(a.lastMessageAt))
    .map(({ contactId, isGroup, contact }) => [contactId, { ...contact, id: contactId, isGroup }] as const)
  return [...new Map(others).values()].slice(0, RECENT)
}

/** What the server found for these words, else those there are whose names match. */
export function listOffered(
  isAsked: boolean,
  found: readonly Recipient[],
  recent: readonly Recipient[],
  search: string,
) {
  if (isAsked) return sortFound(found, recent, search)
  return findByName([...recent, ...found], search, ({ name }) => name)
}

/** Whom the words mean most, of these those one spoke with last first, the others as they were found. */
export function sortFound(found: readonly Recipient[], recent: readonly Recipient[], search: string) {
  const places = new Map(recent.map(({ id }, place) => [id, place]))
  const byLast = found.toSorted((a, b) => (places.get(a.id) ?? RECENT) - (places.get(b.id) ?? RECENT))
  return sortByMatch(byLast, search, ({ name }) => name)
}
