// What was written for the customer while the conversation was not there yet.
import type { OtherOpenTicket } from '@balcao/contract'
import { keepDraft, leaveDraft, readDraft } from '../composer/drafts.ts'
import { wayIn } from './state.ts'

/** Behind what lies there, in a line of its own; `isMore`: it goes on where that ends. */
export function addToDraft(ticketId: number, words: string, isMore = false) {
  if (words.trim() === '' && !isMore) return
  const before = readDraft(ticketId)
  keepDraft(ticketId, before + (before === '' || isMore ? '' : '\n') + words)
  leaveDraft(ticketId)
}

/** Into the conversation that is in the way; beside what is said of one that this person does not see. */
export function keepWords({ ticketId, ticket }: OtherOpenTicket, words: string, isMore = false) {
  if (ticket) addToDraft(ticketId, words, isMore)
  else if (wayIn.other?.ticketId === ticketId) wayIn.other.words += words
}
