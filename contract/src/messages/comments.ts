// Internal comments: what begins with two dashes stays with the team (spec 1 §5 "Composer shortcuts").

import type { TicketStatus } from '../tickets/ticket.ts'
import type { MediaType } from './message.ts'

/** Where a ticket stands while the team comments on it: a comment accepts nobody, so one that waits goes on waiting. */
export const COMMENT_STATUSES = ['open', 'pending'] as const

/** Whether a text is an internal comment, which never reaches the customer; space before the dashes changes nothing. */
export function isComment(text: string): boolean {
  return text.trimStart().startsWith('--')
}

/**
 * Whether a message may be changed or taken back by who works on its ticket: while that is open, and the own comment wherever one may
 * be written.
 */
export function canChangeMessage(
  status: TicketStatus,
  message: { readonly mediaType: MediaType; readonly userId: number | null },
  viewerId: number | undefined,
): boolean {
  const isOwnComment = message.mediaType === 'comment' && message.userId === viewerId
  return status === 'open' || (isOwnComment && COMMENT_STATUSES.some(one => one === status))
}

/**
 * The text of a comment without its prefix.
 * @example stripCommentPrefix('-- só a equipe') // 'só a equipe'
 */
export function stripCommentPrefix(text: string): string {
  return text.replace(/^\s*--\s?/, '')
}

/** A text as a comment; one without words stays as it is. */
export function toComment(text: string): string {
  return text.trim() === '' || isComment(text) ? text : `-- ${text}`
}

/**
 * The names that stand in a text behind an `@`, each the longest that fits there and no part of a longer word.
 * @example findCalledNames('veja @Ana Paula', ['Ana', 'Ana Paula']) // ['Ana Paula']
 */
export function findCalledNames(text: string, names: readonly string[]): string[] {
  return splitCalledNames(text, names).flatMap((piece, at) => (at % 2 === 1 ? piece.slice(1) : []))
}

/** A text in pieces, by turns what calls nobody (perhaps nothing) and an `@` with a name. */
export function splitCalledNames(text: string, names: readonly string[]): string[] {
  const sorted = names.filter(name => name !== '').sort((a, b) => b.length - a.length)
  if (sorted.length === 0) return [text]
  const either = sorted.map(name => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  return text.split(new RegExp(`(?<![\\p{L}\\p{N}])(@(?:${either}))(?![\\p{L}\\p{N}])`, 'u'))
}
