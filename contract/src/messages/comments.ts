// Internal comments: what begins with two dashes stays with the team (spec 1 §5 "Composer shortcuts").

/** Whether a text is an internal comment, which never reaches the customer; space before the dashes changes nothing. */
export function isComment(text: string): boolean {
  return text.trimStart().startsWith('--')
}

/**
 * The text of a comment without its prefix.
 * @example stripCommentPrefix('-- só a equipe') // 'só a equipe'
 */
export function stripCommentPrefix(text: string): string {
  return text.replace(/^\s*--\s?/, '')
}
