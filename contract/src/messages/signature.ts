// The signature agents put above what they write: their name in bold, on a line of its own (spec 1 §5).

/**
 * A text of ours without its signature.
 * @example stripSignature('*Bruna:*\nSegue a tabela') // 'Segue a tabela'
 */
export function stripSignature(body: string): string {
  return body.replace(/^\*[^*\n]{1,80}:\*\n/u, '')
}
