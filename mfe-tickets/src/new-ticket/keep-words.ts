// What was written for the customer while the conversation was not there yet.
import type { OtherOpenTicket } from '@balcao/contract'
import { keepDraft, leaveDraft, readDraft } from '../composer/drafts.ts'
import { wayIn } from './state.ts'

/** Behind what lies there. */
export function addToDraft(ticketId: number, words: string) {
  if (words.trim() === '') return
  keepDraft(ticketId, readDraft(ticketId) + words)
  leaveDraft(ticketId)
}

/** Into the conversation that is in the way; beside what is said of one that this person does not see. */
export function keepWords({ ticketId, ticket }: OtherOpenTicket, words: string) {
  if (ticket) addToDraft(ticketId, words)
  else if (wayIn.other?.ticketId === ticketId) wayIn.other.words += words
}
